package sqlexport

import (
	"database/sql"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/leasekeeper/leasekeeper"
	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/history"
	"github.com/leasekeeper/leasekeeper/projection"
	"github.com/stretchr/testify/require"
)

// seeds are the histories that the database is held against the state machine
// for.
const seeds = 24

func forGenerated(t *testing.T, check func(t *testing.T, h history.History, seed uint64)) {
	for seed := range uint64(seeds) {
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) { check(t, generated(t, seed, 160), seed) })
	}
}

// asOf is the state at an instant, after all events that had happened by then.
func asOf(t *testing.T, h history.History, ts int64) fsm.State {
	s := fresh(t, h.Rules)
	horizon := leasekeeper.NewHorizon(h.Rules, ts)
	for _, e := range h.Events {
		part, whole := horizon.Take(e)
		if part != nil {
			s, _ = fsm.Apply(s, part)
		}
		if !whole {
			break
		}
	}
	return s.At(ts)
}

// held is what SQL finds of who held a lock at an instant.
func held(t *testing.T, db *sql.DB, lock string, ts int64) []events.Holder {
	var holders []events.Holder
	for _, row := range rows(t, db, `SELECT client, mode, token FROM leases
		WHERE lock = ?1 AND granted_at <= ?2 AND (ended_at IS NULL OR ended_at > ?2) ORDER BY token`, lock, ts) {
		holders = append(holders, events.Holder{Client: row[0].(string), Mode: modeOf(row[1]), Token: row[2].(int64)})
	}
	return holders
}

func modeOf(text any) events.Mode {
	if text == "shared" {
		return events.Shared
	}
	return events.Exclusive
}

// R2, R3, R4: who held a lock and who waited for it at any instant, by SQL, is
// what the state machine says as of that instant.
func TestHoldersAndQueueAtAnyInstant(t *testing.T) {
	forGenerated(t, func(t *testing.T, h history.History, seed uint64) {
		db := export(t, fresh(t, h.Rules), h.Events)
		random := rand.New(rand.NewPCG(seed, 1))
		instants := rows(t, db, "SELECT DISTINCT clock FROM events WHERE clock IS NOT NULL ORDER BY clock")
		for range min(25, len(instants)) {
			first, last := instants[0][0].(int64), instants[len(instants)-1][0].(int64)
			ts := instants[random.IntN(len(instants))][0].(int64) + random.Int64N(3) - 1
			ts = min(max(ts, first), last)
			s := asOf(t, h, ts)
			for lock := range s.Locks() {
				var want []events.Holder
				for _, holder := range s.Holders(lock.Name) {
					holder.ExpiresAt = 0 // the row has the end that was promised last
					want = append(want, holder)
				}
				require.Equal(t, want, held(t, db, lock.Name, ts), "seed %d, lock %q at %d", seed, lock.Name, ts)
				var queue []events.Waiter
				for _, row := range rows(t, db, `SELECT client, mode FROM waits
					WHERE lock = ?1 AND queued_at <= ?2 AND (ended_at IS NULL OR ended_at > ?2) ORDER BY queued_moment`, lock.Name, ts) {
					queue = append(queue, events.Waiter{Client: row[0].(string), Mode: modeOf(row[1])})
				}
				require.Equal(t, slices.Clone(s.Queue(lock.Name)), queue, "seed %d, lock %q at %d", seed, lock.Name, ts)
			}
		}
	})
}

// Every effect is a row, in order, with the fields that its kind sets.
func TestEffectsAreTheEffects(t *testing.T) {
	forGenerated(t, func(t *testing.T, h history.History, seed uint64) {
		db := export(t, fresh(t, h.Rules), h.Events)
		found := rows(t, db, `SELECT json_object('kind', kind, 'instant', instant, 'sequence', sequence, 'lock', lock, 'client', client,
			'mode', mode, 'token', token, 'expires_at', expires_at, 'position', position, 'key', key, 'cause', cause, 'refusal', refusal)
			FROM effects ORDER BY moment`)
		m := fsm.NewMachine(fresh(t, h.Rules))
		next := 0
		for _, e := range h.Events {
			for _, effect := range m.Apply(e).Effects {
				want := string(effect.AppendJSON(nil))
				// json_patch leaves out what is null.
				got := one(t, db, "SELECT json_patch('{}', ?)", found[next][0])
				require.JSONEq(t, want, got.(string), "seed %d, effect %d", seed, next)
				next++
			}
		}
		require.Len(t, found, next)
	})
}

// The events are those of the history, with the answers of the rules; read
// again and applied, they give the same fingerprints.
func TestEventsAreTheEvents(t *testing.T) {
	forGenerated(t, func(t *testing.T, h history.History, seed uint64) {
		db := export(t, fresh(t, h.Rules), h.Events)
		m := fsm.NewMachine(fresh(t, h.Rules))
		for i, row := range rows(t, db, "SELECT sequence, op, answer, fingerprint FROM events ORDER BY sequence") {
			e, err := h.Rules.Parse([]byte(row[1].(string)))
			require.NoError(t, err)
			require.Equal(t, h.Events[i], e)
			result := m.Apply(e)
			require.Equal(t, []any{int64(i + 1), row[1], string(result.Answer.AppendJSON(nil)), m.Fingerprint().String()}, row)
		}
		require.EqualValues(t, len(h.Events), one(t, db, "SELECT count(*) FROM events"))
		require.EqualValues(t, m.Sequence(), one(t, db, "SELECT value FROM meta WHERE name = 'last_event'"))
	})
}

// The tables agree with each other and with the state at the end: as many
// leases as grants, as many waits as requests that were queued, the store's
// last values and marks.
func TestTheTablesAddUp(t *testing.T) {
	forGenerated(t, func(t *testing.T, h history.History, seed uint64) {
		db := export(t, fresh(t, h.Rules), h.Events)
		require.Empty(t, rows(t, db, "PRAGMA foreign_key_check"))
		require.Equal(t, "ok", one(t, db, "PRAGMA integrity_check"))
		require.Empty(t, rows(t, db, "SELECT * FROM overlapping_leases")) // R9
		require.Empty(t, rows(t, db, "SELECT * FROM token_gaps"))         // R5
		require.Empty(t, rows(t, db, "SELECT * FROM differences"))
		for kind, table := range map[string]string{
			"granted": "leases", "queued": "waits", "renewed": "renewals", "written": "writes WHERE accepted", "aborted": "aborts",
			"expired": "leases WHERE end_cause = 'expiry'", "released": "leases WHERE end_cause IN ('release', 'abort')",
			"withdrawn": "waits WHERE ending IN ('withdrawn', 'aborted')",
		} {
			require.Equal(t, one(t, db, "SELECT count(*) FROM effects WHERE kind = ?", kind), one(t, db, "SELECT count(*) FROM "+table), kind)
		}
		m := fsm.NewMachine(fresh(t, h.Rules))
		for _, e := range h.Events {
			m.Apply(e)
		}
		s := m.State()
		for lock := range s.Locks() {
			require.EqualValues(t, lock.Mark, one(t, db, "SELECT coalesce(max(token), 0) FROM writes WHERE lock = ? AND accepted", lock.Name))
			for _, v := range lock.Values { // R6
				require.Equal(t, v.Value, one(t, db, "SELECT value FROM writes WHERE lock = ? AND key = ? AND accepted ORDER BY moment DESC LIMIT 1", lock.Name, v.Key))
			}
		}
		for c := range s.Clients() { // R15
			require.Equal(t, c.Age, one(t, db, "SELECT age FROM clients WHERE client = ? AND aborted_at IS NULL", c.Name))
		}
	})
}

// The view of convoys finds what the projection finds.
func TestConvoysAreThoseOfTheProjection(t *testing.T) {
	found := 0
	forGenerated(t, func(t *testing.T, h history.History, seed uint64) {
		db := export(t, fresh(t, h.Rules), h.Events)
		var want []projection.Convoy
		c := projection.NewContention(fresh(t, h.Rules), projection.ContentionOptions{Convoy: func(c projection.Convoy) { want = append(want, c) }})
		projection.Fold(fresh(t, h.Rules), slices.Values(h.Events), c)
		slices.SortFunc(want, func(a, b projection.Convoy) int { return a.Began.Compare(b.Began) })
		got := rows(t, db, `SELECT lock, began_at, began_by, ended_at, ended_by, requests, granted, longest_queue
			FROM convoys WHERE ended_at IS NOT NULL ORDER BY began_by, began_at`)
		require.Len(t, got, len(want), "seed %d", seed)
		var told [][]any
		for _, c := range want {
			told = append(told, []any{c.Lock, c.Began.Instant, int64(c.Began.Sequence), c.Ended.Instant, int64(c.Ended.Sequence),
				int64(c.Requests), int64(c.Granted), int64(c.LongestQueue)})
		}
		require.ElementsMatch(t, told, got, "seed %d", seed)
		found += len(want)
	})
	require.Positive(t, found, "no history had a convoy")
}
