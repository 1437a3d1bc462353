package leasekeeper

import (
	"context"
	"fmt"

	"github.com/leasekeeper/leasekeeper/events"
)

// Pending is operations that a Keeper has taken and is about to make durable.
// One goroutine at a time may wait for them.
type Pending struct {
	request *request
	err     error
	known   bool // err is the outcome
}

// Begin hands operations over and does not wait until they are durable. They
// are carried out one after another, none of another caller's between them, in
// one commit, and after those of every Begin, Do and DoAll that has returned
// before. So a caller that must hand over in order can do so under a mutex of
// its own and still share a commit with others.
//
// If Begin fails, with ctx's error for instance, nothing has happened. If it
// does not, the operations will be carried out whether anybody waits or not.
func (k *Keeper) Begin(ctx context.Context, list ...events.Event) (*Pending, error) {
	r, err := newRequest(k.rules, list...)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return &Pending{request: r, known: true}, nil
	}
	if err := k.take(ctx, r); err != nil {
		return nil, err
	}
	return &Pending{request: r}, nil
}

// Wait returns the results, in the order of the operations, once they are
// durable. Its errors are those of Do; if it was ctx that ended, Wait may be
// called again. The results are the caller's to keep.
func (p *Pending) Wait(ctx context.Context) ([]events.Result, error) {
	if !p.known {
		known, err := p.request.outcomeBy(ctx)
		if !known {
			return nil, err
		}
		p.err, p.known = err, true
	}
	if p.err != nil {
		return nil, p.err
	}
	return p.request.results, nil
}

// await waits until a request that was taken is durable.
func (r *request) await(ctx context.Context) error {
	_, err := r.outcomeBy(ctx)
	return err
}

// outcomeBy waits for the outcome of a request that was taken. It is not known
// if ctx ends before.
func (r *request) outcomeBy(ctx context.Context) (known bool, err error) {
	select {
	case err := <-r.done:
		return true, err
	case <-ctx.Done():
	}
	select {
	case err := <-r.done: // both at once: then the outcome is known
		return true, err
	default:
		return false, fmt.Errorf("%w: %w", ErrUndecided, ctx.Err())
	}
}
