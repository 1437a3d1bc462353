package diagnose

import (
	"bytes"
	"context"
	"slices"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/history"
)

// How hard candidates are told apart.
const (
	mostCandidates = 12    // the first of them
	histories      = 400   // drawn for each profile
	drawnLength    = 40    // operations of each
	shrinking      = 4_000 // histories tried to make one shorter
)

// Tell looks for a history for a fresh service that tells candidates apart, each
// of them the names of deviations: as many of the first dozen as possible. Nil
// means that among some thousands of histories, the same ones every time,
// none does, or that the context was done.
func Tell(ctx context.Context, rules events.Rules, candidates [][]string) *Distinction {
	candidates = candidates[:min(len(candidates), mostCandidates)]
	best, class := history.History{}, ""
	for _, profile := range history.Profiles() {
		generator := history.NewGenerator(profile)
		for seed := range uint64(histories) {
			if ctx.Err() != nil {
				return nil
			}
			h := generator.Generate(rules, seed, drawnLength)
			found, groups := classOf(h, candidates)
			if groups <= max(1, groupsOf(class)) {
				continue
			}
			best, class = history.History{Rules: rules, Events: slices.Clone(h.Events)}, found
			if groups == len(candidates) {
				return distinction(ctx, best, class, candidates)
			}
		}
	}
	if class == "" {
		return nil
	}
	return distinction(ctx, best, class, candidates)
}

// classOf says which candidates answer a history alike: the number of its
// group for each candidate, as a byte; and how many groups there are.
func classOf(h history.History, candidates [][]string) (class string, groups int) {
	known := map[string]byte{}
	var numbers []byte
	for _, names := range candidates {
		answers := string(bytes.Join(answersOf(h, names), []byte{'\n'}))
		number, ok := known[answers]
		if !ok {
			number = byte(len(known))
			known[answers] = number
		}
		numbers = append(numbers, number)
	}
	return string(numbers), len(known)
}

// groupsOf is how many groups a class has.
func groupsOf(class string) int {
	most := 0
	for _, number := range []byte(class) {
		most = max(most, int(number)+1)
	}
	return most
}

func answersOf(h history.History, names []string) (answers [][]byte) {
	model := modelOf(h.Rules, names)
	for _, e := range h.Events {
		answers = append(answers, model.Apply(e).Answer.AppendJSON(nil))
	}
	return answers
}

// distinction makes a history that tells candidates apart as short as can be.
func distinction(ctx context.Context, h history.History, class string, candidates [][]string) *Distinction {
	rules := h.Rules
	h = history.ShrinkWithin(h, func(h history.History) history.Class {
		if h.Rules != rules || ctx.Err() != nil {
			return ""
		}
		if found, _ := classOf(h, candidates); found == class {
			return "apart"
		}
		return ""
	}, history.Limits{Calls: shrinking})
	d := &Distinction{Events: h.Events, Groups: make([]Group, groupsOf(class))}
	for i, names := range candidates {
		g := &d.Groups[class[i]]
		if g.Candidates == nil {
			g.Answers = answersOf(h, names)
		}
		g.Candidates = append(g.Candidates, names)
	}
	state, err := fsm.New(rules)
	if err != nil {
		panic("diagnose: " + err.Error()) // the models have the same rules
	}
	machine := fsm.NewMachine(state)
	for _, e := range h.Events {
		d.Required = append(d.Required, machine.Apply(e).Answer.AppendJSON(nil))
	}
	return d
}
