package history

import "github.com/leasekeeper/leasekeeper/events"

// History is a list of operations for a fresh service.
type History struct {
	Rules  events.Rules
	Events []events.Event
}

// Service is what can be judged: something that starts empty and handles one
// event after another. fsm.Machine is one.
type Service interface {
	// Apply handles the next event. What it returns is valid until the next
	// call.
	Apply(events.Event) events.Result
}
