package transfer

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/journal"
)

// inTime sees to it that an operation does not lie before the clock (R26). One
// that does is let pass if the other service has refused it for that; it is
// clamped, if that is wanted; otherwise it is at fault.
func (i *Importer) inTime(e events.Event, item Item) (events.Event, journal.Mark, error) {
	at, moves, _ := i.rules.Admit(e)
	clock, started := i.machine.Clock()
	if !moves || !started || at >= clock {
		return e, 0, nil
	}
	if bytes.Equal(item.Recorded, events.ClockWentBack.AppendJSON(nil)) {
		return e, 0, nil
	}
	if !i.Clamp {
		return nil, 0, i.fault(item, fmt.Sprintf("the clock goes back from %d to %d (--clamp keeps it at %d)", clock, at, clock))
	}
	clamped, err := i.rules.Parse(withInstant(item.Operation, clock))
	if err != nil {
		return nil, 0, i.fault(item, err.Error())
	}
	return clamped, journal.Clamped, nil
}

// withInstant is the text of an operation that has an instant, with another
// one.
func withInstant(operation []byte, at int64) []byte {
	var elements []json.RawMessage
	if json.Unmarshal(operation, &elements) != nil || len(elements) < 2 {
		return operation
	}
	elements[1] = strconv.AppendInt(nil, at, 10)
	text := []byte{'['}
	for n, element := range elements {
		if n > 0 {
			text = append(text, ',')
		}
		text = append(text, element...)
	}
	return append(text, ']')
}
