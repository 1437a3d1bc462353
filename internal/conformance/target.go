package conformance

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/leasekeeper/leasekeeper/events"
)

// Protocol is how operations and answers are exchanged with a program; the
// package comment describes both.
type Protocol uint8

// The protocols. Auto is for Target: find out.
const (
	Auto    Protocol = iota
	Process          // a process for each history
	Stream           // one process for all, a line for each operation
)

// Protocols are the names that ParseProtocol takes.
var Protocols = []string{"auto", "process", "stream"}

// String is the protocol in one lower-case word.
func (p Protocol) String() string { return Protocols[p] }

// ParseProtocol is the reverse of String.
func ParseProtocol(name string) (Protocol, error) {
	for i, known := range Protocols {
		if name == known {
			return Protocol(i), nil
		}
	}
	return 0, fmt.Errorf("conformance: there are the protocols %s", strings.Join(Protocols, ", "))
}

// DefaultTimeout is how long a program may take for a history.
const DefaultTimeout = 10 * time.Second

// Target is a program that is said to keep to the rules. It is not changed by
// what is done with it.
type Target struct {
	// Command is the program and its arguments. In these, {edition} becomes the
	// number of the edition that is in force, and {unit} the name of the clock
	// unit.
	Command []string
	// Environment is added to ours, as NAME=value.
	Environment []string
	// Directory is where the program runs, "" for the present one.
	Directory string
	Protocol  Protocol
	// Rules are those under which Detect tries the program, for one that does not
	// know all editions and units: events.Current if zero.
	Rules events.Rules
	// Timeout is how long a program may take for one history, and for its start
	// in the stream protocol: DefaultTimeout if 0.
	Timeout time.Duration
}

// Validate reports a target that cannot be run.
func (t Target) Validate() error {
	switch {
	case len(t.Command) == 0 || t.Command[0] == "":
		return errors.New("conformance: there is no command")
	case int(t.Protocol) >= len(Protocols):
		return fmt.Errorf("conformance: there is no protocol %d", t.Protocol)
	case t.Timeout < 0:
		return fmt.Errorf("conformance: a timeout of %v", t.Timeout)
	}
	return nil
}

func (t Target) timeout() time.Duration {
	if t.Timeout == 0 {
		return DefaultTimeout
	}
	return t.Timeout
}

// pinned tells whether the command says by which rules it answers.
func (t Target) pinned() bool {
	text := strings.Join(t.Command, " ")
	return strings.Contains(text, "{edition}") || strings.Contains(text, "{unit}")
}

// start starts the program for histories under the given rules.
func (t Target) start(rules events.Rules) (*child, error) {
	edition, unit := strconv.Itoa(int(rules.Edition)), rules.Unit.String()
	replace := strings.NewReplacer("{edition}", edition, "{unit}", unit)
	words := make([]string, len(t.Command))
	for i, word := range t.Command {
		words[i] = replace.Replace(word)
	}
	environment := append([]string{"LEASEKEEPER_EDITION=" + edition, "LEASEKEEPER_UNIT=" + unit}, t.Environment...)
	return start(words, environment, t.Directory)
}

// rules are those of Detect.
func (t Target) rules() events.Rules {
	if t.Rules == (events.Rules{}) {
		return events.Current
	}
	return t.Rules
}
