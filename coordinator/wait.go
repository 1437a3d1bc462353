package coordinator

import (
	"context"
	"time"

	"github.com/leasekeeper/leasekeeper/events"
)

// waiter is a goroutine that waits for a key.
type waiter struct {
	key    string
	client string
	terms  terms
	lease  *Lease        // once it has been decided
	ready  chan struct{} // closed once that is durable
}

// Wait takes a key as Grant does, and if it is not free stands in line for it:
// first come, first served (R4). A lease begins when the one before it ends, to
// the nanosecond (R3). If it should have ended before Wait could return it,
// because the process stood still for that long, Wait stands in line again.
//
// If ctx ends first, the request is withdrawn, or the lease that it has become
// at that moment released: nothing stays behind. The error is an *Error with the
// key around ctx's, so errors.Is(err, context.DeadlineExceeded) holds where it
// is that. The other errors are those of Grant without ErrLeaseHeld.
func (c *Coordinator) Wait(ctx context.Context, key string, timeout time.Duration, margins ...time.Duration) (*Lease, error) {
	t, err := c.terms(ctx, "wait", key, timeout, margins)
	if err != nil {
		return nil, waitEnded(ctx, key, err)
	}
	for {
		lease, err := c.waitOnce(ctx, key, t)
		if err != nil {
			return nil, waitEnded(ctx, key, err)
		}
		if c.inForce(lease) {
			return lease, nil
		}
	}
}

// waitEnded says which key was waited for, if it is ctx's own error that ended
// the wait.
func waitEnded(ctx context.Context, key string, err error) error {
	if ended := ctx.Err(); ended != nil && err == ended {
		return &Error{Op: "wait", Key: key, Err: err}
	}
	return err
}

// waitOnce waits for one lease.
func (c *Coordinator) waitOnce(ctx context.Context, name string, t terms) (*Lease, error) {
	w, cm, refusal := c.request(ctx, name, t)
	if err := c.settle(ctx, cm); err != nil {
		if w != nil {
			c.giveUp(w)
		}
		return nil, endedBy(ctx, err)
	}
	if refusal != nil {
		return nil, refusal
	}
	select {
	case <-w.ready:
		return w.lease, nil
	case <-ctx.Done():
		c.giveUp(w)
		return nil, ctx.Err()
	case <-c.stopping:
	}
	select {
	case <-w.ready: // both at once: the lease is good
		return w.lease, nil
	default:
		return nil, c.Err()
	}
}

// request decides: the waiter has its lease, or stands in the queue.
func (c *Coordinator) request(ctx context.Context, name string, t terms) (*waiter, *commit, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	k, now, cm, err := c.enter(ctx, name)
	if err != nil {
		return nil, nil, err
	}
	if k != nil && uint64(k.highest)+uint64(k.waiting) >= MaxToken {
		cm, err = c.trace(ctx, cm, events.Inspect{At: now, Lock: name})
		if err != nil {
			return nil, nil, err
		}
		return nil, cm, refuse("wait", name, k, now, ErrTokenSpaceExhausted)
	}
	w := &waiter{key: name, client: c.pool.take(), terms: t, ready: make(chan struct{})}
	c.waiters[w.client] = w
	answer, cm, err := c.apply(ctx, acquire(now, w.client, name, t))
	if err != nil {
		delete(c.waiters, w.client)
		c.pool.give(w.client)
		return nil, nil, err
	}
	if _, granted := answer.(events.Granted); granted {
		delete(c.waiters, w.client)
		w.lease = c.lease(c.keys[name], t, now)
		close(w.ready) // its commit is waited for anyway
	}
	return w, cm, nil
}

// giveUp takes a request back, or the lease that it has become.
func (c *Coordinator) giveUp(w *waiter) {
	c.mu.Lock()
	if w.lease != nil || c.stopped != nil {
		lease := w.lease
		c.mu.Unlock()
		if lease != nil {
			c.abandon(lease)
		}
		return
	}
	cm, err := c.withdraw([]events.Release{{Client: w.client, Lock: w.key}})
	c.mu.Unlock()
	if err == nil && cm != nil {
		go c.settle(context.Background(), cm)
	}
}

// inForce tells whether a lease is still the key's.
func (c *Coordinator) inForce(lease *Lease) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	k := c.keys[lease.Key]
	return k.last.id == lease.ID && k.live(c.now())
}
