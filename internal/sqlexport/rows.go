package sqlexport

import (
	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/projection"
)

func (w *Writer) lease(l projection.Lease) {
	grantedAt, grantedBy, granted := place(l.Began)
	endedAt, endedBy, ended := place(l.Ended)
	w.keep(w.leases.add(l.Lock, l.Token, l.Client, l.Mode.String(),
		grantedAt, grantedBy, granted, text(l.Why.String()),
		endedAt, endedBy, ended, text(l.How.String()), l.ExpiresAt, int64(l.Renewals)))
}

func (w *Writer) renewal(r projection.Renewal) {
	instant, sequence, at := place(r.At)
	w.keep(w.renewals.add(at, sequence, instant, r.Lock, r.Token, r.Client, r.Before, r.ExpiresAt))
}

func (w *Writer) wait(r projection.Wait) {
	queuedAt, queuedBy, queued := place(r.Began)
	endedAt, endedBy, ended := place(r.Ended)
	var ending any
	if r.Ending != projection.StillWaiting {
		ending = r.Ending.String()
	}
	w.keep(w.waits.add(r.Lock, r.Client, r.Mode.String(), int64(r.Position),
		queuedAt, queuedBy, queued, endedAt, endedBy, ended, ending, number(r.Token)))
}

func (w *Writer) deadlock(d projection.Deadlock) {
	instant, sequence, at := place(d.At)
	w.keep(w.deadlocks.add(at, sequence, instant, d.Requester, d.Lock,
		int64(len(d.Members)), int64(len(d.Victims)), d.Ending.String()))
	for _, m := range d.Members {
		w.keep(w.members.add(at, m.Age, m.Client, m.Wait.Lock, int64(m.Place)))
	}
	for i, v := range d.Victims {
		instant, sequence, aborted := place(v.At)
		leases := int64(0)
		for _, freed := range v.Freed {
			if freed.Token > 0 {
				leases++
			}
		}
		w.keep(w.aborts.add(aborted, sequence, instant, at, int64(i+1), v.Client, v.Age, leases))
	}
}

func (w *Writer) registration(r *projection.Registration) {
	registeredAt, registeredBy, registered := place(r.Began)
	abortedAt, abortedBy, aborted := place(r.Ended)
	w.keep(w.clients.add(r.Age, r.Client, registeredAt, registeredBy, registered,
		abortedAt, abortedBy, aborted, int64(r.Granted), int64(r.Waited)))
}

// standings are those of the writes of one event that test the fence.
type standings map[projection.Moment]projection.Standing

// write writes the row of a write. By then the fence has seen it.
func (w *Writer) write(row projection.Write) {
	instant, sequence, at := place(row.At)
	var standing any
	if row.Refusal == events.NotRefused || row.Refusal == events.StaleToken {
		standing = w.standings[row.At].String() // a lease in force, if it is not there
	}
	w.keep(w.writes.add(at, sequence, instant, row.Lock, row.Key, w.offered.value(row.At.Effect), row.Token,
		truth(row.Refusal == events.NotRefused), text(row.Refusal.String()), standing, text(row.Holder)))
}

// offer are the values of the writes of one event.
type offer struct {
	step     *projection.Step
	rules    events.Rules
	template *events.Template // of a repeat, or nil
	next     int              // the effect to be looked at next
	runs     int64            // whose own effect lies before that
}

// begin turns to the next event.
func (o *offer) begin(s *projection.Step) {
	*o = offer{step: s, rules: o.rules}
	if repeat, ok := s.Event.(events.Repeat); ok {
		o.template, _ = events.CompileTemplate(repeat.Template)
	}
}

// value is the value of the write that made an effect. Effects are asked for in
// order. Each run of a repeated write has one effect of its own, written or
// refused, so that counting these tells the run.
func (o *offer) value(effect int) string {
	if write, ok := o.step.Event.(events.Write); ok {
		return write.Value
	}
	for ; o.next < effect; o.next++ {
		if kind := o.step.Result.Effects[o.next].Kind; kind == events.EffectWritten || kind == events.EffectRefused {
			o.runs++
		}
	}
	at, _ := o.step.Event.(events.Repeat).RunAt(o.runs)
	return o.template.Event(o.rules, at, o.runs).(events.Write).Value
}
