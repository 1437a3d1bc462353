package diagnose

import "slices"

// near lists, for a deviation, others that beside it may show themselves where
// wants does not expect it.
var near = map[string][]string{
	// Ages decide who is served, not only who is aborted.
	"queue-by-age": {
		"age-at-grant", "age-at-refused-acquire", "age-by-first-mention", "age-by-head-count", "age-lost-when-idle",
		"age-of-every-acquire", "victim-returns-with-its-age", "victim-stays-registered",
	},
	// A renew looks at the head of the queue.
	"renew-refused-when-awaited": {"hand-over-passes-writer"},
	// An instant that has gone back is not refused, but still matters.
	"clock-goes-back": {"clock-clamped"},
	// A longer cycle is found, but nobody is aborted.
	"cycles-of-two-only": {"victim-off-the-cycle"},
}

// isNear tells whether what wants says of a deviation does not hold beside
// another one.
func isNear(with, deviation string) bool { return slices.Contains(near[with], deviation) }
