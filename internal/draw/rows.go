package draw

import (
	"bytes"
	"encoding/json"
	"io"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/projection"
)

// Rows writes each row of a timeline as a line of JSON: leases and waits when
// they end, renewals and writes when they happen. Memory is bounded by the
// state. It implements projection.Projection.
type Rows struct {
	*projection.Timeline
	out io.Writer
	buf bytes.Buffer
	err error
	n   uint64
}

// momentJSON is a place in a history. If Earlier, what is told had happened by
// then, and it is not known when.
type momentJSON struct {
	At      int64  `json:"at"`
	Event   uint64 `json:"event"`
	Earlier bool   `json:"earlier,omitempty"`
}

// jsonOf is nil for what has not happened.
func jsonOf(m projection.Moment) *momentJSON {
	if !m.Happened() {
		return nil
	}
	return &momentJSON{m.Instant, m.Sequence, m.Earlier()}
}

type leaseJSON struct {
	Row       string      `json:"row"`
	Lock      string      `json:"lock"`
	Client    string      `json:"client"`
	Mode      string      `json:"mode"`
	Token     int64       `json:"token"`
	Began     *momentJSON `json:"began"`
	Why       string      `json:"why,omitempty"`
	Ended     *momentJSON `json:"ended"`
	How       string      `json:"how,omitempty"`
	ExpiresAt int64       `json:"expires_at"`
	Renewals  int         `json:"renewals"`
}

type waitJSON struct {
	Row      string      `json:"row"`
	Lock     string      `json:"lock"`
	Client   string      `json:"client"`
	Mode     string      `json:"mode"`
	Began    *momentJSON `json:"began"`
	Position int         `json:"position"`
	Ended    *momentJSON `json:"ended"`
	Ending   string      `json:"ending"`
	Token    int64       `json:"token,omitempty"`
}

type renewalJSON struct {
	Row       string     `json:"row"`
	Lock      string     `json:"lock"`
	Client    string     `json:"client"`
	Token     int64      `json:"token"`
	At        momentJSON `json:"at"`
	Before    int64      `json:"before"`
	ExpiresAt int64      `json:"expires_at"`
}

type writeJSON struct {
	Row     string     `json:"row"`
	Lock    string     `json:"lock"`
	Key     string     `json:"key"`
	Token   int64      `json:"token"`
	At      momentJSON `json:"at"`
	Refusal string     `json:"refusal,omitempty"`
	Holder  string     `json:"holder,omitempty"`
}

// NewRows begins at a state, and writes what the filter passes.
func NewRows(out io.Writer, state fsm.State, f projection.Filter) *Rows {
	r := &Rows{out: out}
	r.Timeline = projection.NewTimeline(state, f, projection.TimelineSink{
		Lease: r.lease,
		Wait:  r.wait,
		Renewal: func(n projection.Renewal) {
			r.print(renewalJSON{"renewal", n.Lock, n.Client, n.Token, *jsonOf(n.At), n.Before, n.ExpiresAt})
		},
		Write: func(w projection.Write) {
			row := writeJSON{Row: "write", Lock: w.Lock, Key: w.Key, Token: w.Token, At: *jsonOf(w.At), Holder: w.Holder}
			if w.Refusal != events.NotRefused {
				row.Refusal = w.Refusal.String()
			}
			r.print(row)
		},
	})
	return r
}

func (r *Rows) lease(l projection.Lease) {
	r.print(leaseJSON{"lease", l.Lock, l.Client, l.Mode.String(), l.Token, jsonOf(l.Began), l.Why.String(),
		jsonOf(l.Ended), l.How.String(), l.ExpiresAt, l.Renewals})
}

func (r *Rows) wait(w projection.Wait) {
	r.print(waitJSON{"wait", w.Lock, w.Client, w.Mode.String(), jsonOf(w.Began), w.Position,
		jsonOf(w.Ended), w.Ending.String(), w.Token})
}

func (r *Rows) print(row any) {
	if r.err != nil {
		return
	}
	r.n++
	r.buf.Reset()
	r.err = encode(&r.buf, row)
	if r.err == nil {
		_, r.err = r.out.Write(r.buf.Bytes())
	}
}

// Finish writes the leases in force and the requests that wait. It returns how
// many rows there were, and the first error of the writer.
func (r *Rows) Finish() (uint64, error) {
	r.Open(r.lease, r.wait)
	return r.n, r.err
}

// Err is the first error of the writer so far. After one, nothing more is
// written.
func (r *Rows) Err() error { return r.err }

// encode appends a value as JSON and the end of the line.
func encode(to *bytes.Buffer, value any) error {
	e := json.NewEncoder(to)
	e.SetEscapeHTML(false)
	return e.Encode(value)
}
