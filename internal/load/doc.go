// Package load makes the histories that leasekeeper is measured with. Every
// load is decided by its parameters alone: the same call gives the same events
// on every machine.
//
// Events come in two parts, so that a measurement can leave the first one out:
// Setup brings a service to the size at which it is measured, Stream is what is
// measured. Both are made in advance; a measurement pays for neither the random
// numbers nor the names. Names of one kind share one string, and every event
// about a client or lock shares its name.
package load
