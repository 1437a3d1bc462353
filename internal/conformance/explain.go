package conformance

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/history"
	"github.com/leasekeeper/leasekeeper/internal/diagnose"
	"github.com/leasekeeper/leasekeeper/internal/naive"
)

// Explanation is what can be said about a wrong answer.
type Explanation struct {
	// Rules are the numbers of the rules to read, in order: of those that the
	// candidates break or, if there is no candidate, of those by which the
	// required answer came about.
	Rules []string
	// Candidates are the named deviations, each alone or in a pair, that give to
	// every operation of the history exactly the answer that was given. It is
	// empty if none does.
	Candidates [][]naive.Deviation
}

// Explain looks for what a program does wrong that gives a wrong answer to a
// history. It is most telling about a short one, such as history.Shrink makes. It
// looks until the context is over. The error says that the rules do not exist.
func Explain(ctx context.Context, h history.History, v WrongAnswer) (Explanation, error) {
	answers := v.Answers
	if answers == nil { // too long to be kept: all before the wrong one were right
		h.Events = h.Events[:v.Sequence]
	}
	state, err := fsm.New(h.Rules)
	if err != nil {
		return Explanation{}, fmt.Errorf("conformance: %w", err)
	}
	machine := fsm.NewMachine(state)
	entries := make([]diagnose.Entry, len(h.Events))
	numbers := map[int]bool{}
	for i, event := range h.Events {
		result := machine.Apply(event)
		entries[i] = diagnose.Entry{Event: event}
		switch {
		case i < len(answers):
			entries[i].Recorded = answers[i]
		case i == v.Sequence-1:
			entries[i].Recorded = v.Given
		case answers == nil:
			entries[i].Recorded = result.Answer.AppendJSON(nil)
		}
		if i == v.Sequence-1 {
			numbers = decided(event, result)
		}
	}
	diagnosis, err := diagnose.Diagnose(ctx, h.Rules, entries, diagnose.Options{})
	if err != nil {
		return Explanation{}, fmt.Errorf("conformance: %w", err)
	}
	var explanation Explanation
	for _, candidate := range slices.Concat(diagnosis.Singles, diagnosis.Pairs) {
		explanation.Candidates = append(explanation.Candidates, candidate.Deviations)
	}
	if len(explanation.Candidates) > 0 {
		numbers = broken(explanation.Candidates)
	}
	explanation.Rules = inOrder(numbers)
	return explanation, nil
}

// broken are the rules that candidates break.
func broken(candidates [][]naive.Deviation) map[int]bool {
	numbers := map[int]bool{}
	for _, candidate := range candidates {
		for _, deviation := range candidate {
			if number, err := strconv.Atoi(deviation.Rule[1:]); err == nil {
				numbers[number] = true
			}
		}
	}
	return numbers
}

// inOrder spells rules, by number.
func inOrder(numbers map[int]bool) (rules []string) {
	for number := range 31 {
		if numbers[number] {
			rules = append(rules, "R"+strconv.Itoa(number))
		}
	}
	return rules
}

// What an answer is decided by: the kind of the operation, what happened because
// of it, why, and what it was refused for.
var (
	rulesOfEffect = map[events.EffectKind][]int{
		events.EffectGranted: {5}, events.EffectQueued: {4, 10}, events.EffectRenewed: {2},
		events.EffectReleased: {7}, events.EffectWithdrawn: {13}, events.EffectExpired: {1, 2},
		events.EffectAborted: {16, 18, 19}, events.EffectWritten: {6},
	}
	rulesOfGrant = map[events.Cause][]int{
		events.CauseFree: {10}, events.CauseExpiry: {3, 11}, events.CauseRelease: {3, 11},
		events.CauseWithdrawal: {11, 13}, events.CauseAbort: {11, 19},
	}
	rulesOfRefusal = map[events.Refusal][]int{
		events.UnknownOperation: {23, 29}, events.ClockWentBack: {26}, events.InvalidArguments: {23, 24, 25},
		events.InvalidTTL: {2, 23}, events.ClientBusy: {8, 14}, events.NotHolder: {2, 7}, events.StaleToken: {6},
	}
)

// decided are the rules by which an answer came about.
func decided(event events.Event, result events.Result) map[int]bool {
	numbers := map[int]bool{}
	add := func(rules []int) {
		for _, number := range rules {
			numbers[number] = true
		}
	}
	for _, effect := range result.Effects {
		add(rulesOfEffect[effect.Kind])
		add(rulesOfRefusal[effect.Refusal])
		if effect.Kind == events.EffectGranted {
			add(rulesOfGrant[effect.Cause])
		}
	}
	switch event.(type) {
	case events.Read:
		numbers[6] = true
	case events.Inspect:
		numbers[21] = true
	case events.Status:
		numbers[22] = true
	case events.Repeat:
		numbers[27] = true
	}
	switch result.Answer.(type) {
	case events.Deadlock:
		numbers[20] = true
	}
	return numbers
}
