package projection

import (
	"maps"
	"slices"
)

// Describe draws the rows as tables for each lock, by name. #n is event n.
func (r *TimelineRows) Describe() string {
	var d drawing
	byLock := r.byLock()
	for _, lock := range slices.Sorted(maps.Keys(byLock)) {
		rows := byLock[lock]
		rows.drawLeases(&d, lock)
		rows.drawRenewals(&d, lock)
		rows.drawWaits(&d, lock)
		rows.drawWrites(&d, lock)
	}
	return d.String()
}

// byLock divides the rows by their locks.
func (r *TimelineRows) byLock() map[string]*TimelineRows {
	divided := map[string]*TimelineRows{}
	of := func(lock string) *TimelineRows {
		if divided[lock] == nil {
			divided[lock] = &TimelineRows{}
		}
		return divided[lock]
	}
	for _, l := range r.Leases {
		of(l.Lock).Leases = append(of(l.Lock).Leases, l)
	}
	for _, n := range r.Renewals {
		of(n.Lock).Renewals = append(of(n.Lock).Renewals, n)
	}
	for _, w := range r.Waits {
		of(w.Lock).Waits = append(of(w.Lock).Waits, w)
	}
	for _, w := range r.Writes {
		of(w.Lock).Writes = append(of(w.Lock).Writes, w)
	}
	return divided
}

func (r *TimelineRows) drawLeases(d *drawing, lock string) {
	for i := range r.Leases {
		l := &r.Leases[i]
		d.row(l.Token, name(l.Client), l.Mode, l.Began, dash(l.Why.String()), endOf(l), dash(l.How.String()), l.ExpiresAt, l.Renewals)
	}
	d.draw("leases of "+name(lock), "token | client | mode | began | why | ended | how | promised until | renewals")
}

func endOf(l *Lease) string {
	if l.Ended.Happened() {
		return l.Ended.String()
	}
	return "in force"
}

func (r *TimelineRows) drawRenewals(d *drawing, lock string) {
	for i := range r.Renewals {
		n := &r.Renewals[i]
		d.row(n.Token, name(n.Client), n.At, n.Before, n.ExpiresAt)
	}
	d.draw("renewals of "+name(lock), "token | client | at | old end | new end")
}

func (r *TimelineRows) drawWaits(d *drawing, lock string) {
	for i := range r.Waits {
		w := &r.Waits[i]
		token, ticks := any("-"), any("-")
		if w.Token != 0 {
			token = w.Token
		}
		if w.Ended.Happened() {
			ticks = least(w.Began, w.Length(0))
		}
		d.row(name(w.Client), w.Mode, w.Began, w.Position, w.Ended, w.Ending, token, ticks)
	}
	d.draw("waits for "+name(lock), "client | mode | began | position | ended | ending | token | ticks")
}

func (r *TimelineRows) drawWrites(d *drawing, lock string) {
	for i := range r.Writes {
		w := &r.Writes[i]
		d.row(w.Token, name(w.Key), w.At, accepted(w.Refusal), holding(w.Holder))
	}
	d.draw("writes under "+name(lock), "token | key | at | answer | by")
}
