package history

import (
	"fmt"

	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/internal/naive"
)

// Check gives a history to the state machine and to the slow and obvious model
// of the rules, which is right by definition, and returns the first event
// whose answer or effects differ; differs is false if they agree throughout.
// The error says that the history's rules do not exist.
func Check(h History) (d Difference, differs bool, err error) {
	model, err := naive.New(h.Rules)
	if err != nil {
		return Difference{}, false, fmt.Errorf("history: %w", err)
	}
	state, err := fsm.New(h.Rules)
	if err != nil {
		return Difference{}, false, fmt.Errorf("history: %w", err)
	}
	d, differs = Compare(h, model, fsm.NewMachine(state), Effects)
	return d, differs, nil
}
