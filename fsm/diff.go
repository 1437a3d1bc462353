package fsm

import (
	"fmt"
	"iter"
	"strconv"
)

// Difference names one row in which two states differ. A or B is "" if that
// state does not have the row.
type Difference struct{ Row, A, B string }

// String is the difference in one line.
func (d Difference) String() string {
	show := func(s string) string {
		if s == "" {
			return "nothing"
		}
		return s
	}
	return fmt.Sprintf("%s: %s | %s", d.Row, show(d.A), show(d.B))
}

// Diff names the rows in which two states differ, those of the state as a
// whole first, then clients and locks by name. It is empty exactly if their
// contents are equal. The sequence of the last event is not compared. Names
// and values are quoted as Go strings. O(n log n) for n names.
func Diff(a, b State) []Difference {
	var found []Difference
	next, stop := iter.Pull(rows(b))
	defer stop()
	other, more := next()
	for row := range rows(a) {
		for more && other.key.less(row.key) {
			found = append(found, Difference{Row: other.key.name(), B: other.text})
			other, more = next()
		}
		if more && other.key == row.key {
			if other.text != row.text {
				found = append(found, Difference{row.key.name(), row.text, other.text})
			}
			other, more = next()
			continue
		}
		found = append(found, Difference{Row: row.key.name(), A: row.text})
	}
	for ; more; other, more = next() {
		found = append(found, Difference{Row: other.key.name(), B: other.text})
	}
	return found
}

// rowKey orders the rows of a state: by table, name, kind within the name,
// and what tells the rows of one kind apart.
type rowKey struct {
	table  int
	of     string
	kind   string
	number uint64
	text   string
}

func (k rowKey) less(o rowKey) bool {
	switch {
	case k.table != o.table:
		return k.table < o.table
	case k.of != o.of:
		return k.of < o.of
	case k.kind != o.kind:
		return k.kind < o.kind
	case k.number != o.number:
		return k.number < o.number
	}
	return k.text < o.text
}

func (k rowKey) name() string {
	switch {
	case k.table == 0:
		return k.kind
	case k.table == 1:
		return "age of client " + strconv.Quote(k.of)
	case k.kind == "value":
		return fmt.Sprintf("value of lock %q key %q", k.of, k.text)
	case k.kind == "lease" || k.kind == "waiter":
		return fmt.Sprintf("%s of lock %q number %d", k.kind, k.of, k.number)
	}
	return fmt.Sprintf("%s of lock %q", k.kind, k.of)
}

type textRow struct {
	key  rowKey
	text string
}

// rows yields a state's rows as text in the order of their keys.
func rows(s State) iter.Seq[textRow] {
	return func(yield func(textRow) bool) {
		put := func(key rowKey, text string) bool { return yield(textRow{key, text}) }
		if !wholeRows(s, put) {
			return
		}
		for c := range s.Clients() {
			if !put(rowKey{table: 1, of: c.Name}, strconv.FormatInt(c.Age, 10)) {
				return
			}
		}
		for l := range s.Locks() {
			if !lockRows(l, put) {
				return
			}
		}
	}
}

func wholeRows(s State, put func(rowKey, string) bool) bool {
	clock := ""
	if s.started {
		clock = strconv.FormatInt(s.clock, 10)
	}
	return put(rowKey{kind: "clock"}, clock) &&
		put(rowKey{kind: "registrations"}, strconv.FormatInt(s.ages, 10)) &&
		put(rowKey{kind: "rules"}, fmt.Sprintf("edition %d, %d ticks a second", s.rules.Edition, s.rules.Unit)) &&
		put(rowKey{kind: "turns"}, strconv.FormatUint(s.turns, 10))
}

// lockRows puts the rows of one lock in the order of their kinds' names.
func lockRows(l LockRow, put func(rowKey, string) bool) bool {
	key := func(kind string, number uint64, text string) rowKey {
		return rowKey{table: 2, of: l.Name, kind: kind, number: number, text: text}
	}
	if l.Counter != 0 && !put(key("counter", 0, ""), strconv.FormatInt(l.Counter, 10)) {
		return false
	}
	for _, h := range l.Leases {
		text := fmt.Sprintf("%q %s until %d, turn %d", h.Client, h.Mode, h.ExpiresAt, h.Turn)
		if !put(key("lease", uint64(h.Token), ""), text) {
			return false
		}
	}
	if l.Mark != 0 && !put(key("mark", 0, ""), strconv.FormatInt(l.Mark, 10)) {
		return false
	}
	for _, v := range l.Values {
		if !put(key("value", 0, v.Key), strconv.Quote(v.Value)) {
			return false
		}
	}
	for i, w := range l.Queue {
		text := fmt.Sprintf("%q %s for %d, turn %d", w.Client, w.Mode, w.TTL, w.Turn)
		if !put(key("waiter", uint64(i+1), ""), text) {
			return false
		}
	}
	return true
}
