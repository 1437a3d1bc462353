package campaign

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/history"
	"github.com/leasekeeper/leasekeeper/internal/conformance"
	"github.com/leasekeeper/leasekeeper/internal/naive"
)

// Program returns a function for Options.Open that tries a program.
func Program(target conformance.Target) func(context.Context) (Subject, error) {
	return func(ctx context.Context) (Subject, error) {
		session, err := conformance.Open(ctx, target)
		if err != nil {
			return nil, err // not a Subject that is nil inside
		}
		return session, nil
	}
}

// Model tries the slow and obvious model of the rules, with deviations
// planted in it: what a program that gets just these rules wrong would answer.
func Model(deviations ...string) func(context.Context) (Subject, error) {
	return func(context.Context) (Subject, error) {
		if _, err := naive.New(events.Current, deviations...); err != nil {
			return nil, err
		}
		return model{deviations}, nil
	}
}

type model struct{ deviations []string }

func (model) Close() {}

func (m model) Run(_ context.Context, h history.History) (conformance.Verdict, error) {
	required, err := machine(h.Rules)
	if err != nil {
		return nil, err
	}
	given, err := naive.New(h.Rules, m.deviations...)
	if err != nil {
		return nil, err
	}
	d, differs := history.Compare(h, required, given, history.Answers)
	if !differs {
		return conformance.Agrees{Answers: len(h.Events)}, nil
	}
	v := wrongAnswer(d)
	if given, err = naive.New(h.Rules, m.deviations...); err != nil {
		return nil, err
	}
	for _, e := range h.Events {
		v.Answers = append(v.Answers, given.Apply(e).Answer.AppendJSON(nil))
	}
	return v, nil
}

// Itself tries the state machine: it has to agree with the model of the rules in
// answers and in effects, and keep its invariants.
func Itself(context.Context) (Subject, error) { return itself{}, nil }

type itself struct{}

func (itself) Close() {}

func (itself) Run(_ context.Context, h history.History) (conformance.Verdict, error) {
	model, err := naive.New(h.Rules)
	if err != nil {
		return nil, err
	}
	m, err := machine(h.Rules)
	if err != nil {
		return nil, err
	}
	if d, differs := history.Compare(h, model, m, history.Effects); differs {
		return wrongAnswer(d), nil
	}
	if err := fsm.Check(m.State()); err != nil {
		return conformance.Crash{Answered: len(h.Events), Status: err.Error()}, nil
	}
	return conformance.Agrees{Answers: len(h.Events)}, nil
}

func machine(rules events.Rules) (*fsm.Machine, error) {
	s, err := fsm.New(rules)
	if err != nil {
		return nil, fmt.Errorf("campaign: %w", err)
	}
	return fsm.NewMachine(s), nil
}

// wrongAnswer puts a difference as what a program printed. Where the answers
// agree and the effects do not, these stand beside them.
func wrongAnswer(d history.Difference) conformance.WrongAnswer {
	v := conformance.WrongAnswer{
		Sequence:  d.Index + 1,
		Operation: events.AppendJSON(nil, d.Event),
		Required:  d.Required.Answer.AppendJSON(nil),
		Given:     d.Got.Answer.AppendJSON(nil),
	}
	if history.EqualAnswers(d.Required.Answer, d.Got.Answer) {
		v.Required, v.Given = withEffects(v.Required, d.Required.Effects), withEffects(v.Given, d.Got.Effects)
	}
	return v
}

func withEffects(answer json.RawMessage, effects []events.Effect) json.RawMessage {
	text := append([]byte(`{"answer":`), answer...)
	text = append(text, `,"effects":[`...)
	for i, e := range effects {
		if i > 0 {
			text = append(text, ',')
		}
		text = e.AppendJSON(text)
	}
	return append(text, "]}"...)
}
