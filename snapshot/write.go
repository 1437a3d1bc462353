package snapshot

import (
	"fmt"
	"io"

	"github.com/leasekeeper/leasekeeper/fsm"
)

// The kinds of rows.
const (
	rowClient = iota + 1
	rowLock
	rowLease
	rowRequest
	rowValue
)

// Write writes a state to w, with one call of w.Write a frame, and returns
// what it wrote. The state may go on being used and forked meanwhile.
//
// Beside what State.Clients and State.Locks take to order the names, it needs
// memory for the rows of one lock and for a few chunks. O(n log n) for n names.
// An error is one of w's, or says that s is the zero State; what was written by
// then is no snapshot.
func Write(w io.Writer, s fsm.State) (Info, error) {
	info := Info{Version: Version, Whole: s.Whole(), Fingerprint: s.Fingerprint()}
	if err := info.Rules.Validate(); err != nil {
		return Info{}, fmt.Errorf("snapshot: %w", err)
	}
	f, err := newFrames(w)
	if err != nil {
		return Info{}, err
	}
	if err := f.put(frameHeader, info.appendHeader(nil)); err != nil {
		return Info{}, err
	}
	rows := rowWriter{content: content{flush: func(chunk []byte) error { return f.put(frameRows, chunk) }}}
	if err := rows.all(s); err != nil {
		return Info{}, err
	}
	info.Rows, info.Content, info.Digest = rows.count, f.content, f.digest.Sum128().Bytes()
	if err := f.put(frameEnd, info.appendEnd(nil)); err != nil {
		return Info{}, err
	}
	info.Size = f.size
	return info, nil
}

// rowWriter writes the rows of a state.
type rowWriter struct {
	content
	count Rows
}

func (w *rowWriter) all(s fsm.State) error {
	for c := range s.Clients() {
		w.count.Clients++
		w.byte(rowClient)
		w.text(c.Name)
		w.uint(uint64(c.Age))
		if w.err != nil {
			return w.err
		}
	}
	clock, _ := s.Clock()
	for l := range s.Locks() {
		w.lock(&l, clock)
		if w.err != nil {
			return w.err
		}
	}
	if len(w.buf) > 0 {
		w.pass()
	}
	return w.err
}

func (w *rowWriter) lock(l *fsm.LockRow, clock int64) {
	w.count.Locks++
	w.byte(rowLock)
	w.text(l.Name)
	w.uint(uint64(l.Counter))
	w.uint(uint64(l.Mark))
	token, turn := int64(0), uint64(0)
	for i := range l.Leases {
		h := &l.Leases[i]
		w.count.Leases++
		w.byte(rowLease)
		w.text(h.Client)
		w.byte(byte(h.Mode))
		w.uint(uint64(h.Token - token))
		w.uint(uint64(h.ExpiresAt - clock))
		w.uint(h.Turn - turn)
		token, turn = h.Token, h.Turn
	}
	turn = 0
	for i := range l.Queue {
		q := &l.Queue[i]
		w.count.Requests++
		w.byte(rowRequest)
		w.text(q.Client)
		w.byte(byte(q.Mode))
		w.uint(uint64(q.TTL))
		w.uint(q.Turn - turn)
		turn = q.Turn
	}
	for i := range l.Values {
		w.count.Values++
		w.byte(rowValue)
		w.text(l.Values[i].Key)
		w.text(l.Values[i].Value)
	}
}
