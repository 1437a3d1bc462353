package draw

import (
	"fmt"

	"github.com/leasekeeper/leasekeeper/events"
)

// tracks are the tracks of a lock.
type tracks struct {
	lock   string
	number int // of the lock, in the order in which they are first shown
	leases group
	waits  group
	events int // 0: none yet
}

// group is tracks for slices that may overlap. Slices come in the order in which
// they end.
type group struct {
	kind string
	sort int
	tids []int
	ends []uint64 // of the last slice of each
}

// tracksPerLock is how many places a lock has in the order of tracks.
const tracksPerLock = 1024

func (t *Trace) tracks(lock string) *tracks {
	k := t.locks[lock]
	if k == nil {
		k = &tracks{lock: lock, number: len(t.locks)}
		k.leases.kind, k.waits.kind, k.waits.sort = "", " waits", tracksPerLock/2
		t.locks[lock] = k
	}
	return k
}

// place gives a slice a track on which it overlaps no other: what ended there
// had done so before it began.
func (t *Trace) place(k *tracks, g *group, s slice) (tid int) {
	for i, end := range g.ends {
		if end <= s.from {
			g.ends[i] = s.to
			return g.tids[i]
		}
	}
	name := tooltipName(k.lock) + g.kind
	if n := len(g.tids); n > 0 {
		name += fmt.Sprintf(" (%d)", n+1)
	}
	tid = t.newTrack(k, name, g.sort+min(len(g.tids), tracksPerLock/2-2))
	g.tids, g.ends = append(g.tids, tid), append(g.ends, s.to)
	return tid
}

// eventTrack is the track of what happened at an instant.
func (t *Trace) eventTrack(k *tracks) int {
	if k.events == 0 {
		k.events = t.newTrack(k, tooltipName(k.lock)+" events", tracksPerLock-1)
	}
	return k.events
}

func (t *Trace) newTrack(k *tracks, name string, place int) (tid int) {
	t.head()
	t.nextTid++
	t.meta("thread_name", t.nextTid, map[string]any{"name": name}, false)
	t.meta("thread_sort_index", t.nextTid, map[string]any{"sort_index": min(k.number, 1<<20)*tracksPerLock + place}, false)
	return t.nextTid
}

// leaseKey tells leases apart.
type leaseKey struct {
	lock  string
	token int64
}

// source is a lease that ended and made way for others, and where the arrows to
// them begin.
type source struct {
	token  int64
	placed bool // it was drawn
	tid    int
	at     uint64
}

// passing knows which leases were handed over by which: for the leases in force,
// and for those that begin or end in the event at hand.
type passing struct {
	into map[leaseKey]*source // by the lease that began
	out  map[leaseKey]*source // by the lease that ended, in this event
	ids  uint64
}

func newPassing() passing {
	return passing{into: map[leaseKey]*source{}, out: map[leaseKey]*source{}}
}

func (p *passing) nextID() uint64 {
	p.ids++
	return p.ids
}

// look finds the hand-overs in the effects of an event. A lock that a lease's end
// makes free is granted at once, before anything else happens to it (R3); a
// request that is taken back may make way as well, and no arrow leads from it.
func (p *passing) look(effects []events.Effect) {
	var last map[string]*source
	for i := range effects {
		switch e := &effects[i]; e.Kind {
		case events.EffectExpired, events.EffectReleased:
			if last == nil {
				last = map[string]*source{}
			}
			from := &source{token: e.Token}
			last[e.Lock], p.out[leaseKey{e.Lock, e.Token}] = from, from
		case events.EffectWithdrawn:
			delete(last, e.Lock)
		case events.EffectGranted:
			if from := last[e.Lock]; from != nil && e.Cause != events.CauseFree {
				p.into[leaseKey{e.Lock, e.Token}] = from
			}
		}
	}
}

// forget lets go what no lease in force needs.
func (p *passing) forget(effects []events.Effect) {
	for i := range effects {
		if e := &effects[i]; e.Kind == events.EffectExpired || e.Kind == events.EffectReleased {
			delete(p.into, leaseKey{e.Lock, e.Token})
		}
	}
	clear(p.out)
}
