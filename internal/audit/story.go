package audit

import (
	"fmt"
	"strings"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/internal/visible"
)

// pair is a client at a lock: what it holds there, or waits for.
type pair struct{ lock, client string }

// story says of each event of the chain what it does, and what came of it up to
// the wrong answer.
type story struct {
	links []Link
	// begun are the links by which the present leases and requests began.
	begun map[pair]int
	own   map[uint64]bool // the sequences of the chain's events
}

func newStory(x *examination) *story {
	s := &story{begun: map[pair]int{}, own: map[uint64]bool{}}
	for _, i := range x.chain {
		s.own[x.base+uint64(i)+1] = true
	}
	return s
}

// take follows what becomes of the links, and adds one if the event is a link.
func (s *story) take(t *told, linked bool) {
	effects := t.result.Effects
	for i := range effects {
		s.follow(effects, i)
	}
	if !linked {
		return
	}
	l := Link{Sequence: t.result.Sequence, Event: t.entry.Event, Required: t.required}
	l.Why = sentence(t)
	s.links = append(s.links, l)
	for i := range effects {
		e := &effects[i]
		if e.Kind == events.EffectQueued || e.Kind == events.EffectGranted && e.Cause == events.CauseFree {
			s.begun[pair{e.Lock, e.Client}] = len(s.links) - 1
		}
	}
}

// follow adds to the link of a lease or a request what happened to it.
func (s *story) follow(effects []events.Effect, i int) {
	e := &effects[i]
	at := pair{e.Lock, e.Client}
	link, known := s.begun[at]
	if !known {
		return
	}
	add := func(format string, arguments ...any) {
		s.links[link].Why += "; " + fmt.Sprintf(format, arguments...)
	}
	switch e.Kind {
	case events.EffectGranted:
		if e.Cause != events.CauseFree {
			add("%s has it from %d on, with token %d until %d (R3)", visible.Name(e.Client), e.Instant, e.Token, e.ExpiresAt)
		}
	case events.EffectRenewed:
		if !s.own[e.Sequence] {
			add("#%d makes it last until %d (R2)", e.Sequence, e.ExpiresAt)
		}
	case events.EffectExpired:
		add("the lease ends at %d (R2)%s", e.Instant, passed(effects[i+1:], e))
		delete(s.begun, at)
	case events.EffectReleased:
		how := fmt.Sprintf("released by #%d (R7)", e.Sequence)
		if e.Cause == events.CauseAbort {
			how = fmt.Sprintf("ended at %d by the abort of %s in #%d (R19)", e.Instant, visible.Name(e.Client), e.Sequence)
		}
		add("%s%s", how, passed(effects[i+1:], e))
		delete(s.begun, at)
	case events.EffectWithdrawn:
		add("withdrawn by #%d", e.Sequence)
		delete(s.begun, at)
	}
}

// passed says to whom a lock passes when a lease has ended. Those who get it
// follow directly in the effects.
func passed(effects []events.Effect, ended *events.Effect) string {
	var to []string
	for i := range effects {
		e := &effects[i]
		if e.Kind != events.EffectGranted || e.Lock != ended.Lock || e.Instant != ended.Instant || len(to) == 3 {
			break
		}
		to = append(to, fmt.Sprintf("%s with token %d", visible.Name(e.Client), e.Token))
	}
	if len(to) == 0 {
		return ""
	}
	return " and the lock passes to " + strings.Join(to, ", to ") + " (R3)"
}

// finish returns the links.
func (s *story) finish() []Link { return s.links }
