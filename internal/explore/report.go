package explore

import (
	"errors"
	"fmt"
	"strings"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/history"
)

// ErrStates is what the error matches when there are more states than were
// allowed.
var ErrStates = errors.New("explore: too many states")

// Level is what there is at one depth.
type Level struct {
	Depth  int
	States int64 // classes of states first reached by so many operations
	Edges  int64 // operations that were tried in them
	// Expanded is false for the last level of a bounded exploration: its
	// states were checked, and no operation was tried in them.
	Expanded bool
	Bytes    int64 // memory for all states so far
}

// Report is what an exploration found.
type Report struct {
	Scope  Scope
	Levels []Level // those that were finished
	States int64   // in all levels
	Edges  int64
	Depth  int // all histories of so many operations were covered
	// Complete tells that no state is left that has not been seen: then the
	// histories of any length were covered.
	Complete bool
	Bytes    int64 // memory for the states
	// Failure is the first thing found wrong, nil if there is none. No
	// history with fewer operations shows anything wrong.
	Failure *Failure
}

func newReport(scope Scope, levels []Level) Report {
	r := Report{Scope: scope, Levels: levels}
	for _, level := range levels {
		r.States += level.States
		r.Edges += level.Edges
		r.Bytes = level.Bytes
		if level.Expanded {
			r.Depth = level.Depth + 1
		}
	}
	return r
}

// Kind is what sort of thing is wrong.
type Kind uint8

// The kinds, from what a caller sees to what nobody sees.
const (
	Answers Kind = iota + 1 // fsm and naive answer differently
	Effects                 // their answers agree, their effects do not
	States                  // their results agree, their states do not
	Laws                    // fsm breaks a law or an invariant
)

var kindNames = [...]string{Answers: "answers", Effects: "effects", States: "states", Laws: "laws"}

// String is the kind in one word.
func (k Kind) String() string { return kindNames[k] }

// Failure is a shortest history after which something is wrong.
type Failure struct {
	History history.History
	Kind    Kind
	// Required and Got say in what the last operation's outcomes differ:
	// what naive says, or what the law is, and what fsm does.
	Required, Got string
}

// String is the failure in a few lines.
func (f *Failure) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s after %d operations\n", f.Kind, len(f.History.Events))
	for _, e := range f.History.Events {
		fmt.Fprintf(&b, "  %s\n", events.AppendJSON(nil, e))
	}
	fmt.Fprintf(&b, "required: %s\ngot:      %s", f.Required, f.Got)
	return b.String()
}
