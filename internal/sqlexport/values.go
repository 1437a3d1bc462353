package sqlexport

import (
	"encoding/hex"
	"fmt"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/projection"
)

// text is a text, or NULL for none.
func text[T ~string](s T) any {
	if s == "" {
		return nil
	}
	return string(s)
}

// number is a number, or NULL for 0, which stands for none.
func number[T ~int64 | ~int | ~uint64](n T) any {
	if n == 0 {
		return nil
	}
	return int64(n)
}

// truth is 0 or 1.
func truth(b bool) any {
	if b {
		return int64(1)
	}
	return int64(0)
}

// mode is a mode, or NULL for none.
func mode(m events.Mode) any {
	if m == 0 {
		return nil
	}
	return m.String()
}

// raw is JSON text, or NULL for none.
func raw(json []byte) any {
	if json == nil {
		return nil
	}
	return string(json)
}

// digits are bytes in hexadecimal.
func digits(b []byte) string { return hex.EncodeToString(b) }

// perEvent is how many moments an event has room for.
const perEvent = 10_000_000

// moment is the place of an effect, from 0 within its event, in the history.
func moment(sequence uint64, effect int) int64 {
	return int64(sequence)*perEvent + int64(effect) + 1
}

// place are the instant, the event and the moment of something that happened,
// or NULL. What is Earlier has only its instant.
func place(m projection.Moment) (instant, sequence, at any) {
	switch {
	case !m.Happened():
		return nil, nil, nil
	case m.Earlier():
		return m.Instant, nil, nil
	}
	return m.Instant, int64(m.Sequence), moment(m.Sequence, m.Effect)
}

// roomFor refuses an event whose effects cannot be numbered.
func roomFor(r *events.Result) error {
	const lastEvent = 1<<63/perEvent - 2
	if len(r.Effects) >= perEvent || r.Sequence > lastEvent {
		return fmt.Errorf("sqlexport: event %d has %d effects; up to event %d, each can have fewer than %d",
			r.Sequence, len(r.Effects), uint64(lastEvent), perEvent)
	}
	return nil
}

// kind says what sort of answer an answer is.
func kind(answer events.Answer) string {
	if word, ok := events.Word(answer); ok {
		return word
	}
	switch a := answer.(type) {
	case events.Value:
		if a.Found {
			return "value"
		}
		return "null"
	case events.LockView, events.ClientView:
		return "view"
	case events.Tally:
		return "tally"
	}
	panic(fmt.Sprintf("sqlexport: an answer of type %T", answer))
}
