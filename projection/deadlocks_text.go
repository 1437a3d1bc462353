package projection

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// String is the deadlock in one line.
func (d *Deadlock) String() string {
	var victims []string
	for i := range d.Victims {
		victims = append(victims, name(d.Victims[i].Client))
	}
	return fmt.Sprintf("%s: %s asked for %s, cycle of %d; victims %s; the request: %s",
		d.At, name(d.Requester), name(d.Lock), len(d.Members), strings.Join(victims, ", "), d.Ending)
}

// Describe draws the deadlock: who waited for whom, who was aborted, and whom
// that helped.
func (d *Deadlock) Describe() string {
	var out drawing
	crowds := d.crowds()
	for i := range d.Members {
		m := &d.Members[i]
		out.row(m.Age, name(m.Client), name(m.Wait.Lock), m.Wait.Mode, m.Place, crowds[m.Wait.Lock].waitsFor(m.Client), names(m.Holds))
	}
	out.draw(fmt.Sprintf("deadlock at %s: %s asks for %s", d.At, name(d.Requester), name(d.Lock)),
		"age | client | waits for | mode | place | blocked by | holds")
	for i := range d.Victims {
		v := &d.Victims[i]
		for _, f := range v.Freed {
			out.row(v.Age, name(v.Client), f.what(), f.whom())
		}
	}
	out.draw("victims", "age | client | lost | which made way for")
	out.text.WriteString("the request of " + name(d.Requester) + ": " + d.Ending.String() + "\n")
	return out.String()
}

// crowd is the members that have to do with one lock.
type crowd struct {
	holders, queue []string       // by age, and by place
	ahead          map[string]int // how many of the queue are ahead of a member
}

// crowds are those of each lock that members wait for.
func (d *Deadlock) crowds() map[string]*crowd {
	of := map[string]*crowd{}
	byPlace := slices.SortedFunc(slices.Values(d.Members), func(a, b Member) int { return cmp.Compare(a.Place, b.Place) })
	for i := range byPlace {
		m := &byPlace[i]
		if of[m.Wait.Lock] == nil {
			of[m.Wait.Lock] = &crowd{ahead: map[string]int{}}
		}
		c := of[m.Wait.Lock]
		c.ahead[m.Client] = len(c.queue)
		c.queue = append(c.queue, m.Client)
	}
	for i := range d.Members {
		for _, lock := range d.Members[i].Holds {
			of[lock].holders = append(of[lock].holders, d.Members[i].Client)
		}
	}
	return of
}

// waitsFor names the members that a member waits for: those ahead, then the
// holders, of each the first few.
func (c *crowd) waitsFor(client string) string {
	var parts []string
	if ahead := c.queue[:c.ahead[client]]; len(ahead) > 0 {
		parts = append(parts, names(ahead)+" ahead")
	}
	if len(c.holders) > 0 {
		parts = append(parts, names(c.holders)+" holding it")
	}
	return strings.Join(parts, ", ")
}

// what says what was taken back.
func (f *Freed) what() string {
	if f.Token == 0 {
		return "its request for " + name(f.Lock)
	}
	return fmt.Sprintf("%s, token %d", name(f.Lock), f.Token)
}

// whom says for whom that made way.
func (f *Freed) whom() string {
	var list []string
	for _, g := range f.Grants {
		list = append(list, fmt.Sprintf("%s, token %d until %d", name(g.Client), g.Token, g.ExpiresAt))
	}
	if len(list) == 0 {
		return "nobody"
	}
	return strings.Join(list, "; ")
}

// shownNames bounds a list of names in a cell.
const shownNames = 8

// names is a list of names in words, - if it is empty.
func names(list []string) string {
	var shown []string
	for _, n := range list[:min(len(list), shownNames)] {
		shown = append(shown, name(n))
	}
	text := dash(strings.Join(shown, ", "))
	if more := len(list) - shownNames; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
