package coordinator

import (
	"context"
	"iter"
	"slices"
	"sync"
	"time"

	"github.com/leasekeeper/leasekeeper/events"
)

// WatchBuffer is how many changes a watch keeps for a slow reader.
const WatchBuffer = 64

// Change is a thing that happened to a key.
type Change struct {
	Kind ChangeKind
	Key  string
	// ID, Token and Holder are those of the lease. Holder is the client of the
	// rules, under which the journal knows it.
	ID     string
	Token  uint64
	Holder string
	// Instant is when it happened (R3): of a lapse, the end of the lease, whenever
	// that was noticed. Of Held, it is when the watch began.
	Instant time.Time
	// ExpiresAt is when the lease ends; of Released, when it would have.
	ExpiresAt time.Time
	// Sequence is the number of the journal's event that brought it to light; of
	// Held, of the last event before the watch.
	Sequence uint64
	// Missed is how many changes right before this one were dropped because the
	// reader was too slow.
	Missed uint64
}

// ChangeKind says what happened.
type ChangeKind uint8

// The kinds of changes.
const (
	Held     ChangeKind = iota + 1 // the lease in force when the watch began
	Granted                        // a lease began
	Renewed                        // it has a new end
	Released                       // it was ended before its end
	Expired                        // it reached its end
)

// String is the kind in one lower-case word, "" for values that are none.
func (k ChangeKind) String() string {
	names := [...]string{"", "held", "granted", "renewed", "released", "expired"}
	if int(k) < len(names) {
		return names[k]
	}
	return ""
}

// changeOf makes a change of an effect on a key.
func changeOf(kind ChangeKind, k *key, e *events.Effect) Change {
	return Change{
		Kind: kind, Key: k.name, ID: k.last.id, Token: uint64(e.Token), Holder: e.Client,
		Instant: instant(e.Instant), ExpiresAt: instant(e.ExpiresAt), Sequence: e.Sequence,
	}
}

// Watch yields what happens to a key from when the iteration begins, in order
// and once it is durable. If the key is held at that time, the first change is
// Held; so there is no gap between looking and watching. It ends when the loop
// does, when ctx ends, or when the coordinator stops (see Err). A key that is
// not valid yields nothing.
//
// A reader that is slow holds up nobody: at most WatchBuffer changes are kept
// for it, the oldest are dropped, and the next one tells how many.
func (c *Coordinator) Watch(ctx context.Context, key string) iter.Seq[Change] {
	return func(yield func(Change) bool) {
		if ctx.Err() != nil || !validKey(key) {
			return
		}
		w, on := c.subscribe(key)
		if w == nil {
			return
		}
		defer c.unsubscribe(key, w)
		if on != nil {
			select {
			case <-on.told:
			case <-ctx.Done():
				return
			case <-c.stopping:
				return
			}
		}
		for {
			change, ok := w.next(ctx, c.stopping)
			if !ok || !yield(change) {
				return
			}
		}
	}
}

// subscribe adds a watcher. Its first change must not be told before the
// commit, if there is one, is.
func (c *Coordinator) subscribe(name string) (*watcher, *commit) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stopped != nil || c.closing {
		return nil, nil
	}
	k := c.key(name)
	w := &watcher{after: c.machine.Sequence(), woken: make(chan struct{}, 1)}
	if k.last.phase == inForce {
		w.put(Change{
			Kind: Held, Key: name, ID: k.last.id, Token: uint64(k.highest), Holder: k.last.client,
			Instant: instant(c.now()), ExpiresAt: instant(k.last.expires), Sequence: w.after,
		})
	}
	k.watchers = append(k.watchers, w)
	c.attend(k)
	c.setAlarm()
	return w, c.onItsWay(k)
}

func (c *Coordinator) unsubscribe(name string, w *watcher) {
	c.mu.Lock()
	defer c.mu.Unlock()
	k := c.keys[name]
	k.watchers = slices.DeleteFunc(k.watchers, func(other *watcher) bool { return other == w })
	c.attend(k)
	c.setAlarm()
	if k.last.phase == never && k.highest == 0 && len(k.watchers) == 0 {
		delete(c.keys, name) // only looked at
	}
}

// watcher is one watch's buffer.
type watcher struct {
	after uint64 // the last event that it knows of from its beginning
	woken chan struct{}

	mu     sync.Mutex
	buffer []Change
}

// put adds a change and never blocks.
func (w *watcher) put(change Change) {
	if change.Kind != Held && change.Sequence <= w.after {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.buffer = append(w.buffer, change)
	if len(w.buffer) > WatchBuffer {
		w.buffer[1].Missed += w.buffer[0].Missed + 1
		w.buffer = slices.Delete(w.buffer, 0, 1)
	}
	select {
	case w.woken <- struct{}{}:
	default:
	}
}

// next waits for the next change. What is buffered when the coordinator stops
// is still given.
func (w *watcher) next(ctx context.Context, stopping <-chan struct{}) (change Change, ok bool) {
	for stopped := false; ctx.Err() == nil; {
		if change, ok = w.pop(); ok || stopped {
			return change, ok
		}
		select {
		case <-w.woken:
		case <-ctx.Done():
		case <-stopping:
			stopped = true
		}
	}
	return Change{}, false
}

func (w *watcher) pop() (change Change, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.buffer) == 0 {
		return Change{}, false
	}
	change = w.buffer[0]
	w.buffer = slices.Delete(w.buffer, 0, 1)
	return change, true
}
