package coordinator

import (
	"context"
	"fmt"
	"time"

	"github.com/leasekeeper/leasekeeper/events"
)

// Grant takes a key, or fails at once with ErrLeaseHeld if somebody has it or
// stands in line for it. The lease ends at the instant at which Grant decides +
// timeout + margin. The timeout is more than 0, the margin at least 0, and
// together they are at most 24 hours (R2), or the error is ErrInvalidTimeout or
// ErrInvalidMargin; without a margin it is the default's. Other errors:
// ErrInvalidKey, ErrTokenSpaceExhausted, ErrClosed, ErrJournalShared.
//
// If ctx ends before the lease is durable, the error is ctx's own and no lease
// remains: one that had been decided already is released again, and has used up
// its token. An error of the journal is passed on; if it matches
// leasekeeper.ErrUndecided, the journal has to be opened again to know.
func (c *Coordinator) Grant(ctx context.Context, key string, timeout time.Duration, margins ...time.Duration) (*Lease, error) {
	t, err := c.terms(ctx, "grant", key, timeout, margins)
	if err != nil {
		return nil, err
	}
	lease, cm, refusal := c.grant(ctx, key, t)
	return c.deliver(ctx, lease, cm, refusal)
}

// Acquire is another name of Grant.
func (c *Coordinator) Acquire(ctx context.Context, key string, timeout time.Duration, margins ...time.Duration) (*Lease, error) {
	return c.Grant(ctx, key, timeout, margins...)
}

// deliver gives a new lease, or a refusal, to its caller once it is durable.
func (c *Coordinator) deliver(ctx context.Context, lease *Lease, cm *commit, refusal error) (*Lease, error) {
	if err := c.settle(ctx, cm); err != nil {
		if lease != nil {
			c.abandon(lease)
		}
		return nil, endedBy(ctx, err)
	}
	return lease, refusal
}

// abandon releases a lease that nobody will know of.
func (c *Coordinator) abandon(lease *Lease) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if k := c.keys[lease.Key]; c.stopped == nil && k.last.id == lease.ID && k.last.phase == inForce {
		_, cm, err := c.apply(context.Background(), events.Release{At: c.now(), Client: k.last.client, Lock: k.name})
		if err == nil && cm != nil {
			go c.settle(context.Background(), cm)
		}
	}
}

// grant decides.
func (c *Coordinator) grant(ctx context.Context, name string, t terms) (*Lease, *commit, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	k, now, cm, err := c.enter(ctx, name)
	if err != nil {
		return nil, nil, err
	}
	if why := unavailable(k, now); why != nil {
		cm, err = c.trace(ctx, cm, events.Inspect{At: now, Lock: name})
		if err != nil {
			return nil, nil, err
		}
		return nil, cm, refuse("grant", name, k, now, why)
	}
	client := c.pool.take()
	answer, cm, err := c.apply(ctx, acquire(now, client, name, t))
	if err != nil {
		c.pool.give(client)
		return nil, nil, err
	}
	if _, granted := answer.(events.Granted); !granted {
		panic(fmt.Sprintf("coordinator: a free key was not granted, but %T", answer))
	}
	return c.lease(c.keys[name], t, now), cm, nil
}

func acquire(now int64, client, name string, t terms) events.Acquire {
	return events.Acquire{At: now, Client: client, Lock: name, TTL: t.ticks(), Mode: events.Exclusive}
}

// unavailable is why a key cannot be had at once.
func unavailable(k *key, now int64) error {
	switch {
	case k.live(now):
		return ErrLeaseHeld
	case k != nil && uint64(k.highest) >= MaxToken:
		return ErrTokenSpaceExhausted
	}
	return nil
}

// enter reads the clock and finds a key, nil if it was never used. If a lease
// has ended and others wait for the key, the hand-over is carried out first;
// the commit is that of the event for it. c.mu is held.
func (c *Coordinator) enter(ctx context.Context, name string) (k *key, now int64, cm *commit, err error) {
	switch {
	case c.stopped != nil:
		return nil, 0, nil, c.stopped
	case c.closing:
		return nil, 0, nil, ErrClosed
	case ctx.Err() != nil:
		return nil, 0, nil, ctx.Err()
	}
	now = c.now()
	k = c.keys[name]
	if k == nil || k.live(now) {
		return k, now, nil, nil
	}
	if k.waiting > 0 {
		_, cm, err = c.apply(ctx, events.Inspect{At: now, Lock: name})
	}
	k.noticeEnd(now)
	return k, now, cm, err
}
