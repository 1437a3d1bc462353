//go:build !race

package fsm

// underRace tells whether the race detector watches.
const underRace = false
