package lab

import (
	"cmp"
	"fmt"
	"strings"
	"sync"

	"github.com/leasekeeper/leasekeeper/events"
)

// Experiment is one thing that can be shown.
type Experiment struct {
	Name     string
	Question string   // what it answers, in one line
	Story    string   // what happens in it, in lines that fit a terminal
	Lesson   string   // what is to be learnt from its reference run
	Rules    []string // the rules at work, by number
	// Seed is the reference seed of an experiment that leaves something to
	// chance, 0 for one that does not.
	Seed uint64
	// HasPlot tells whether its Outcome has a plot.
	HasPlot bool
	// HasHistory tells whether its Outcome has a history.
	HasHistory bool

	run func(*bench) (*Outcome, error)
}

// Operations is how many operations the reference run of an experiment has, and
// MaxOperations how many any run may have.
const (
	Operations    = 20_000
	MaxOperations = 1_000_000
)

// Setting says how an experiment is carried out.
type Setting struct {
	Seed       uint64
	Operations int    // from 1 to MaxOperations
	Engine     Engine // nil is Machine
}

// Outcome is what an experiment brought to light.
type Outcome struct {
	Table  Table
	Notes  []string // what a reader of the table has to know
	Claims []Claim
	Plot   *Plot
	// History is what the engine was sent and what it answered: all of a small
	// experiment, or the first operation of a large one that went wrong.
	History *Recording
}

// All lists the experiments, in the order in which they tell their story.
func All() []Experiment {
	return []Experiment{
		noExpiry, leases, fencing, clientCheck, sizing, designs, gaps, replication,
	}
}

// Find returns the experiment of that name.
func Find(name string) (Experiment, error) {
	var names []string
	for _, x := range All() {
		if x.Name == name {
			return x, nil
		}
		names = append(names, x.Name)
	}
	return Experiment{}, fmt.Errorf("lab: there is no experiment %q; there are %s", name, strings.Join(names, ", "))
}

// Reference is the setting whose figures are known to the last digit.
func (x Experiment) Reference() Setting { return Setting{Seed: x.Seed, Operations: Operations} }

// Run carries out the experiment. It fails if the setting is out of range or the
// engine does not know the rules.
func (x Experiment) Run(s Setting) (*Outcome, error) {
	if x.Seed != 0 && (s.Operations < 1 || s.Operations > MaxOperations) {
		return nil, fmt.Errorf("lab: %d operations; there can be 1 to %d", s.Operations, MaxOperations)
	}
	if s.Engine == nil {
		s.Engine = Machine
	}
	reference := x.Reference()
	b := &bench{Setting: s, exact: s.Seed == reference.Seed && s.Operations == reference.Operations}
	out, err := x.run(b)
	if err != nil {
		return nil, err
	}
	if text := b.faults.text(); text != "" {
		out.Claims = append(out.Claims, Claim{Text: "every operation gets an answer of its kind", Expected: "yes", Measured: text})
	}
	for i := range out.Claims {
		out.Claims[i].ID = fmt.Sprintf("%s.%d", x.Name, i+1)
	}
	return out, nil
}

// bench is where an experiment is carried out.
type bench struct {
	Setting
	exact  bool // it is the reference run
	faults faults
}

// stages returns a function that gives stages with fresh services, which count in
// a unit.
func (b *bench) stages(unit events.Unit) (func() *stage, error) {
	fresh, err := b.Engine(rulesIn(unit))
	if err != nil {
		return nil, err
	}
	return func() *stage { return &stage{service: fresh(), faults: &b.faults} }, nil
}

// concurrently carries out n parts of an experiment, which share nothing, and
// returns the first error in their order.
func concurrently(n int, part func(i int) error) error {
	var wg sync.WaitGroup
	errs := make([]error, n)
	for i := range n {
		wg.Go(func() { errs[i] = part(i) })
	}
	wg.Wait()
	return cmp.Or(errs...)
}

// rulesIn is the edition in force, counted in a unit.
func rulesIn(unit events.Unit) events.Rules {
	return events.Rules{Edition: events.Current.Edition, Unit: unit}
}
