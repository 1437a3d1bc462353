package lab

import (
	"fmt"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/history"
	"github.com/leasekeeper/leasekeeper/internal/naive"
)

// Engine makes services that know the given rules, or one thing wrong about them.
// The function that it returns may be called often: every operation of the larger
// experiments is a short history for a fresh service.
type Engine func(events.Rules) (fresh func() history.Service, err error)

// Machine is the engine that leasekeeper answers with.
func Machine(rules events.Rules) (func() history.Service, error) {
	initial, err := fsm.New(rules)
	if err != nil {
		return nil, err
	}
	return func() history.Service { return fsm.NewMachine(initial) }, nil
}

// Deviating is an engine that gets one rule wrong: see naive.Deviations for the
// names.
func Deviating(name string) Engine {
	return func(rules events.Rules) (func() history.Service, error) {
		if _, err := naive.New(rules, name); err != nil {
			return nil, fmt.Errorf("lab: %w", err)
		}
		return func() history.Service {
			m, err := naive.New(rules, name)
			if err != nil {
				panic(err) // the same call has just worked
			}
			return m
		}, nil
	}
}
