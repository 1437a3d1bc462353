package leasekeeper

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/journal"
)

// Keeper is a durable service: a journal, the machine that derives its state,
// and snapshots that make opening it fast. Any number of goroutines may use
// it; their operations are applied one after another and committed in groups.
type Keeper struct {
	journal  journal.Journal
	options  Options
	rules    events.Rules
	requests chan *request
	durable  atomic.Pointer[fsm.State] // after the last durable event
	taker    snapshotTaker

	closing   chan struct{} // closed when no more requests are taken
	closeOnce sync.Once
	closeErr  error // of the journal, once finished is closed
	finished  chan struct{}
}

// Errors to match with errors.Is.
var (
	// ErrClosed: the Keeper was closed before the operation was taken.
	ErrClosed = errors.New("leasekeeper: the keeper is closed")
	// ErrFailed: a commit has failed, or an invariant was broken. The operation
	// was not carried out, and no other will be until the journal is opened
	// again.
	ErrFailed = errors.New("leasekeeper: the keeper has failed, open the journal again")
	// ErrUndecided: the caller stopped waiting, or the commit failed in a way
	// that leaves open what is on the disk. Whether the operation counts is
	// known once the commit has ended, or the journal has been opened again.
	ErrUndecided = errors.New("leasekeeper: it is not known whether the operation will count")
)

// Open opens a journal file for writing, or creates it with the options'
// Rules, and recovers its state: the newest good snapshot and the events
// after it. It fails with journal.ErrLocked if another process writes to it.
func Open(path string, options Options) (*Keeper, error) {
	options, err := options.complete()
	if err != nil {
		return nil, err
	}
	j, err := openOrCreate(path, options)
	if err != nil {
		return nil, err
	}
	k, err := Keep(j, options)
	if err != nil {
		return nil, errors.Join(err, j.Close())
	}
	return k, nil
}

// Keep is Open for a journal that is open already, such as a journal.Memory.
// The Keeper closes it; if Keep fails, the caller does.
func Keep(j journal.Journal, options Options) (*Keeper, error) {
	options, err := options.complete()
	if err != nil {
		return nil, err
	}
	state, from, err := recoverState(j, options)
	if err != nil {
		return nil, err
	}
	k := &Keeper{
		journal: j, options: options, rules: j.Genesis().Rules,
		requests: make(chan *request), closing: make(chan struct{}), finished: make(chan struct{}),
	}
	k.durable.Store(&state)
	k.taker = newSnapshotTaker(k, from)
	go k.serve(state)
	return k, nil
}

// Rules returns the edition and the clock unit that the journal pins.
func (k *Keeper) Rules() events.Rules { return k.rules }

// State returns the state after the last durable event, in O(1).
func (k *Keeper) State() fsm.State { return *k.durable.Load() }

// Head returns the hash over all durable records: who notes it elsewhere can
// prove later that the file is still the same.
func (k *Keeper) Head() journal.Head { return k.journal.Head() }

// Do carries out one operation and returns once its event is durable. An
// event that the rules refuse is journaled too, and answered with a refusal.
//
// If ctx ends before the operation is taken, nothing has happened and the
// error is ctx's; if it ends later, the error matches ErrUndecided as well. If
// the commit fails, the error matches ErrFailed if the operation certainly does
// not count, and ErrUndecided if it may. After that every call fails with
// ErrFailed until the journal is opened again. The result is the caller's to
// keep.
func (k *Keeper) Do(ctx context.Context, e events.Event) (events.Result, error) {
	r, err := newRequest(k.rules, e)
	if err != nil {
		return events.Result{}, err
	}
	if err := k.carryOut(ctx, r); err != nil {
		return events.Result{}, err
	}
	result := r.results[0]
	r.recycle()
	return result, nil
}

// DoJSON is Do for an operation's JSON text. Text that is no JSON is an error
// and is not journaled.
func (k *Keeper) DoJSON(ctx context.Context, text []byte) (events.Result, error) {
	e, err := k.rules.Parse(text)
	if err != nil {
		return events.Result{}, err
	}
	return k.Do(ctx, e)
}

// DoAll carries out operations one after another, none of another caller's
// between them, in one commit: all become durable or none.
func (k *Keeper) DoAll(ctx context.Context, list ...events.Event) ([]events.Result, error) {
	r, err := newRequest(k.rules, list...)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	if err := k.carryOut(ctx, r); err != nil {
		return nil, err
	}
	return r.results, nil
}

// carryOut hands a request over and waits until it is durable.
func (k *Keeper) carryOut(ctx context.Context, r *request) error {
	if err := k.take(ctx, r); err != nil {
		return err
	}
	return r.await(ctx)
}

// take hands a request over. What is taken first is applied first.
func (k *Keeper) take(ctx context.Context, r *request) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case <-k.closing:
		return ErrClosed
	default:
	}
	select {
	case k.requests <- r:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-k.closing:
		return ErrClosed
	}
}

// Close waits for the operations that were taken, stops a snapshot that is
// being written, and closes the journal. It may be called more than once.
func (k *Keeper) Close() error {
	k.closeOnce.Do(func() { close(k.closing) })
	<-k.finished
	return k.closeErr
}
