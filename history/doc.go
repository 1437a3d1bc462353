// Package history makes histories of operations, judges them, and makes those
// that show a fault as small and as plain as can be.
//
// It serves whoever tests an implementation of the rules, this one or another:
// Generate draws a history from a seed, Compare finds the first answer in which
// two services part, and Shrink reduces the history to its normal form, so that
// one fault gives one story, whatever history it was found in.
package history
