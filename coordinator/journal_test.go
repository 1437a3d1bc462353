package coordinator

import (
	"context"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/leasekeeper/leasekeeper"
	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/journal"
	"github.com/stretchr/testify/require"
)

// A lease outlives the process: its ID renews it, its token is good, and the
// tokens go on. What had ended, or is another's, is not found.
func TestRestartKeepsLeases(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	clock := NewManualClock(noon)
	open := func() (*Coordinator, *leasekeeper.Keeper) {
		k, err := leasekeeper.Open(path, leasekeeper.Options{Rules: rules})
		require.NoError(t, err)
		c, err := New(WithClock(clock), WithJournal(k))
		require.NoError(t, err)
		return c, k
	}
	c, k := open()
	kept, ends := grant(t, c, "kept", time.Minute), grant(t, c, "ends", time.Second)
	gone := grant(t, c, "gone", time.Minute)
	require.NoError(t, c.Release(t.Context(), "gone", gone.ID))
	tidy(t, c, clock)
	require.NoError(t, k.Close())

	clock.Advance(10 * time.Second)
	c, k = open()
	require.True(t, c.CheckToken("kept", kept.Token))
	require.False(t, c.CheckToken("ends", ends.Token))
	renewed, err := c.Renew(t.Context(), "kept", kept.ID, time.Minute)
	require.NoError(t, err)
	require.Equal(t, kept.Token, renewed.Token)
	_, err = c.Renew(t.Context(), "ends", ends.ID, time.Minute)
	require.ErrorIs(t, err, ErrLeaseExpired)
	_, err = c.Renew(t.Context(), "gone", gone.ID, time.Minute)
	require.ErrorIs(t, err, ErrLeaseNotFound)
	require.EqualValues(t, 2, grant(t, c, "ends", time.Second).Token)
	require.EqualValues(t, 2, grant(t, c, "gone", time.Second).Token)
	tidy(t, c, clock)
	require.Len(t, c.pool.names, 3, "a new process lends the same names")
	require.NoError(t, k.Close())

	clock.Set(noon) // the new process has a clock that is behind
	c, k = open()
	require.True(t, c.CheckToken("kept", kept.Token))
	require.NotZero(t, c.ClockWentBack())
	require.NoError(t, k.Close())
	j, err := journal.Open(path, journal.Options{ReadOnly: true})
	require.NoError(t, err)
	prove(t, j)
	require.NoError(t, j.Close())
}

// Requests of a process that died are withdrawn, also those that have become
// leases since; what other programs wrote is respected.
func TestRestartLeavesNoGhosts(t *testing.T) {
	for later, next := range map[time.Duration]uint64{
		time.Second:      2, // nobody of the queue had a turn
		15 * time.Second: 3, // the second one's lease is ended, and not handed on
		time.Hour:        5, // all four have come and gone (R3)
	} {
		j := memoryJournal(t)
		k := keep(t, j)
		for _, client := range []string{"holder-2", "someone", "holder-1", "holder-7"} {
			_, err := k.Do(t.Context(), events.Acquire{
				At: noon.UnixNano(), Client: client, Lock: "k", TTL: int64(10 * time.Second), Mode: events.Exclusive,
			})
			require.NoError(t, err)
		}
		clock := NewManualClock(noon.Add(later))
		c, err := New(WithClock(clock), WithJournal(k))
		require.NoError(t, err)
		token, held := c.Token("k")
		require.Equal(t, later == time.Second, held, "only the lease that was there before: token %d", token)
		require.Empty(t, stateOf(c).Queue("k"))
		clock.Advance(10 * time.Second)
		require.Equal(t, next, grant(t, c, "k", time.Second).Token)
		for i := range 10 {
			_, err := c.Grant(t.Context(), string(rune('a'+i)), time.Second)
			require.NoError(t, err)
		}
		tidy(t, c, clock)
		prove(t, j)
		require.NoError(t, k.Close())
	}
}

// A journal that a coordinator cannot work with is refused.
func TestWrongJournalsAreRefused(t *testing.T) {
	for _, other := range []events.Rules{
		{Edition: events.Edition3, Unit: events.Second}, {Edition: events.Edition2, Unit: events.Nanosecond},
	} {
		genesis, err := journal.NewGenesis(other, nil)
		require.NoError(t, err)
		j, err := journal.NewMemory(genesis)
		require.NoError(t, err)
		k := keep(t, j)
		_, err = New(WithJournal(k))
		require.ErrorIs(t, err, ErrOptions)
		require.NoError(t, k.Close())
	}
	k := keep(t, memoryJournal(t))
	_, err := k.Do(t.Context(), events.Acquire{Client: "r", Lock: "k", TTL: 1, Mode: events.Shared})
	require.NoError(t, err)
	_, err = New(WithJournal(k))
	require.ErrorIs(t, err, ErrOptions)
	require.NoError(t, k.Close())
}

// Somebody else writes to the journal: the coordinator notices with its next
// event, and stops.
func TestForeignWriterStopsTheCoordinator(t *testing.T) {
	k := keep(t, memoryJournal(t))
	c, err := New(WithClock(NewManualClock(noon)), WithJournal(k))
	require.NoError(t, err)
	lease := grant(t, c, "k", time.Second)
	_, err = k.Do(t.Context(), events.Inspect{At: noon.UnixNano(), Lock: "k"})
	require.NoError(t, err)
	_, err = c.Renew(t.Context(), "k", lease.ID, time.Second)
	require.ErrorIs(t, err, ErrJournalShared)
	require.False(t, c.CheckToken("k", 1))
	require.True(t, closed(lease.Done()))
	require.NoError(t, k.Close())
}

// Every refusal leaves a trace in the journal that shows why.
func TestRefusalsLeaveATrace(t *testing.T) {
	j, clock := memoryJournal(t), NewManualClock(noon)
	k := keep(t, j)
	c, err := New(WithClock(clock), WithJournal(k), WithDefaultMargin(0))
	require.NoError(t, err)
	lease := grant(t, c, "k", time.Second)
	_, err = c.Grant(t.Context(), "k", time.Second)
	require.ErrorIs(t, err, ErrLeaseHeld)
	clock.Advance(time.Second)
	_, err = c.Renew(t.Context(), "k", lease.ID, time.Second)
	require.ErrorIs(t, err, ErrLeaseExpired)
	require.ErrorIs(t, c.Release(t.Context(), "k", lease.ID), ErrLeaseExpired)
	require.ErrorIs(t, c.Release(t.Context(), "k", "?"), ErrLeaseNotFound)
	var got []string
	_, err = leasekeeper.Replay(j, leasekeeper.ReplayOptions{Each: func(s *leasekeeper.Step) error {
		got = append(got, s.Event.Operation()+" "+string(s.Result.Answer.AppendJSON(nil)))
		return nil
	}})
	require.NoError(t, err)
	require.Equal(t, []string{
		`acquire ["granted",1,1906545601000000000]`,
		`inspect {"holders":[["holder-1","exclusive",1,1906545601000000000]],"queue":[]}`,
		`renew "error: not holder"`,
		`release "error: not holder"`,
		`inspect {"holders":[],"queue":[]}`,
	}, got)
	require.NoError(t, k.Close())
}

// gated is a journal whose commits wait, or fail.
type gated struct {
	journal.Journal
	gate chan error // of each commit, how it ends; nil lets all pass
}

// Append implements journal.Journal.
func (g *gated) Append(records ...journal.Record) error {
	if g.gate != nil {
		if err := <-g.gate; err != nil {
			return err
		}
	}
	return g.Journal.Append(records...)
}

// onGate tells a story to a coordinator whose commits wait for the gate.
func onGate(t *testing.T, story func(t *testing.T, c *Coordinator, gate chan error)) {
	synctest.Test(t, func(t *testing.T) {
		gate := make(chan error)
		k := keep(t, &gated{memoryJournal(t), gate})
		c, err := New(WithJournal(k), WithDefaultMargin(0))
		require.NoError(t, err)
		story(t, c, gate)
		close(gate)
		synctest.Wait()
		require.NoError(t, c.Close())
		require.NoError(t, k.Close())
	})
}

// Nothing is told before it is durable: neither the lease nor its token.
func TestAnswersWaitForTheDisk(t *testing.T) {
	onGate(t, func(t *testing.T, c *Coordinator, gate chan error) {
		got, checked := make(chan *Lease, 1), make(chan bool, 1)
		go func() { got <- grant(t, c, "k", time.Hour) }()
		synctest.Wait()
		go func() { checked <- c.CheckToken("k", 1) }()
		synctest.Wait()
		require.Empty(t, got)
		require.Empty(t, checked)
		gate <- nil
		require.EqualValues(t, 1, (<-got).Token)
		require.True(t, <-checked)
	})
}

// A commit fails: whoever waits for it hears so, nothing is told, and the
// coordinator stops.
func TestFailedCommitStopsTheCoordinator(t *testing.T) {
	onGate(t, func(t *testing.T, c *Coordinator, gate chan error) {
		errs, checked := make(chan error, 2), make(chan bool, 1)
		go func() { _, err := c.Grant(t.Context(), "k", time.Hour); errs <- err }()
		synctest.Wait()
		go func() { _, err := c.Wait(t.Context(), "k", time.Hour); errs <- err }()
		go func() { checked <- c.CheckToken("k", 1) }()
		synctest.Wait()
		gate <- journal.ErrFailed
		for range 2 {
			require.ErrorIs(t, <-errs, journal.ErrFailed)
		}
		require.False(t, <-checked)
		require.Error(t, c.Err())
		_, err := c.Grant(t.Context(), "other", time.Second)
		require.ErrorIs(t, err, c.Err())
	})
}

// A hand-over is on its way to the disk when the waiter's context ends: the
// lease is released again, and the next in line has it.
func TestContextEndsBeforeTheHandOverIsDurable(t *testing.T) {
	onGate(t, func(t *testing.T, c *Coordinator, gate chan error) {
		step := func(do func()) {
			go do()
			synctest.Wait()
		}
		first := make(chan *Lease, 1)
		step(func() { first <- grant(t, c, "k", time.Second) })
		gate <- nil
		ctx, cancel := context.WithCancel(t.Context())
		gone, got := make(chan error, 1), make(chan *Lease, 1)
		step(func() { _, err := c.Wait(ctx, "k", time.Hour); gone <- err })
		gate <- nil
		step(func() { lease, _ := c.Wait(t.Context(), "k", time.Hour); got <- lease })
		gate <- nil
		<-first
		time.Sleep(time.Second) // the alarm rings, its event waits
		synctest.Wait()
		require.Empty(t, gone)
		cancel()
		require.Equal(t, &Error{Op: "wait", Key: "k", Err: context.Canceled}, <-gone)
		synctest.Wait()
		gate <- nil
		gate <- nil
		lease := <-got
		require.EqualValues(t, 3, lease.Token)
		require.True(t, c.CheckToken("k", 3))
	})
}

// The context ends while the grant is on its way to the disk: it is released
// again, and nobody has the key.
func TestContextEndsBeforeTheGrantIsDurable(t *testing.T) {
	onGate(t, func(t *testing.T, c *Coordinator, gate chan error) {
		ctx, cancel := context.WithCancel(t.Context())
		for _, ask := range []func() (*Lease, error){
			func() (*Lease, error) { return c.Grant(ctx, "granted", time.Hour) },
			func() (*Lease, error) { return c.Wait(ctx, "waited for", time.Hour) },
		} {
			go func() {
				_, err := ask()
				require.ErrorIs(t, err, context.Canceled)
				require.NotErrorIs(t, err, leasekeeper.ErrUndecided, "it is given back")
			}()
		}
		synctest.Wait()
		cancel()
		synctest.Wait()
		for range 2 { // the first commit, and all that gathered behind it
			gate <- nil
			synctest.Wait()
		}
		for _, key := range []string{"granted", "waited for"} {
			_, held := c.Token(key)
			require.False(t, held, key)
		}
		require.Empty(t, c.untold)
	})
}
