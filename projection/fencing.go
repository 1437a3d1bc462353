package projection

import (
	"slices"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
)

// Standing is what a token was worth when a write came with it.
type Standing uint8

// The standings.
const (
	// InForce: the token is that of a lease in force.
	InForce Standing = iota
	// Over: its lease has ended.
	Over
	// NeverGranted: nobody has had it yet.
	NeverGranted
)

// String is the standing in words.
func (s Standing) String() string {
	return [...]string{"lease in force", "lease over", "never granted", ""}[s&3]
}

// FencedWrite is a write that tested the fence (R6): any but those that a
// holder made and the store took. A late write that is accepted is no fault of
// the store: nobody had written with a newer token yet.
type FencedWrite struct {
	Write
	Standing Standing
	// Mark is the highest token that the store had accepted before, 0 if none.
	Mark int64
	// Lease is the one that the token belonged to. If it is over, How and Ended
	// say since when and why.
	Lease Lease
	// LeaseKnown is false if nobody had the token, or if its lease was over
	// before the projection began or is no longer remembered.
	LeaseKnown bool
	// Holders are those who held the lock, by token; of more than 16 the first
	// ones. Held is how many there were.
	Holders []events.Holder
	Held    int
}

// shownHolders bounds FencedWrite.Holders.
const shownHolders = 16

// FencingCounts are how often writes came with which token, and what the store
// did with them.
type FencingCounts struct {
	InForce, Over, NeverGranted Answered
}

// Answered counts writes by what the store did with them.
type Answered struct{ Accepted, Refused uint64 }

func (a *Answered) count(taken bool) {
	if taken {
		a.Accepted++
	} else {
		a.Refused++
	}
}

// FencingOptions say what Fencing covers. The zero value is good for most uses.
type FencingOptions struct {
	// Locks, if any, are the only ones that are followed.
	Locks []string
	// Remember is how many leases that are over are kept for each lock, those
	// with the highest tokens, to tell whose a late token was. The default is
	// 64; below 0 there is no bound, and memory grows with the history.
	Remember int
	// Write, if not nil, takes each write that tested the fence, when it comes.
	Write func(FencedWrite)
}

// Fencing finds the writes that tested the fence. Writes that never came to the
// store, because they were malformed or their clock had gone back, are none.
type Fencing struct {
	open     *open[fence]
	filter   *filter
	remember int
	pass     func(FencedWrite)
	counts   FencingCounts
}

// fence is what the store and the counter of grants know of a lock.
type fence struct {
	counter int64 // tokens issued (R5)
	mark    int64
	over    []*Lease // by token
}

// NewFencing begins at a state. What it says of tokens that were issued before
// is exact, but it does not know whose they were unless they are in force.
func NewFencing(state fsm.State, options FencingOptions) *Fencing {
	f := &Fencing{
		filter: newFilter(Filter{Locks: options.Locks}), remember: options.Remember, pass: options.Write,
	}
	if f.remember == 0 {
		f.remember = 64
	}
	f.open = openAt(state, f.filter, func(l *lock[fence], row *fsm.LockRow) {
		l.own.counter, l.own.mark = row.Counter, row.Mark
	})
	return f
}

// Apply implements Projection. O(1) an effect, and O(holders) for the end of a
// shared lease.
func (f *Fencing) Apply(s *Step) {
	f.open.next(s)
	for i := range s.Result.Effects {
		e := &s.Result.Effects[i]
		if !f.filter.lock(e.Lock) {
			continue
		}
		switch at := momentOf(e, i); e.Kind {
		case events.EffectGranted:
			l, _, _ := f.open.granted(e, at)
			l.own.counter = e.Token
		case events.EffectQueued:
			f.open.queued(e, at)
		case events.EffectWithdrawn:
			f.open.withdrawn(e, at)
		case events.EffectRenewed:
			f.open.renewed(e)
		case events.EffectReleased, events.EffectExpired:
			f.keep(f.open.ended(e, at))
		case events.EffectWritten, events.EffectRefused:
			w, ok := writeOf(e, at)
			if ok && (w.Refusal == events.NotRefused || w.Refusal == events.StaleToken) {
				f.write(w)
			}
		}
	}
}

// keep remembers a lease that is over.
func (f *Fencing) keep(l *lock[fence], ended *Lease) {
	i, _ := findLease(l.own.over, ended.Token)
	l.own.over = slices.Insert(l.own.over, i, ended)
	if f.remember > 0 && len(l.own.over) > f.remember {
		l.own.over = slices.Delete(l.own.over, 0, 1)
	}
}

func (f *Fencing) write(w Write) {
	l := f.open.lock(w.Lock)
	row := FencedWrite{Write: w, Mark: l.own.mark}
	taken := w.Refusal == events.NotRefused
	if taken {
		l.own.mark = w.Token
	}
	i, inForce := l.find(w.Token)
	switch {
	case inForce:
		f.counts.InForce.count(taken)
		row.Holder, row.Lease, row.LeaseKnown = l.leases[i].Client, *l.leases[i], true
	case w.Token > l.own.counter:
		f.counts.NeverGranted.count(taken)
		row.Standing = NeverGranted
	default:
		f.counts.Over.count(taken)
		row.Standing = Over
		if i, ok := findLease(l.own.over, w.Token); ok {
			row.Lease, row.LeaseKnown = *l.own.over[i], true
		}
	}
	if f.pass == nil || inForce && taken {
		return
	}
	row.Held = len(l.leases)
	for _, h := range l.leases[:min(row.Held, shownHolders)] {
		row.Holders = append(row.Holders, events.Holder{Client: h.Client, Mode: h.Mode, Token: h.Token, ExpiresAt: h.ExpiresAt})
	}
	f.pass(row)
}

// Counts returns how many writes there were so far, of each kind.
func (f *Fencing) Counts() FencingCounts { return f.counts }
