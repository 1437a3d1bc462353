package coordinator

import (
	"fmt"
	"time"

	"github.com/leasekeeper/leasekeeper"
)

// DefaultMargin is the margin of a lease where nobody names another one.
const DefaultMargin = time.Second

// Option says how a Coordinator works.
type Option func(*options) error

type options struct {
	clock  Clock
	margin time.Duration
	keeper *leasekeeper.Keeper
}

// WithClock sets the clock. The default counts monotonic time from the wall
// time at the start. A clock that can ring is an AlarmClock.
func WithClock(clock Clock) Option {
	return func(o *options) error {
		if clock == nil {
			return fmt.Errorf("%w: the clock is nil", ErrOptions)
		}
		o.clock = clock
		return nil
	}
}

// WithDefaultMargin sets the margin of leases that are asked for without one.
// It is from 0 to a day.
func WithDefaultMargin(margin time.Duration) Option {
	return func(o *options) error {
		if margin < 0 || margin >= longest {
			return fmt.Errorf("%w: a default of %v", ErrInvalidMargin, margin)
		}
		o.margin = margin
		return nil
	}
}

// WithJournal keeps every change in a Keeper's journal, which must count in
// nanoseconds by edition 3 of the rules. The default keeps them in memory only.
//
// The Keeper stays the caller's to close, after the Coordinator. Nobody else
// may write to it meanwhile: the coordinator notices that and stops with
// ErrJournalShared. Reading its past and taking snapshots is fine.
func WithJournal(keeper *leasekeeper.Keeper) Option {
	return func(o *options) error {
		if keeper == nil {
			return fmt.Errorf("%w: the journal is nil", ErrOptions)
		}
		if got := keeper.Rules(); got != rules {
			return fmt.Errorf("%w: the journal is of edition %d and counts in %vs; a coordinator needs edition %d and %vs",
				ErrOptions, got.Edition, got.Unit, rules.Edition, rules.Unit)
		}
		o.keeper = keeper
		return nil
	}
}
