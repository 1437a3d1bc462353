package snapshot

import (
	"strconv"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
)

// rowReader reads the rows of a snapshot into a Restorer.
type rowReader struct {
	decoder
	info  Info // from the header
	into  *fsm.Restorer
	count Rows
	last  byte   // kind of the last row
	name  string // of the last client, or of the last lock
	key   string // of the last value
	lock  fsm.LockRow
}

// all reads all rows. Thereafter the source's last frame is the end.
func (r *rowReader) all() error {
	for r.last = rowClient; r.more(); {
		kind := r.byte()
		switch {
		case kind == rowLock, kind == rowClient && r.last == rowClient:
		case kind > rowLock && kind <= rowValue && kind >= r.last && r.last >= rowLock:
		default:
			r.fail("a row of kind "+strconv.Itoa(int(kind))+" does not belong here", nil)
		}
		r.row(kind)
		r.last = kind
	}
	r.finishLock()
	return r.err
}

func (r *rowReader) row(kind byte) {
	switch kind {
	case rowClient:
		r.readClient()
	case rowLock:
		r.finishLock()
		r.readLock()
	case rowLease:
		r.readLease()
	case rowRequest:
		r.readRequest()
	case rowValue:
		r.readValue()
	}
}

func (r *rowReader) readClient() {
	r.count.Clients++
	c := fsm.ClientRow{Name: r.text(), Age: int64(r.above(0, uint64(r.info.Counters.Ages), "age"))}
	r.ascending(&r.name, c.Name)
	if r.err == nil {
		r.refuse(r.into.Client(c))
	}
}

func (r *rowReader) readLock() {
	if r.last == rowClient {
		r.name = ""
	}
	r.count.Locks++
	l := &r.lock
	l.Name, l.Counter, l.Mark = r.text(), int64(r.upTo(maxInt, "counter")), int64(r.upTo(maxInt, "mark"))
	l.Leases, l.Queue, l.Values = l.Leases[:0], l.Queue[:0], l.Values[:0]
	r.ascending(&r.name, l.Name)
	r.key = ""
	if l.Counter == 0 && l.Mark == 0 {
		r.fail("a lock was never granted nor written to", nil)
	}
}

// finishLock hands the lock over whose rows have been read, if there is one.
func (r *rowReader) finishLock() {
	if r.err == nil && r.last != rowClient {
		r.refuse(r.into.Lock(r.lock))
	}
}

func (r *rowReader) readLease() {
	r.count.Leases++
	var last fsm.Lease
	if n := len(r.lock.Leases); n > 0 {
		last = r.lock.Leases[n-1]
	}
	r.lock.Leases = append(r.lock.Leases, fsm.Lease{
		Client:    r.text(),
		Mode:      r.mode(),
		Token:     int64(r.above(uint64(last.Token), uint64(r.lock.Counter), "token")),
		ExpiresAt: r.info.Clock + int64(r.above(0, uint64(r.info.Rules.MaxTTL()), "rest of a lease")),
		Turn:      r.above(last.Turn, r.info.Counters.Turns, "turn"),
	})
}

func (r *rowReader) readRequest() {
	r.count.Requests++
	var last fsm.Request
	if n := len(r.lock.Queue); n > 0 {
		last = r.lock.Queue[n-1]
	}
	r.lock.Queue = append(r.lock.Queue, fsm.Request{
		Client: r.text(),
		Mode:   r.mode(),
		TTL:    int64(r.above(0, uint64(r.info.Rules.MaxTTL()), "ttl")),
		Turn:   r.above(last.Turn, r.info.Counters.Turns, "turn"),
	})
}

func (r *rowReader) readValue() {
	r.count.Values++
	v := fsm.Stored{Key: r.own(), Value: r.own()}
	r.ascending(&r.key, v.Key)
	r.lock.Values = append(r.lock.Values, v)
}

func (r *rowReader) mode() events.Mode {
	return events.Mode(r.above(0, uint64(events.Shared), "mode"))
}

// ascending makes sure that a text comes after the one before it.
func (r *rowReader) ascending(last *string, text string) {
	if text <= *last {
		r.fail("the rows are not in order", nil)
	}
	*last = text
}

// refuse passes on what the Restorer says.
func (r *rowReader) refuse(err error) {
	if err != nil {
		r.fail("a row that cannot be", err)
	}
}
