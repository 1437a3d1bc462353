package fsm_test

import (
	"testing"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/stretchr/testify/require"
)

// Every single field of every row counts: whoever changes it changes the
// fingerprint, no two changes give the same one, and Diff names the rows.
func TestEveryFieldCounts(t *testing.T) {
	roomy := takeApart(furnished(t))
	roomy.whole.Counters = fsm.Counters{Turns: 40, Ages: 40}
	roomy.lock("Q").Counter = 3
	s, err := roomy.putTogether()
	require.NoError(t, err)

	seen := map[fsm.Fingerprint]string{s.Fingerprint(): "nothing"}
	for _, test := range []struct {
		what   string
		change func(*rowsOf)
		rows   []string
	}{
		{"the edition and the unit", func(r *rowsOf) { r.whole.Rules.Unit = events.Millisecond }, []string{"rules"}},
		{"the clock", func(r *rowsOf) { r.whole.Clock++ }, []string{"clock"}},
		{"the turns", func(r *rowsOf) { r.whole.Counters.Turns++ }, []string{"turns"}},
		{"the registrations", func(r *rowsOf) { r.whole.Counters.Ages++ }, []string{"registrations"}},
		{"an age", func(r *rowsOf) { r.clients[0].Age = 20 }, []string{`age of client "amy"`}},
		{"a client more", func(r *rowsOf) { r.clients = append(r.clients, fsm.ClientRow{Name: "gus", Age: 20}) }, []string{`age of client "gus"`}},
		{"a counter", func(r *rowsOf) { r.lock("Q").Counter++ }, []string{`counter of lock "Q"`}},
		{"a mark", func(r *rowsOf) { r.lock("S").Mark++ }, []string{`mark of lock "S"`}},
		{"a key", func(r *rowsOf) { r.lock("S").Values[0].Key = "l" }, []string{`value of lock "S" key "k"`, `value of lock "S" key "l"`}},
		{"a value", func(r *rowsOf) { r.lock("S").Values[0].Value = "w" }, []string{`value of lock "S" key "k"`}},
		{"a holder", func(r *rowsOf) { r.lock("Q").Leases[0].Client = "fay" }, []string{`lease of lock "Q" number 1`}},
		{"a holder's mode", func(r *rowsOf) { r.lock("Q").Leases[0].Mode = events.Shared }, []string{`lease of lock "Q" number 1`}},
		{"a holder's token", func(r *rowsOf) { r.lock("Q").Leases[0].Token = 2 }, []string{`lease of lock "Q" number 1`, `lease of lock "Q" number 2`}},
		{"a holder's end", func(r *rowsOf) { r.lock("Q").Leases[0].ExpiresAt++ }, []string{`lease of lock "Q" number 1`}},
		{"a holder's turn", func(r *rowsOf) { r.lock("Q").Leases[0].Turn = 20 }, []string{`lease of lock "Q" number 1`}},
		{"a waiter", func(r *rowsOf) { r.lock("L").Queue[1].Client = "fay" }, []string{`waiter of lock "L" number 2`}},
		{"a waiter's mode", func(r *rowsOf) { r.lock("L").Queue[1].Mode = events.Shared }, []string{`waiter of lock "L" number 2`}},
		{"a waiter's ttl", func(r *rowsOf) { r.lock("L").Queue[1].TTL++ }, []string{`waiter of lock "L" number 2`}},
		{"a waiter's turn", func(r *rowsOf) { r.lock("L").Queue[1].Turn = 20 }, []string{`waiter of lock "L" number 2`}},
	} {
		t.Run(test.what, func(t *testing.T) {
			rows := takeApart(s)
			test.change(&rows)
			changed, err := rows.putTogether()
			require.NoError(t, err)
			var names []string
			for _, d := range fsm.Diff(s, changed) {
				names = append(names, d.Row)
			}
			require.Equal(t, test.rows, names)
			require.Empty(t, seen[changed.Fingerprint()])
			seen[changed.Fingerprint()] = test.what
		})
	}
}

// The fingerprint is part of what is stored, so it may not change from one
// version to the next.
func TestFingerprintIsForEver(t *testing.T) {
	require.Equal(t, "4748697e472445aefd5e281feb41c637", after(t, events.Current).Fingerprint().String())
	require.Equal(t, "109482636e489751502efe9fb892baac", furnished(t).Fingerprint().String())
}
