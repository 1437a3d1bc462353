package sqlexport

import (
	"fmt"
	"os"

	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/journal"
	"github.com/leasekeeper/leasekeeper/projection"
)

// Counts are how many rows a database has got.
type Counts struct {
	Events, Differ, Effects, Leases, Waits, Writes, Deadlocks, Clients uint64
}

// Writer makes a database of a history. It is not safe for concurrent use.
type Writer struct {
	path        string
	database    *database
	start       fsm.State
	clock       any             // after the last event, NULL before the first instant
	sequence    uint64          // of the last event
	fingerprint fsm.Fingerprint // of the state after it
	counts      Counts
	json        []byte
	err         error // the first one, of a row that a projection passed

	timeline      *projection.Timeline
	registrations *registrations
	fold          projection.Group
	standings     standings
	offered       offer

	events, effects, leases, renewals, waits, writes *table
	deadlocks, members, aborts, clients              *table
}

// Create makes a database file at a path where there is none, for a history
// that goes on from a state. Its errors are those of the disk.
func Create(path string, start fsm.State) (*Writer, error) {
	d, err := open(path)
	if err != nil {
		return nil, wrapped(err)
	}
	w := &Writer{path: path, database: d, start: start, standings: standings{}, offered: offer{rules: start.Rules()}}
	if at, started := start.Clock(); started {
		w.clock = at
	}
	w.sequence, w.fingerprint = start.Sequence(), start.Fingerprint()
	if err := w.prepare(); err != nil {
		_ = d.close()
		return nil, wrapped(err)
	}
	w.registrations = registrationsAt(start, w.registration)
	w.timeline = projection.NewTimeline(start, projection.Filter{}, projection.TimelineSink{
		Lease: w.lease, Renewal: w.renewal, Wait: w.wait, Write: w.write,
	})
	fencing := projection.NewFencing(start, projection.FencingOptions{
		Remember: 1, // whose a token was, the table of leases tells
		Write:    func(row projection.FencedWrite) { w.standings[row.At] = row.Standing },
	})
	w.fold = projection.Group{fencing, w.timeline, w.registrations, projection.NewDeadlocks(start, w.deadlock)}
	return w, nil
}

// prepare prepares the tables.
func (w *Writer) prepare() (err error) {
	for _, t := range []struct {
		to      **table
		name    string
		columns int
	}{
		{&w.events, "events", 24}, {&w.effects, "effects", 13}, {&w.leases, "leases", 14}, {&w.renewals, "renewals", 8},
		{&w.waits, "waits", 12}, {&w.writes, "writes", 11}, {&w.deadlocks, "deadlocks", 8}, {&w.members, "deadlock_members", 5},
		{&w.aborts, "aborts", 8}, {&w.clients, "clients", 10},
	} {
		if *t.to, err = w.database.table(t.name, t.columns); err != nil {
			return err
		}
	}
	return nil
}

// Add adds the next event.
func (w *Writer) Add(e *Event) error {
	if err := roomFor(&e.Result); err != nil {
		return err
	}
	w.keep(w.event(e))
	for i := range e.Result.Effects {
		w.keep(w.effect(&e.Result.Effects[i], i))
	}
	clear(w.standings)
	w.offered.begin(&e.Step)
	w.fold.Apply(&e.Step)
	if e.Started {
		w.clock = e.Clock
	}
	w.sequence, w.fingerprint = e.Result.Sequence, e.Fingerprint
	return wrapped(w.err)
}

// keep keeps the first error: a projection's sink cannot return one.
func (w *Writer) keep(err error) {
	if w.err == nil {
		w.err = err
	}
}

// Finish adds what still goes on, makes the indexes and the views, and makes
// the file durable. The journal is the one that the history comes from, or nil.
func (w *Writer) Finish(j journal.Journal) (Counts, error) {
	w.timeline.Open(w.lease, w.wait)
	w.registrations.open(w.registration)
	w.keep(w.meta(j))
	if w.err != nil {
		return Counts{}, wrapped(w.err)
	}
	w.counts.Events, w.counts.Effects, w.counts.Leases = w.events.rows, w.effects.rows, w.leases.rows
	w.counts.Waits, w.counts.Writes, w.counts.Deadlocks = w.waits.rows, w.writes.rows, w.deadlocks.rows
	w.counts.Clients = w.clients.rows
	if err := w.database.finish(); err != nil {
		return Counts{}, wrapped(err)
	}
	return w.counts, wrapped(synced(w.path))
}

// Close gives the database up, unless Finish has been called. The file stays.
func (w *Writer) Close() error { return wrapped(w.database.close()) }

// synced makes a file durable.
func synced(path string) error {
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer file.Close()
	return file.Sync()
}

// meta writes what is true of the history as a whole.
func (w *Writer) meta(j journal.Journal) error {
	table, err := w.database.table("meta", 2)
	if err != nil {
		return err
	}
	rules := w.start.Rules()
	rows := []property{
		{"edition", int64(rules.Edition)}, {"unit", rules.Unit.String()}, {"ticks_per_second", int64(rules.Unit)},
		{"first_event", int64(w.start.Sequence() + 1)}, {"last_event", int64(w.sequence)},
		{"clock", w.clock}, {"fingerprint", w.fingerprint.String()},
	}
	if j != nil {
		id := j.Genesis().ID
		rows = append(rows, property{"journal", digits(id[:])})
	}
	for _, row := range rows {
		if row.value == nil {
			continue
		}
		if err := table.add(row.name, row.value); err != nil {
			return err
		}
	}
	return nil
}

// property is a row of meta.
type property struct {
	name  string
	value any
}

func wrapped(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("sqlexport: %w", err)
}
