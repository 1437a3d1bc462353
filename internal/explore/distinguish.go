package explore

import (
	"context"
	"fmt"
	"runtime"
	"slices"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/history"
	"github.com/leasekeeper/leasekeeper/internal/naive"
)

// Shortest returns a shortest history that a model with deviations answers
// otherwise than the rules: see Distinguish.
func Shortest(ctx context.Context, rules events.Rules, deviations ...string) (history.History, bool, error) {
	return Distinguish(ctx, rules, nil, deviations, 0)
}

// Distinguish returns a shortest history of up to depth operations that two
// models with deviations answer differently, in its last operation; with a
// depth of 0 the bound is that of each alphabet. It is false if there is none.
//
// Histories are made from several alphabets of a few clients, locks, ttls and
// steps, and not of several alphabets at once. None that is shorter can be made
// of any of them; of those that are equally short it is the first. The error is
// about rules, deviations or depth, is that of ctx, or matches ErrStates.
func Distinguish(ctx context.Context, rules events.Rules, a, b []string, depth int) (history.History, bool, error) {
	if depth < 0 {
		return history.History{}, false, fmt.Errorf("explore: a depth of %d", depth)
	}
	var models [2]*naive.Model
	for i, deviations := range [][]string{a, b} {
		model, err := naive.New(rules, deviations...)
		if err != nil {
			return history.History{}, false, fmt.Errorf("explore: %w", err)
		}
		models[i] = model
	}
	var duels []*duel
	for _, alphabet := range alphabets(rules) {
		inOrder := alphabet.interchangeable && !ordersClients(slices.Concat(a, b))
		duels = append(duels, newDuel(rules, alphabet, pair{models: models}, inOrder))
	}
	for length := 1; len(duels) > 0 && (depth == 0 || length <= depth); length++ {
		for _, d := range duels {
			if length%max(d.alphabet.weight, 1) != 0 {
				continue
			}
			found, err := d.next(ctx)
			if found != nil || err != nil {
				return history.History{Rules: rules, Events: found}, found != nil, err
			}
		}
		duels = slices.DeleteFunc(duels, func(d *duel) bool { return !d.more || length >= d.alphabet.depth })
	}
	return history.History{Rules: rules}, false, nil
}

// ordersClients tells whether the order of the clients' names shows in what
// some deviations do. To all others names mean nothing.
func ordersClients(deviations []string) bool {
	return slices.ContainsFunc(deviations, func(d string) bool {
		return slices.Contains([]string{"victim-by-name", "victims-sorted", "inspect-holders-by-client", "names-fold-case"}, d)
	})
}

// pair is what two models have become by one history.
type pair struct {
	models [2]*naive.Model
	now    int64 // the instant of the last operation
	named  int   // how many clients were named, if they are named in order
}

// duel is the space of what two models make of histories. It finds wrong what
// they answer differently.
type duel struct {
	rules    events.Rules
	alphabet alphabet
	start    pair
	inOrder  bool // clients are named in order

	search *search[pair]
	more   bool // there are longer histories that could tell more

	workspace [2]naive.Workspace
	memory    memory
}

func newDuel(rules events.Rules, alphabet alphabet, start pair, inOrder bool) *duel {
	d := &duel{rules: rules, alphabet: alphabet, start: start, inOrder: inOrder, more: true}
	d.search = &search[pair]{
		newSpace: func() space[pair] {
			return &duel{rules: rules, alphabet: alphabet, start: start, inOrder: inOrder}
		},
		moves:   len(alphabet.letters) * len(alphabet.steps),
		workers: runtime.GOMAXPROCS(0), maxStates: DefaultMaxStates,
	}
	return d
}

// next looks at histories of one operation more, and returns the first that is
// answered differently, or nil.
func (d *duel) next(ctx context.Context) (list []events.Event, err error) {
	if d.more, err = d.search.level(ctx, true); err != nil || d.search.wrong.found == nil {
		return nil, err
	}
	now := int64(0)
	for _, move := range d.search.path(d.search.wrong.edge) {
		e, at := d.event(now, move)
		list, now = append(list, e), at
	}
	return list, nil
}

// event is an operation, and the instant at which it comes.
func (d *duel) event(now int64, move int) (events.Event, int64) {
	letters := len(d.alphabet.letters)
	at := now + d.alphabet.steps[move/letters]
	return d.alphabet.letters[move%letters].at(d.rules, at), at
}

func (d *duel) root() pair           { return d.start }
func (d *duel) settle(pair) *trouble { return nil }

func (d *duel) keyOf(p pair) key { return keyOf(d.memory.both(&p, d.inOrder)) }

func (d *duel) step(p pair, move int) pair {
	e, at := d.event(p.now, move)
	next := pair{now: at, named: d.named(p, move)}
	for i, model := range p.models {
		next.models[i] = model.Clone()
		next.models[i].Apply(e)
	}
	return next
}

// named is how many clients have been named after a move, if they are named in
// order.
func (d *duel) named(p pair, move int) int {
	if !d.inOrder {
		return 0
	}
	return max(p.named, d.alphabet.letters[move%len(d.alphabet.letters)].client+1)
}

func (d *duel) expand(p pair, found func(int, key)) (int, *trouble) {
	for move := range len(d.alphabet.letters) * len(d.alphabet.steps) {
		next := pair{named: d.named(p, move)}
		if next.named > p.named+1 {
			continue
		}
		var e events.Event
		e, next.now = d.event(p.now, move)
		var results [2]events.Result
		for i, model := range p.models {
			next.models[i] = d.workspace[i].Clone(model)
			results[i] = next.models[i].Apply(e)
		}
		if !history.EqualAnswers(results[0].Answer, results[1].Answer) {
			return move, &trouble{kind: Answers}
		}
		found(move, d.keyOf(next))
	}
	return 0, nil
}
