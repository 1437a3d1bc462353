//go:build race

package fsm

// underRace tells whether the race detector watches, which makes long tests
// ten times longer.
const underRace = true
