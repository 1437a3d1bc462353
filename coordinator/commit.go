package coordinator

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/leasekeeper/leasekeeper"
	"github.com/leasekeeper/leasekeeper/events"
)

// news is what has to be told once an event is durable.
type news struct {
	changes []Change
	ready   []*waiter
}

// commit is an event on its way to the disk. Without a journal there are none:
// a nil commit has happened.
type commit struct {
	pending  *leasekeeper.Pending
	sequence uint64
	news     news
	told     chan struct{} // closed once it is durable and told
}

// apply hands an event over to the journal, decides it, and brings everything
// that is remembered up to date. If it fails, nothing has happened. c.mu is
// held, so that the journal and the machine see one order.
func (c *Coordinator) apply(ctx context.Context, e events.Event) (events.Answer, *commit, error) {
	var pending *leasekeeper.Pending
	if c.keeper != nil {
		var err error
		if pending, err = c.keeper.Begin(ctx, e); err != nil {
			if ctx.Err() != nil {
				return nil, nil, ctx.Err()
			}
			c.stop(fmt.Errorf("coordinator: %w", err))
			return nil, nil, c.stopped
		}
	}
	result := c.machine.Apply(e)
	for i := range result.Effects {
		c.project(&result.Effects[i])
	}
	c.setAlarm()
	if c.keeper == nil {
		c.tell(&c.news)
		c.news.changes, c.news.ready = c.news.changes[:0], c.news.ready[:0]
		return result.Answer, nil, nil
	}
	cm := &commit{pending: pending, sequence: result.Sequence, news: c.news, told: make(chan struct{})}
	c.news = news{}
	for i := range result.Effects {
		if k := c.keys[result.Effects[i].Lock]; k != nil {
			k.commit = cm
		}
	}
	c.untold = append(c.untold, cm)
	return result.Answer, cm, nil
}

// trace puts an event into the journal that shows why something was refused,
// unless an event of the same operation does already. c.mu is held.
func (c *Coordinator) trace(ctx context.Context, seen *commit, e events.Event) (*commit, error) {
	if c.keeper == nil || seen != nil {
		return seen, nil
	}
	_, cm, err := c.apply(ctx, e)
	return cm, err
}

// settle waits until a commit is durable and tells what it and those before it
// brought. Every commit is settled by somebody: if ctx ends before, a goroutine
// does it as soon as the Keeper answers. c.mu is not held.
func (c *Coordinator) settle(ctx context.Context, cm *commit) error {
	if cm == nil {
		return nil
	}
	results, err := cm.pending.Wait(ctx)
	if err != nil && ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		go c.settle(context.WithoutCancel(ctx), cm)
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case err != nil:
		c.stop(fmt.Errorf("coordinator: %w", err))
		return fmt.Errorf("coordinator: %w", err)
	case results[0].Sequence != cm.sequence:
		c.stop(fmt.Errorf("%w: event %d was to be number %d", ErrJournalShared, results[0].Sequence, cm.sequence))
		return c.stopped
	}
	for len(c.untold) > 0 && c.untold[0].sequence <= cm.sequence {
		c.tell(&c.untold[0].news)
		close(c.untold[0].told)
		c.untold[0] = nil
		c.untold = c.untold[1:]
	}
	return nil
}

// onItsWay is the commit of a key's last change, nil if that has been told.
// c.mu is held.
func (c *Coordinator) onItsWay(k *key) *commit {
	if k.commit != nil && len(c.untold) > 0 && k.commit.sequence >= c.untold[0].sequence {
		return k.commit
	}
	k.commit = nil
	return nil
}

// endedBy is ctx's own error if that is why a commit was not waited for. It is
// for callers who take back what they have asked for, so that nothing is left
// undecided.
func endedBy(ctx context.Context, err error) error {
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return ctx.Err()
	}
	return err
}

// tell wakes waiters and passes changes on to watchers. It blocks on nobody.
// c.mu is held.
func (c *Coordinator) tell(n *news) {
	for _, w := range n.ready {
		close(w.ready)
	}
	for _, change := range n.changes {
		for _, w := range c.keys[change.Key].watchers {
			w.put(change)
		}
	}
}

// stop ends the coordinator: whatever comes later fails with err. c.mu is held.
func (c *Coordinator) stop(err error) {
	if c.stopped != nil {
		return
	}
	c.stopped = err
	close(c.stopping)
	for _, k := range slices.Clone(c.schedule) {
		k.closeDone()
		c.attend(k)
	}
	c.setAlarm()
}

// Err is why the coordinator has stopped: ErrClosed, ErrJournalShared, or what
// the Keeper failed with. It is nil while it works.
func (c *Coordinator) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.stopped
}
