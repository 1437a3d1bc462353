package coordinator

import (
	"strconv"

	"github.com/leasekeeper/leasekeeper/events"
)

// key is what the coordinator remembers of one key: a projection of the
// effects, kept so that a decision and a check cost one look-up. Like the
// lock's token counter it stays for ever, since tokens never start again (R5).
type key struct {
	name    string
	highest int64 // token granted so far
	waiting int   // requests in the queue
	last    epoch // the lease in force, or the one that was
	commit  *commit

	watchers []*watcher
	position int // in the schedule, from 1; 0 if not there
}

// epoch is one lease, from its grant to its end.
type epoch struct {
	phase   phase
	client  string
	id      string
	expires int64
	done    chan struct{} // made when somebody asks
}

type phase uint8

const (
	never phase = iota
	inForce
	expired
	released
)

// live tells whether there is a lease in force at an instant. k may be nil.
func (k *key) live(now int64) bool {
	return k != nil && k.last.phase == inForce && now < k.last.expires
}

// lapsed tells whether the key's last lease ended by its time, noticed or not.
func (k *key) lapsed(now int64) bool {
	return k.last.phase == expired || k.last.phase == inForce && now >= k.last.expires
}

// leaseID names a lease among those of its key. It is made of what the journal
// has, so it is good after a restart; and since no token comes twice, it is
// never that of a later lease.
func leaseID(client string, token int64) string {
	b := make([]byte, 0, 32)
	b = append(append(b, client...), '#')
	return string(strconv.AppendInt(b, token, 10))
}

// noticeEnd closes Done if the lease has ended, before anybody is told so.
func (k *key) noticeEnd(now int64) {
	if k.lapsed(now) {
		k.closeDone()
	}
}

// closeDone tells whoever asked for Done. It may be called more than once.
func (k *key) closeDone() {
	if k.last.done != nil {
		close(k.last.done)
		k.last.done = nil
	}
}

// key returns what is known of a key, and makes room for it. c.mu is held.
func (c *Coordinator) key(name string) *key {
	k := c.keys[name]
	if k == nil {
		k = &key{name: name}
		c.keys[name] = k
	}
	return k
}

// project brings what is remembered of a key up to date with an effect, and
// collects who has to be told. c.mu is held.
func (c *Coordinator) project(e *events.Effect) {
	if e.Kind == events.EffectRefused {
		return
	}
	k := c.key(e.Lock)
	kind := ChangeKind(0)
	switch e.Kind {
	case events.EffectGranted:
		kind = Granted
		k.highest = e.Token
		k.last = epoch{phase: inForce, client: e.Client, id: leaseID(e.Client, e.Token), expires: e.ExpiresAt}
		if e.Cause != events.CauseFree {
			k.waiting--
			c.handOver(k, e)
		}
	case events.EffectQueued:
		k.waiting++
	case events.EffectRenewed:
		kind = Renewed
		k.last.expires = e.ExpiresAt
	case events.EffectReleased:
		kind = Released
		c.end(k, released)
	case events.EffectExpired:
		kind = Expired
		c.end(k, expired)
	case events.EffectWithdrawn:
		k.waiting--
		delete(c.waiters, e.Client)
		c.pool.give(e.Client)
	}
	if kind != 0 && len(k.watchers) > 0 {
		c.news.changes = append(c.news.changes, changeOf(kind, k, e))
	}
	c.attend(k)
}

// end notes the end of a key's lease.
func (c *Coordinator) end(k *key, how phase) {
	k.last.phase = how
	k.closeDone()
	c.pool.give(k.last.client)
}

// handOver gives the waiter of a request its lease. It is told later, once that
// is durable. A request of an earlier process has no waiter.
func (c *Coordinator) handOver(k *key, e *events.Effect) {
	w := c.waiters[e.Client]
	if w == nil {
		return
	}
	delete(c.waiters, e.Client)
	w.lease = c.lease(k, w.terms, e.Instant)
	c.news.ready = append(c.news.ready, w)
}
