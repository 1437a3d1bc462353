package audit

import (
	"fmt"
	"strings"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/internal/visible"
)

// longestAnswer is how many bytes of an answer a sentence quotes.
const longestAnswer = 200

// sentence says what an event of the chain does, by the rules. It is made when
// the event has just been applied.
func sentence(t *told) string {
	if refusal, ok := t.result.Answer.(events.Refusal); ok {
		return "is refused: " + strings.TrimPrefix(refusal.String(), "error: ") + refusedBy(t)
	}
	switch e := t.entry.Event.(type) {
	case events.Acquire:
		return acquired(e, t.result.Answer)
	case events.Renew:
		answer := t.result.Answer.(events.Renewed)
		return fmt.Sprintf("makes the lease of %s on %s last until %d (R2)", visible.Name(e.Client), visible.Name(e.Lock), answer.ExpiresAt)
	case events.Release:
		return released(e, t)
	case events.Write:
		return fmt.Sprintf("is accepted, and the high-water mark of %s is %d (R6)", visible.Name(e.Lock), e.Token)
	case events.Read:
		return "gives " + shortened(t.required) + " (R6)"
	case events.Repeat:
		return "gives " + shortened(t.required) + " (R27)"
	}
	return fmt.Sprintf("%sgives %s", moved(t), shortened(t.required))
}

func moved(t *told) string {
	ts, started := t.machine.Clock()
	if !started {
		return ""
	}
	return fmt.Sprintf("moves the clock to %d (R1), and ", ts)
}

func shortened(text []byte) string {
	cut, whole := visible.Cut(string(text), longestAnswer)
	if !whole {
		return fmt.Sprintf("%s… (%d bytes)", visible.Text(cut), len(text))
	}
	return visible.Text(cut)
}

func acquired(e events.Acquire, answer events.Answer) string {
	client, lock := visible.Name(e.Client), visible.Name(e.Lock)
	switch a := answer.(type) {
	case events.Granted:
		return fmt.Sprintf("grants %s the lock %s, with token %d until %d (R2, R5)%s", client, lock, a.Token, a.ExpiresAt, victims(a.Victims))
	case events.Queued:
		return fmt.Sprintf("puts %s into the queue of %s, at position %d (R4)%s", client, lock, a.Position, victims(a.Victims))
	case events.Deadlock:
		return fmt.Sprintf("closes a cycle, and %s is aborted%s", client, victims(a.Victims))
	}
	return ""
}

func victims(list []string) string {
	if len(list) == 0 {
		return ""
	}
	names := make([]string, 0, 4)
	for i, name := range list {
		if i == 3 {
			names = append(names, fmt.Sprintf("%d more", len(list)-i))
			break
		}
		names = append(names, visible.Name(name))
	}
	return "; to break the deadlock, it aborts " + strings.Join(names, ", ") + " (R18)"
}

func released(e events.Release, t *told) string {
	client, lock := visible.Name(e.Client), visible.Name(e.Lock)
	effects := t.result.Effects
	for i := range effects {
		if effects[i].Kind == events.EffectReleased && effects[i].Client == e.Client && effects[i].Lock == e.Lock {
			return fmt.Sprintf("ends the lease of %s on %s (R7)%s", client, lock, passed(effects[i+1:], &effects[i]))
		}
	}
	return fmt.Sprintf("takes the request of %s for %s back (R13)", client, lock)
}

// refusedBy is the rule of a refusal that a state decides.
func refusedBy(t *told) string {
	switch t.result.Answer {
	case events.NotHolder:
		if _, renews := t.entry.Event.(events.Renew); renews {
			return " (R2)"
		}
		return " (R7)"
	case events.StaleToken:
		e := t.entry.Event.(events.Write)
		return fmt.Sprintf(", since the high-water mark of %s is %d (R6)", visible.Name(e.Lock), t.machine.State().Mark(e.Lock))
	case events.ClockWentBack:
		at, _ := t.machine.Clock()
		return fmt.Sprintf(", since the clock stands at %d (R26)", at)
	case events.ClientBusy:
		return " (R8, R14)"
	}
	return " (R23)"
}
