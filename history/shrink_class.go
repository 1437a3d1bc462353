package history

import (
	"fmt"
	"slices"

	"github.com/leasekeeper/leasekeeper/events"
)

// Class says in which way a history fails. It is "" for one that does not.
type Class string

// Start makes a fresh service under the rules given. It fails if it has none for
// these rules.
type Start func(events.Rules) (Service, error)

// Differs is a judge for Shrink that has one class: "differs", for every history
// to which the services give different answers. Required is the service that is
// right by definition. It suits a service that is known, or taken, to have one
// fault: that fault has one normal form then.
//
// A history whose rules a service does not start under does not fail.
func Differs(required, given Start) func(History) Class {
	return judgeBy(required, given, func(Difference) Class { return "differs" })
}

// DiffersAlike is a judge as Differs is, with a class for each way to differ:
// that of Difference.Class. It suits a service that may have several faults: a
// fault has a normal form for each way in which it shows, and shrinking a history
// that shows one fault does not end at another that shows in a different way.
func DiffersAlike(required, given Start) func(History) Class {
	return judgeBy(required, given, Difference.Class)
}

func judgeBy(required, given Start, class func(Difference) Class) func(History) Class {
	return func(h History) Class {
		right, err := required(h.Rules)
		if err != nil {
			return ""
		}
		other, err := given(h.Rules)
		if err != nil {
			return ""
		}
		if d, differs := Compare(h, right, other, Answers); differs {
			return class(d)
		}
		return ""
	}
}

// Class is the kind of operation, the kind of answer that is required and the
// kind that was given; of two answers of one kind, what differs in them. Names
// and numbers are no part of it. Examples:
//
//	renew: error: not holder, not renewed
//	acquire: granted with another token
func (d Difference) Class() Class {
	want, have := answerKind(d.Required.Answer), answerKind(d.Got.Answer)
	if want != have {
		return Class(fmt.Sprintf("%s: %s, not %s", d.Event.Operation(), want, have))
	}
	return Class(fmt.Sprintf("%s: %s with another %s", d.Event.Operation(), want, differingPart(d.Required.Answer, d.Got.Answer)))
}

func answerKind(a events.Answer) string {
	if word, ok := events.Word(a); ok {
		return word
	}
	switch a := a.(type) {
	case nil:
		return "no answer"
	case events.Value:
		if !a.Found {
			return "null"
		}
		return "value"
	case events.LockView:
		return "holders"
	case events.ClientView:
		return "status"
	case events.Tally:
		return "tally"
	}
	return fmt.Sprintf("%T", a)
}

// differingPart is the first part in which two answers of one kind differ.
func differingPart(a, b events.Answer) string {
	switch a := a.(type) {
	case events.Granted:
		b, _ := b.(events.Granted)
		switch {
		case a.Token != b.Token:
			return "token"
		case a.ExpiresAt != b.ExpiresAt:
			return "end"
		}
		return "list of victims"
	case events.Queued:
		if b, _ := b.(events.Queued); a.Position != b.Position {
			return "position"
		}
		return "list of victims"
	case events.Deadlock:
		return "list of victims"
	case events.Renewed:
		return "end"
	case events.Tally:
		return "count"
	}
	return differingView(a, b)
}

func differingView(a, b events.Answer) string {
	switch a := a.(type) {
	case events.LockView:
		if b, _ := b.(events.LockView); !slices.Equal(a.Holders, b.Holders) {
			return "list of holders"
		}
		return "queue"
	case events.ClientView:
		b, _ := b.(events.ClientView)
		switch {
		case a.Age != b.Age:
			return "age"
		case !slices.Equal(a.Holds, b.Holds):
			return "list of leases"
		}
		return "lock awaited"
	}
	return "text"
}
