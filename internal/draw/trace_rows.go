package draw

import (
	"fmt"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/projection"
)

// slice is where a row lies on its track, in nanoseconds, and what is cut off.
type slice struct {
	from, to uint64
	cut      string
}

// slice cuts a row to the span.
func (t *Trace) slice(began, ended projection.Moment) slice {
	from, to, cut := began.Instant, ended.Instant, ""
	if began.Earlier() || from < t.span.From {
		from, cut = max(from, t.span.From), "began earlier"
	}
	if !ended.Happened() {
		to = max(t.clock, from)
	}
	if to > t.span.To {
		to = t.span.To
	}
	if !ended.Happened() || ended.Instant > t.span.To {
		if cut != "" {
			cut += ", "
		}
		cut += "goes on"
	}
	s := slice{t.nanoseconds(from), t.nanoseconds(max(from, to)), cut}
	return s
}

// lease writes a slice for a lease, and the arrow of the hand-over that it owes
// its lock to.
func (t *Trace) lease(l projection.Lease) {
	t.n++
	s := t.slice(l.Began, l.Ended)
	tracks := t.tracks(l.Lock)
	tid := t.place(tracks, &tracks.leases, s)
	args := map[string]any{
		"lock": l.Lock, "client": l.Client, "mode": l.Mode.String(), "token": l.Token,
		"began": jsonOf(l.Began), "ended": jsonOf(l.Ended), "expires_at": l.ExpiresAt, "renewals": l.Renewals,
	}
	if l.Why != events.CauseNone {
		args["why"], args["granted_by_rule"] = l.Why.String(), grantRule(l.Why)
	}
	if l.How != events.CauseNone {
		args["how"], args["ended_by_rule"] = l.How.String(), endRule(l.How)
	}
	if s.cut != "" {
		args["cut"] = s.cut
	}
	name := fmt.Sprintf("%s #%d", tooltipName(l.Client), l.Token)
	t.emit(event{Name: name, Category: "lease", Phase: "X", Ts: microseconds(s.from), Duration: microseconds(s.to - s.from), Tid: tid, Args: args})
	if l.How == events.CauseAbort {
		t.abort(tracks, l.Client, l.Ended)
	}
	t.handOver(&l, s, tid)
}

// grantRule is the rule that a lease was granted by.
func grantRule(why events.Cause) string {
	if why == events.CauseFree {
		return "R10"
	}
	return "R11"
}

// endRule is the rule that a lease ended by.
func endRule(how events.Cause) string {
	switch how {
	case events.CauseRelease:
		return "R7"
	case events.CauseAbort:
		return "R19"
	}
	return "R2"
}

// handOver writes the arrow that leads to a lease, if it was handed over, and
// remembers where those begin that lead away from it.
func (t *Trace) handOver(l *projection.Lease, s slice, tid int) {
	key := leaseKey{l.Lock, l.Token}
	if from := t.passing.into[key]; from != nil && from.placed && l.Began.Instant >= t.span.From {
		id := t.passing.nextID()
		arrow := event{Name: "hand-over", Category: "hand-over", Phase: "s", Ts: microseconds(from.at), Tid: from.tid, ID: id}
		arrow.Args = map[string]any{"from_token": from.token, "to_token": l.Token, "rule": "R3"}
		t.emit(arrow)
		arrow.Phase, arrow.Ts, arrow.Tid, arrow.Binding = "f", microseconds(s.from), tid, "e"
		t.emit(arrow)
	}
	if from := t.passing.out[key]; from != nil {
		from.placed, from.tid = true, tid
		from.at = s.from
		if s.to > s.from { // an arrow belongs to the slice that it begins within
			from.at = s.to - 1
		}
	}
}

// wait writes a slice for a request.
func (t *Trace) wait(w projection.Wait) {
	t.n++
	s := t.slice(w.Began, w.Ended)
	tracks := t.tracks(w.Lock)
	args := map[string]any{
		"lock": w.Lock, "client": w.Client, "mode": w.Mode.String(), "position": w.Position,
		"began": jsonOf(w.Began), "ended": jsonOf(w.Ended), "ending": w.Ending.String(), "rule": waitRule(w.Ending),
	}
	if w.Token != 0 {
		args["token"] = w.Token
	}
	if s.cut != "" {
		args["cut"] = s.cut
	}
	t.emit(event{
		Name: tooltipName(w.Client) + " waits", Category: "wait", Phase: "X", Ts: microseconds(s.from),
		Duration: microseconds(s.to - s.from), Tid: t.place(tracks, &tracks.waits, s), Args: args,
	})
	if w.Ending == projection.WasAborted {
		t.abort(tracks, w.Client, w.Ended)
	}
}

// waitRule is the rule that a request left the queue by, or stands there by.
func waitRule(ending projection.Ending) string {
	return [...]string{"R4", "R11", "R13", "R19"}[ending&3]
}

func (t *Trace) abort(tracks *tracks, client string, at projection.Moment) {
	if t.span.contains(at.Instant) {
		t.instant(tracks, "abort "+tooltipName(client), "abort", at, map[string]any{"client": client, "rule": "R19"})
	}
}

// instant writes a mark on the lock's track of events.
func (t *Trace) instant(tracks *tracks, name, category string, at projection.Moment, args map[string]any) {
	args["lock"], args["at"], args["event"] = tracks.lock, at.Instant, at.Sequence
	t.emit(event{
		Name: name, Category: category, Phase: "i", Scope: "t",
		Ts: microseconds(t.nanoseconds(at.Instant)), Tid: t.eventTrack(tracks), Args: args,
	})
}

func (t *Trace) renewal(r projection.Renewal) {
	t.n++
	t.instant(t.tracks(r.Lock), "renew "+tooltipName(r.Client), "renewal", r.At, map[string]any{
		"client": r.Client, "token": r.Token, "before": r.Before, "expires_at": r.ExpiresAt, "rule": "R2",
	})
}

func (t *Trace) write(w projection.Write) {
	t.n++
	name, category := fmt.Sprintf("write #%d", w.Token), "write"
	args := map[string]any{"key": w.Key, "token": w.Token, "rule": "R6"}
	switch markOf(&w) {
	case refused:
		name, category = "refused "+name, "refused write"
		args["refusal"] = w.Refusal.String()
		if w.Refusal == events.ClockWentBack {
			args["rule"] = "R26"
		}
	case late:
		name, category = "late "+name, "late write"
	}
	if w.Holder != "" {
		args["holder"] = w.Holder
	}
	t.instant(t.tracks(w.Lock), name, category, w.At, args)
}
