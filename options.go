package leasekeeper

import (
	"errors"
	"fmt"

	"github.com/leasekeeper/leasekeeper/events"
)

// Options says how a Keeper works. The zero value is good for most uses.
type Options struct {
	// Rules are pinned in a journal that is created; the default is
	// events.Current. An existing journal keeps its own; if Rules are given and
	// differ from them, opening fails.
	Rules events.Rules

	// SnapshotEvery is after how many events a snapshot is taken by itself.
	// The default is 1,000,000: replaying as many takes a second or two. A
	// negative number means never.
	SnapshotEvery int64

	// SnapshotBytes is after how many bytes of events and answers since the
	// opening, or since the last snapshot, one is taken by itself, however few
	// the events are. The default is 256 MiB; a negative number
	// means never.
	SnapshotBytes int64

	// KeepSnapshots is how many of the newest snapshots are kept; the default
	// is 2, so that one may turn out to be damaged.
	KeepSnapshots int

	// MaxBatch is at how many events a commit takes no further request. The
	// default is 4,096, past which commits hardly get cheaper. Many bytes of
	// events and answers (16 MiB) close it sooner.
	MaxBatch int

	// AllowMismatch makes opening go on where an event's recorded answer or
	// fingerprint differs from the derived one. The derived ones count. Each
	// difference is passed to Warn.
	AllowMismatch bool

	// Warn is told of faults that the Keeper can live with: a snapshot that
	// was skipped because it is damaged, one that could not be written. A disk
	// that is full is not among them, even if only a snapshot does not fit: its
	// pieces travel with the commits of events. Warn may be called from other
	// goroutines; it must return, and must not call the Keeper. The default
	// drops the faults.
	Warn func(error)
}

// ErrOptions is matched by the error for options that are out of range.
var ErrOptions = errors.New("leasekeeper: bad options")

// complete fills in the defaults and checks the rest.
func (o Options) complete() (Options, error) {
	if o.Rules != (events.Rules{}) {
		if err := o.Rules.Validate(); err != nil {
			return o, fmt.Errorf("%w: %w", ErrOptions, err)
		}
	}
	if o.KeepSnapshots < 0 || o.MaxBatch < 0 {
		return o, fmt.Errorf("%w: %d snapshots to keep, %d events a batch: neither may be negative", ErrOptions, o.KeepSnapshots, o.MaxBatch)
	}
	setDefault(&o.SnapshotEvery, 1_000_000)
	setDefault(&o.SnapshotBytes, 256<<20)
	setDefault(&o.KeepSnapshots, 2)
	setDefault(&o.MaxBatch, 4096)
	if o.Warn == nil {
		o.Warn = func(error) {}
	}
	return o, nil
}

func setDefault[T int | int64](at *T, value T) {
	if *at == 0 {
		*at = value
	}
}
