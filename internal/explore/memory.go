package explore

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/leasekeeper/leasekeeper/internal/naive"
)

// memory writes down all that models remember, but for where the clock stands
// and how many operations there were: instants are told in ticks from the
// clock. Models with the same deviations and the same memory have the same
// future but for that shift.
type memory struct {
	dumps [2]naive.Dump
	names [MaxClients]string // what clientNames are called in the text
	text  []byte
}

// plain is the memory of one model, with all names as they are.
func (m *memory) plain(of *naive.Model) []byte {
	m.names = clientNames
	of.Dump(&m.dumps[0])
	m.text = m.append(m.text[:0], &m.dumps[0])
	return m.text
}

// both is the memory of two models at an instant. Interchangeable clients are
// called by their ages. Any other name would do as well; with this one most
// pairs that differ in nothing but names have the same memory.
func (m *memory) both(p *pair, interchangeable bool) []byte {
	m.names = clientNames
	text := append(m.text[:0], byte(p.named))
	for i, model := range p.models {
		model.Dump(&m.dumps[i])
	}
	if interchangeable {
		m.nameByAge()
	}
	for i := range m.dumps {
		now := p.now // as it is for a model that nothing has started: it may look at the sign
		if m.dumps[i].Started {
			now -= m.dumps[i].Clock
		}
		text = binary.AppendVarint(m.append(text, &m.dumps[i]), now)
	}
	m.text = text
	return text
}

func (m *memory) nameByAge() {
	order := [MaxClients]int{0, 1, 2, 3}
	slices.SortStableFunc(order[:], func(a, b int) int {
		if by := cmp.Compare(ageIn(&m.dumps[0], a), ageIn(&m.dumps[0], b)); by != 0 {
			return by
		}
		return cmp.Compare(ageIn(&m.dumps[1], a), ageIn(&m.dumps[1], b))
	})
	for place, client := range order {
		m.names[client] = clientNames[place]
	}
	for i := range m.dumps {
		for _, list := range [][]naive.Number{m.dumps[i].Ages, m.dumps[i].PastAges} {
			for j := range list {
				list[j].Name = m.name(list[j].Name)
			}
			slices.SortFunc(list, func(a, b naive.Number) int { return cmp.Compare(a.Name, b.Name) })
		}
	}
}

// ageIn is a client's age, or more than any if it has none.
func ageIn(d *naive.Dump, client int) int64 {
	for _, age := range d.Ages {
		if age.Name == clientNames[client] {
			return age.Number
		}
	}
	return d.Registrations + 1
}

func (m *memory) name(client string) string {
	if n := number(clientNames[:], client); n != unknown {
		return m.names[n]
	}
	return client
}

func (m *memory) append(text []byte, d *naive.Dump) []byte {
	if !d.Started {
		text = append(text, '0')
	}
	text = binary.AppendVarint(text, d.Registrations)
	for _, l := range d.Leases {
		text = append(appendNames(text, l.Lock, m.name(l.Client)), byte(l.Mode))
		text = appendNumbers(text, l.Token, l.ExpiresAt-d.Clock, l.TTL)
	}
	text = append(text, 1)
	for _, r := range d.Requests {
		text = append(appendNames(text, r.Lock, m.name(r.Client)), byte(r.Mode))
		text = appendNumbers(text, r.TTL, r.At-d.Clock, r.Token)
	}
	for _, list := range [...][]naive.Number{d.Tokens, d.Marks, d.Ages, d.PastAges} {
		text = append(text, 1)
		for _, n := range list {
			text = appendNumbers(appendNames(text, n.Name, n.Key), n.Number)
		}
	}
	text = append(text, 1)
	for _, n := range d.FirstEnds {
		text = appendNumbers(appendNames(text, n.Name), n.Number-d.Clock)
	}
	text = append(text, 1)
	for _, v := range d.Values {
		text = appendNames(text, v.Lock, v.Key, v.Text)
	}
	return text
}

// appendNames appends names, each with an end that no letter has.
func appendNames(text []byte, names ...string) []byte {
	for _, name := range names {
		text = append(append(text, name...), 0)
	}
	return text
}

func appendNumbers(text []byte, numbers ...int64) []byte {
	for _, n := range numbers {
		text = binary.AppendVarint(text, n)
	}
	return text
}
