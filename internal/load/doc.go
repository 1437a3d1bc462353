// Package load makes the histories that leasekeeper is measured with. Every
// load is decided by its parameters alone: the same call gives the same events
// on every machine.
//
// A load comes in two parts, so that a measurement can leave the first one out:
// Setup brings a service to the size at which it is measured, Stream is what is
// measured. Both are made in advance; a measurement pays for neither the random
// numbers nor the names. Every event has names of its own, as if it had been
// read from outside: a service that compares them with those it keeps has to
// fetch both.
package load

import "github.com/leasekeeper/leasekeeper/events"

// Rules is what every load is judged by: edition 3, in microseconds.
var Rules = events.Rules{Edition: events.Edition3, Unit: events.Microsecond}

// begin is the instant of every setup: some day in 2023.
const begin = int64(1_700_000_000) * int64(events.Microsecond)

// Load is a history in two parts.
type Load struct {
	Setup  []events.Event // brings the service to the size to be measured
	Stream []events.Event // is measured
}
