package leasekeeper

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/journal"
)

// request is what one caller wants done. Most want one event, so there is room
// for one without further allocation, and requests are used again; but not
// their channels, which would tie a caller's bubble of testing/synctest to
// another one's.
type request struct {
	list    []events.Event
	encoded [][]byte // the events in their canonical form
	results []events.Result
	done    chan error // gets exactly one value

	buffer  []byte // of encoded and of answers
	event   [1]events.Event
	bytes   [1][]byte
	outcome [1]events.Result
}

var requests = sync.Pool{New: func() any { return new(request) }}

// recycle lets the request be used again. It must have been answered, and
// nobody may keep what it refers to except copies of results.
func (r *request) recycle() {
	r.event[0], r.outcome[0] = nil, events.Result{}
	requests.Put(r)
}

// newRequest encodes events for the journal. One that the rules refuse is
// journaled as what an outside caller would have sent, because its fields may
// have no canonical form.
func newRequest(rules events.Rules, list ...events.Event) (*request, error) {
	r := requests.Get().(*request)
	r.buffer, r.done = r.buffer[:0], make(chan error, 1)
	r.list = append(r.event[:0], list...)
	r.encoded, r.results = r.bytes[:0], r.outcome[:0]
	for i, e := range r.list {
		if _, _, refusal := rules.Admit(e); refusal != events.NotRefused {
			var err error
			if e, err = asReceived(rules, e); err != nil {
				return nil, err
			}
			r.list[i] = e
		}
		b := r.use(events.Append(r.buffer, e))
		if len(b) > journal.MaxEvent {
			return nil, fmt.Errorf("leasekeeper: an event of %d bytes; a journal keeps at most %d", len(b), journal.MaxEvent)
		}
		r.encoded = append(r.encoded, b)
	}
	return r, nil
}

// use takes the buffer with something appended, and returns that.
func (r *request) use(longer []byte) []byte {
	added := longer[len(r.buffer):len(longer):len(longer)]
	r.buffer = longer
	return added
}

// asReceived is the event that Parse would have made of a refused one.
func asReceived(rules events.Rules, e events.Event) (events.Event, error) {
	switch e := e.(type) {
	case events.Invalid:
		if again, err := rules.Parse([]byte(e.Raw)); err != nil || again != events.Event(e) {
			return nil, fmt.Errorf("leasekeeper: an Invalid that does not come from its text %q", e.Raw)
		}
		return e, nil
	case events.Acquire, events.Renew, events.Release, events.Write, events.Read,
		events.Inspect, events.Status, events.Repeat:
		received, err := rules.Parse(events.AppendJSON(nil, e))
		if err != nil {
			return nil, fmt.Errorf("leasekeeper: the event cannot be written down: %w", err)
		}
		return received, nil
	}
	return nil, fmt.Errorf("leasekeeper: %T is no event", e)
}

// batch is what one commit makes durable.
type batch struct {
	requests []*request
	records  []journal.Record
	after    fsm.State // once all of it has been applied
	bytes    int64
}

// pipeline connects the goroutine that applies with the one that commits.
type pipeline struct {
	ready   chan struct{} // the committer is free for a batch
	batches chan *batch   // what it gets
	failed  chan error    // why it stopped; closed when it has stopped
}

// serve applies requests and hands what it has applied to the committer
// whenever that is free: while one batch syncs, the next one grows. It ends
// when the Keeper is closed.
func (k *Keeper) serve(state fsm.State) {
	p := pipeline{make(chan struct{}), make(chan *batch), make(chan error, 1)}
	go k.commit(p)
	err := k.apply(fsm.NewMachine(state), p)
	close(p.batches)
	if late, ok := <-p.failed; ok && err == nil {
		err = late
	}
	if err != nil {
		k.fail(err)
	}
	k.taker.stop()
	k.closeErr = k.journal.Close()
	close(k.finished)
}

// fail answers every request with why the Keeper stopped, until it is closed.
func (k *Keeper) fail(err error) {
	for {
		select {
		case r := <-k.requests:
			r.done <- err
		case <-k.closing:
			return
		}
	}
}

// apply feeds the committer until the Keeper is closed, or until a commit
// fails or an invariant is broken, which it returns as an ErrFailed.
func (k *Keeper) apply(m *fsm.Machine, p pipeline) error {
	next := &batch{}
	for closing := false; !closing || len(next.records) > 0; {
		requests, ready, closed := k.requests, p.ready, k.closing
		if closing || len(next.records) >= k.options.MaxBatch || next.bytes >= maxBatchBytes {
			requests = nil
		}
		if len(next.records) == 0 {
			ready = nil
		}
		if closing {
			closed = nil
		}
		select {
		case r := <-requests:
			if err := next.apply(m, r); err != nil {
				next.answer(err)
				return err
			}
		case <-ready:
			next.after = m.State()
			p.batches <- next
			next = &batch{}
		case err := <-p.failed:
			next.answer(err)
			return err
		case <-closed:
			closing = true
		}
	}
	return nil
}

// maxBatchBytes is at how many bytes of events and answers a batch is closed:
// it bounds what a commit holds in memory, beside the request that reached it.
const maxBatchBytes = 16 << 20

// apply carries out a request and adds it to the batch. A broken invariant is
// an error here, so that it stops this Keeper and not the whole process.
func (b *batch) apply(m *fsm.Machine, r *request) (err error) {
	b.requests = append(b.requests, r)
	defer func() {
		if broken := recover(); broken != nil {
			err = fmt.Errorf("%w: %v", ErrFailed, broken)
		}
	}()
	for i, e := range r.list {
		result := m.Apply(e)
		result.Effects = slices.Clone(result.Effects)
		r.results = append(r.results, result)
		answer := r.use(result.Answer.AppendJSON(r.buffer))
		b.bytes += int64(len(r.encoded[i]) + len(answer))
		b.records = append(b.records, journal.Record{
			Sequence: result.Sequence, Event: r.encoded[i],
			Answer: journal.NewAnswer(answer), Fingerprint: m.Fingerprint(),
		})
	}
	return nil
}

// answer tells every caller of the batch how it ended.
func (b *batch) answer(err error) {
	for _, r := range b.requests {
		r.done <- err
	}
}

// commit makes one batch after another durable. After a failure it takes no
// more, and the durable state stays where it was.
func (k *Keeper) commit(p pipeline) {
	defer close(p.failed)
	for {
		select {
		case p.ready <- struct{}{}:
		case <-p.batches: // closed: nothing more will come
			return
		}
		b := <-p.batches
		if err := k.journal.Append(b.records...); err != nil {
			p.failed <- fmt.Errorf("%w: %w", ErrFailed, err)
			if errors.Is(err, journal.ErrFailed) {
				b.answer(fmt.Errorf("%w: %w", ErrUndecided, err))
			} else {
				b.answer(fmt.Errorf("%w: %w", ErrFailed, err))
			}
			return
		}
		after := b.after // not the whole batch, which may be large
		k.durable.Store(&after)
		b.answer(nil)
		k.taker.committed(b.after, len(b.records), b.bytes)
	}
}
