package draw

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/bits"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/projection"
)

// ErrTooLong says that a history is longer than a trace can be: its times are
// nanoseconds within 63 bits.
var ErrTooLong = errors.New("draw: a trace can be no longer than 292 years: choose a part of the history")

// Trace writes a history in the trace-event form, which Perfetto and Chrome's
// tracing show. Each lock has a track with its leases, one with its waits, and
// one with what happened at an instant: renewals, writes, aborts. Leases of
// shared holders that overlap, and waits that do, get more tracks, so that the
// slices of a track never overlap. An arrow leads from a lease that ended to the
// leases that it made way for.
//
// Times are microseconds since a base instant, which otherData names. What is cut
// off by the filter's span says so in its arguments.
//
// It is written while the history is folded; memory is bounded by the state and
// the number of locks. It implements projection.Projection.
type Trace struct {
	*projection.Timeline
	rules   events.Rules
	title   string
	span    Span // what slices are cut to
	out     io.Writer
	buf     bytes.Buffer
	err     error
	begun   bool // the head is written
	n       uint64
	base    int64
	based   bool
	clock   int64
	nextTid int
	locks   map[string]*tracks
	passing passing
}

// event is one event of a trace.
type event struct {
	Name     string      `json:"name"`
	Category string      `json:"cat,omitempty"`
	Phase    string      `json:"ph"`
	Ts       json.Number `json:"ts,omitempty"`
	Duration json.Number `json:"dur,omitempty"`
	Pid      int         `json:"pid"`
	Tid      int         `json:"tid"`
	ID       uint64      `json:"id,omitempty"`
	Binding  string      `json:"bp,omitempty"`
	Scope    string      `json:"s,omitempty"`
	Args     any         `json:"args,omitempty"`
}

// NewTrace begins at a state, and writes what the filter passes.
func NewTrace(out io.Writer, state fsm.State, rules events.Rules, f projection.Filter, title string) *Trace {
	t := &Trace{rules: rules, title: title, out: out, locks: map[string]*tracks{}, span: window(f), passing: newPassing()}
	if clock, started := state.Clock(); started {
		t.start(clock)
	}
	t.Timeline = projection.NewTimeline(state, f, projection.TimelineSink{
		Lease: t.lease, Wait: t.wait, Renewal: t.renewal, Write: t.write,
	})
	return t
}

// start sets the instant that times count from: the first that can be shown.
func (t *Trace) start(clock int64) { t.base, t.clock, t.based = max(clock, t.span.From), clock, true }

// Apply implements projection.Projection.
func (t *Trace) Apply(s *projection.Step) {
	if !t.based && s.Started {
		t.start(s.Clock)
	}
	t.passing.look(s.Result.Effects)
	t.Timeline.Apply(s)
	t.passing.forget(s.Result.Effects)
	if s.Started {
		t.clock = s.Clock
	}
}

// Finish writes what is still going on, up to the last instant, and the end of
// the trace. It returns how many rows there were, and the first error, of the
// writer or ErrTooLong.
func (t *Trace) Finish() (uint64, error) {
	t.Open(t.lease, t.wait)
	t.head()
	t.print([]byte("\n]}\n"))
	return t.n, t.err
}

// Err is the first error so far. After one, nothing more is written.
func (t *Trace) Err() error { return t.err }

func (t *Trace) print(text []byte) {
	if t.err == nil {
		_, t.err = t.out.Write(text)
	}
}

// head writes what comes before the events, once.
func (t *Trace) head() {
	if t.begun {
		return
	}
	t.begun = true
	t.buf.Reset()
	t.buf.WriteString(`{"displayTimeUnit":"ms","otherData":`)
	err := encode(&t.buf, map[string]any{
		"history": t.title, "edition": int(t.rules.Edition), "unit": t.rules.Unit.String(), "base_instant": t.base,
		"about": "ts are microseconds since base_instant, which like all instants in args is in ticks of the unit",
	})
	t.buf.Truncate(t.buf.Len() - 1)
	t.buf.WriteString(`,"traceEvents":[` + "\n")
	t.keep(err)
	t.print(t.buf.Bytes())
	t.meta("process_name", 0, map[string]any{"name": "locks"}, true)
}

func (t *Trace) keep(err error) {
	if t.err == nil {
		t.err = err
	}
}

// emit writes an event.
func (t *Trace) emit(e event) {
	t.head()
	t.append(e, false)
}

func (t *Trace) append(e event, first bool) {
	e.Pid = 1
	t.buf.Reset()
	if !first {
		t.buf.WriteString(",\n")
	}
	t.keep(encode(&t.buf, e))
	t.print(bytes.TrimRight(t.buf.Bytes(), "\n"))
}

// meta writes an event that describes a track.
func (t *Trace) meta(name string, tid int, args map[string]any, first bool) {
	t.append(event{Name: name, Phase: "M", Tid: tid, Args: args}, first)
}

// nanoseconds is how long after the base an instant is. Instants before it, of
// writes whose clock had gone back, count as the base.
func (t *Trace) nanoseconds(ts int64) uint64 {
	if ts <= t.base {
		return 0
	}
	high, low := bits.Mul64(uint64(ts)-uint64(t.base), uint64(events.Nanosecond)/uint64(t.rules.Unit))
	if high > 0 || low > math.MaxInt64 {
		t.keep(ErrTooLong)
		return 0
	}
	return low
}

// microseconds writes nanoseconds as exact microseconds.
func microseconds(ns uint64) json.Number {
	if ns%1000 == 0 {
		return json.Number(fmt.Sprint(ns / 1000))
	}
	return json.Number(fmt.Sprintf("%d.%03d", ns/1000, ns%1000))
}
