package projection

import (
	"cmp"
	"slices"

	"github.com/leasekeeper/leasekeeper/fsm"
)

// Stint is a registration with everything in it, by the moments at which it
// began.
type Stint struct {
	Registration
	Leases []Lease
	Waits  []Wait
}

// Career is all that happened to one client.
type Career struct {
	Client   string
	Stints   []Stint // by age
	Refusals []Refusal
}

// CareersCollector is Careers that keep their rows. Its memory grows with the
// history of the clients that are wanted.
type CareersCollector struct {
	*Careers
	stints   map[int64]*Stint // by age, which no two registrations share (R15)
	refusals map[string][]Refusal
}

// CollectCareers are the careers of the named clients, or of all if none is
// named, from a state on.
func CollectCareers(state fsm.State, clients []string) *CareersCollector {
	c := &CareersCollector{stints: map[int64]*Stint{}, refusals: map[string][]Refusal{}}
	c.Careers = NewCareers(state, clients, CareersSink{
		Registration: func(r Registration) { c.stint(r.Age).Registration = r },
		Lease:        func(age int64, l Lease) { c.stint(age).Leases = append(c.stint(age).Leases, l) },
		Wait:         func(age int64, w Wait) { c.stint(age).Waits = append(c.stint(age).Waits, w) },
		Refusal:      func(r Refusal) { c.refusals[r.Client] = append(c.refusals[r.Client], r) },
	})
	return c
}

func (c *CareersCollector) stint(age int64) *Stint {
	s := c.stints[age]
	if s == nil {
		s = &Stint{}
		c.stints[age] = s
	}
	return s
}

// Rows returns the careers up to now, a copy, by the clients' names. The fold
// may go on.
func (c *CareersCollector) Rows() []Career {
	all := map[string]*Career{}
	of := func(client string) *Career {
		if all[client] == nil {
			all[client] = &Career{Client: client}
		}
		return all[client]
	}
	for age, s := range c.stints {
		if s.Ended.Happened() {
			of(s.Client).Stints = append(of(s.Client).Stints, c.copied(age, nil))
		}
	}
	for client, going := range c.clients {
		of(client).Stints = append(of(client).Stints, c.copied(going.Age, going))
	}
	for client, refusals := range c.refusals {
		of(client).Refusals = slices.Clone(refusals)
	}
	rows := make([]Career, 0, len(all))
	for _, career := range all {
		slices.SortFunc(career.Stints, func(a, b Stint) int { return cmp.Compare(a.Age, b.Age) })
		rows = append(rows, *career)
	}
	slices.SortFunc(rows, func(a, b Career) int { return cmp.Compare(a.Client, b.Client) })
	return rows
}

// copied is what was kept of a registration, together with what is going on.
func (c *CareersCollector) copied(age int64, going *career) Stint {
	var s Stint
	if kept := c.stints[age]; kept != nil {
		s = Stint{kept.Registration, slices.Clone(kept.Leases), slices.Clone(kept.Waits)}
	}
	if going != nil {
		s.Registration = going.Registration
		for _, l := range going.leases {
			s.Leases = append(s.Leases, *l)
		}
		if going.wait != nil {
			s.Waits = append(s.Waits, *going.wait)
		}
	}
	slices.SortFunc(s.Leases, compareLeases)
	slices.SortFunc(s.Waits, compareWaits)
	return s
}

// Describe draws the career: each registration, what was held and waited for in
// it, and what was refused. #n is event n.
func (c *Career) Describe() string {
	var d drawing
	for i := range c.Stints {
		s := &c.Stints[i]
		d.row(s.Age, s.Began, s.Ended, s.Granted, s.Waited)
	}
	d.draw("registrations of "+name(c.Client), "age | began | aborted | leases | waits")
	for i := range c.Stints {
		for j := range c.Stints[i].Leases {
			l := &c.Stints[i].Leases[j]
			d.row(c.Stints[i].Age, name(l.Lock), l.Mode, l.Token, l.Began, dash(l.Why.String()), endOf(l), dash(l.How.String()))
		}
	}
	d.draw("leases of "+name(c.Client), "age | lock | mode | token | began | why | ended | how")
	for i := range c.Stints {
		for j := range c.Stints[i].Waits {
			w := &c.Stints[i].Waits[j]
			d.row(c.Stints[i].Age, name(w.Lock), w.Mode, w.Began, w.Position, w.Ended, w.Ending)
		}
	}
	d.draw("waits of "+name(c.Client), "age | lock | mode | began | position | ended | ending")
	for i := range c.Refusals {
		r := &c.Refusals[i]
		lock := "-"
		if r.Lock != "" {
			lock = name(r.Lock)
		}
		d.row(r.At, r.Operation, lock, accepted(r.Reason))
	}
	d.draw("refusals of "+name(c.Client), "at | operation | lock | answer")
	return d.String()
}
