package leasekeeper

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/journal"
	"github.com/leasekeeper/leasekeeper/snapshot"
)

// snapshotTaker writes snapshots beside the running service, one at a time.
type snapshotTaker struct {
	keeper *Keeper
	ctx    context.Context // ends with the Keeper
	cancel context.CancelFunc
	events int64 // since the last snapshot that was begun
	bytes  int64
	busy   chan struct{} // holds a token while a snapshot is being written
}

func newSnapshotTaker(k *Keeper, from uint64) snapshotTaker {
	ctx, cancel := context.WithCancel(context.Background())
	return snapshotTaker{
		keeper: k, ctx: ctx, cancel: cancel, busy: make(chan struct{}, 1),
		events: int64(k.journal.Last() - from),
	}
}

// committed counts what has become durable and begins a snapshot if one is
// due and none is being written. Only the committer calls it.
func (t *snapshotTaker) committed(state fsm.State, events int, bytes int64) {
	t.events += int64(events)
	t.bytes += bytes
	o := &t.keeper.options
	due := o.SnapshotEvery > 0 && t.events >= o.SnapshotEvery || o.SnapshotBytes > 0 && t.bytes >= o.SnapshotBytes
	if !due {
		return
	}
	select {
	case t.busy <- struct{}{}:
	default:
		return
	}
	t.events, t.bytes = 0, 0
	go func() {
		defer func() { <-t.busy }()
		if err := t.keeper.writeSnapshot(t.ctx, state); err != nil && t.ctx.Err() == nil {
			o.Warn(err)
		}
	}()
}

// stop gives up a snapshot that is being written, waits until it is gone, and
// lets no other begin.
func (t *snapshotTaker) stop() {
	t.cancel()
	t.busy <- struct{}{}
}

// Snapshot writes a snapshot of the state after the last durable event, beside
// the running service, and returns when it is complete. It returns at once if
// there is one already. Of older snapshots all but the newest few are removed
// (Options.KeepSnapshots); a compacted journal also keeps its oldest.
func (k *Keeper) Snapshot(ctx context.Context) error {
	select {
	case <-k.closing:
		return ErrClosed
	default:
	}
	select {
	case k.taker.busy <- struct{}{}:
		defer func() { <-k.taker.busy }()
	case <-ctx.Done():
		return ctx.Err()
	case <-k.closing:
		return ErrClosed
	}
	err := k.writeSnapshot(ctx, k.State())
	if err != nil && k.taker.ctx.Err() != nil {
		return ErrClosed
	}
	return err
}

func (k *Keeper) writeSnapshot(ctx context.Context, state fsm.State) error {
	if state.Sequence() == 0 {
		return nil // the genesis is as good
	}
	w, err := k.journal.CreateSnapshot(state.Sequence(), state.Fingerprint())
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("leasekeeper: no snapshot at event %d: %w", state.Sequence(), err)
	}
	defer w.Close()
	if _, err := snapshot.Write(stopper{ctx, k.taker.ctx, w}, state); err != nil {
		return fmt.Errorf("leasekeeper: no snapshot at event %d: %w", state.Sequence(), err)
	}
	if err := w.Commit(); err != nil {
		return fmt.Errorf("leasekeeper: no snapshot at event %d: %w", state.Sequence(), err)
	}
	return k.prune()
}

// stopper makes writing fail once the caller's context, or the Keeper's, has
// ended.
type stopper struct {
	caller, keeper context.Context
	journal.SnapshotWriter
}

// Write implements io.Writer.
func (s stopper) Write(b []byte) (int, error) {
	if err := errors.Join(s.caller.Err(), s.keeper.Err()); err != nil {
		return 0, err
	}
	return s.SnapshotWriter.Write(b)
}

// prune removes all but the newest snapshots.
func (k *Keeper) prune() error {
	all, err := k.journal.Snapshots()
	if err != nil {
		return fmt.Errorf("leasekeeper: old snapshots stay: %w", err)
	}
	if k.journal.Genesis().Base.Sequence > 0 && len(all) > 0 {
		all = all[1:] // what a compacted journal begins with; without it the events after it are lost
	}
	for _, old := range all[:max(0, len(all)-k.options.KeepSnapshots)] {
		if err := k.journal.DeleteSnapshot(old.Sequence); err != nil {
			return fmt.Errorf("leasekeeper: old snapshots stay: %w", err)
		}
	}
	return nil
}
