package coordinator

import (
	"context"
	"fmt"
	"time"

	"github.com/leasekeeper/leasekeeper/events"
)

// Renew lets a lease end at the instant at which Renew decides + timeout +
// margin: margins do not add up, and the lease may become shorter. ID and Token
// stay. The rules for the arguments are those of Grant.
//
// A renewal that comes too late changes nothing. It fails with ErrLeaseExpired
// if the lease was the key's last one and reached its end, and with
// ErrLeaseNotFound if it was released, if the key has been granted since, if it
// had ended before this process began, or if there never was such a lease. The
// *Error then has the token of the lease in force, if there is one. If
// ctx ends before the renewal is durable, the error matches ctx's and
// leasekeeper.ErrUndecided.
func (c *Coordinator) Renew(ctx context.Context, key, leaseID string, timeout time.Duration, margins ...time.Duration) (*Lease, error) {
	t, err := c.terms(ctx, "renew", key, timeout, margins)
	if err != nil {
		return nil, err
	}
	lease, cm, refusal := c.renew(ctx, key, leaseID, t)
	if err := c.settle(ctx, cm); err != nil {
		return nil, err
	}
	return lease, refusal
}

// Extend is another name of Renew.
func (c *Coordinator) Extend(ctx context.Context, key, leaseID string, timeout time.Duration, margins ...time.Duration) (*Lease, error) {
	return c.Renew(ctx, key, leaseID, timeout, margins...)
}

// renew decides.
func (c *Coordinator) renew(ctx context.Context, name, id string, t terms) (*Lease, *commit, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	k, now, cm, err := c.enter(ctx, name)
	if err != nil {
		return nil, nil, err
	}
	late := func(client string) events.Event {
		return events.Renew{At: now, Client: client, Lock: name, TTL: t.ticks()}
	}
	if cm, why, err := c.missing(ctx, k, name, id, now, cm, late); err != nil {
		return nil, nil, err
	} else if why != nil {
		return nil, cm, refuse("renew", name, k, now, why)
	}
	answer, cm, err := c.apply(ctx, late(k.last.client))
	if err != nil {
		return nil, nil, err
	}
	if _, renewed := answer.(events.Renewed); !renewed {
		panic(fmt.Sprintf("coordinator: a lease in force was not renewed, but %T", answer))
	}
	return c.lease(k, t, now), cm, nil
}

// missing is why a lease is not in force, nil if it is. A holder that comes
// late leaves its refused event as a trace; an ID that means nothing leaves a
// look at the key, since its client may be another lease's by now. c.mu is held.
func (c *Coordinator) missing(ctx context.Context, k *key, name, id string, now int64, seen *commit, late func(client string) events.Event) (cm *commit, why, err error) {
	switch {
	case k == nil || k.last.phase == never || k.last.id != id || k.last.phase == released:
		cm, err = c.trace(ctx, seen, events.Inspect{At: now, Lock: name})
		return cm, ErrLeaseNotFound, err
	case k.lapsed(now):
		cm, err = c.trace(ctx, seen, late(k.last.client))
		return cm, ErrLeaseExpired, err
	}
	return seen, nil, nil
}

// Release ends a lease at once; its token is no good any more, and whoever
// waits gets the key. The errors are those of Renew.
func (c *Coordinator) Release(ctx context.Context, key, leaseID string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if !validKey(key) {
		return &Error{Op: "release", Key: key, Err: ErrInvalidKey}
	}
	cm, refusal := c.release(ctx, key, leaseID)
	if err := c.settle(ctx, cm); err != nil {
		return err
	}
	return refusal
}

// release decides.
func (c *Coordinator) release(ctx context.Context, name, id string) (*commit, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	k, now, cm, err := c.enter(ctx, name)
	if err != nil {
		return nil, err
	}
	end := func(client string) events.Event {
		return events.Release{At: now, Client: client, Lock: name}
	}
	if cm, why, err := c.missing(ctx, k, name, id, now, cm, end); err != nil {
		return nil, err
	} else if why != nil {
		return cm, refuse("release", name, k, now, why)
	}
	answer, cm, err := c.apply(ctx, end(k.last.client))
	if err != nil {
		return nil, err
	}
	if answer != events.Answer(events.Released) {
		panic(fmt.Sprintf("coordinator: a lease in force was not released, but %T", answer))
	}
	return cm, nil
}
