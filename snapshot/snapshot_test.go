package snapshot_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/snapshot"
)

// A state that was written and read back is the same in everything that can be
// seen of it, is written as the same bytes, and goes on in the same way.
func TestWhatIsReadIsWhatWasWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rules, history := histories(t)
		cut := rapid.IntRange(0, len(history)).Draw(t, "cut")
		m := begin(t, rules)
		for _, e := range history[:cut] {
			m.Apply(e)
		}
		bytes := write(t, m.State())
		s, err := read(bytes)
		require.NoError(t, err)
		requireSame(t, m.State(), s)
		require.Equal(t, bytes, write(t, s))

		restored := fsm.NewMachine(s)
		for _, e := range history[cut:] {
			require.Equal(t, m.Apply(e), restored.Apply(e))
			require.Equal(t, m.Fingerprint(), restored.Fingerprint())
		}
		require.Equal(t, write(t, m.State()), write(t, restored.State()))
	})
}

func requireSame(t require.TestingT, a, b fsm.State) {
	require.Equal(t, a.Whole(), b.Whole())
	require.Equal(t, a.Fingerprint(), b.Fingerprint())
	require.Empty(t, fsm.Diff(a, b))
}

// How a state came about makes no difference to its bytes: here, names were
// met in another order, and some were met that have left nothing behind.
func TestEqualStatesHaveEqualBytes(t *testing.T) {
	release := func(client, lock string) events.Event { return events.Release{At: 2, Client: client, Lock: lock} }
	take := func(client, lock string) events.Event { return acquire(1, client, lock, 9, events.Exclusive) }
	a := after(t, take("a", "L"), take("b", "M"), release("a", "L"), release("b", "M"), take("c", "M"))
	b := after(t, take("a", "M"), take("b", "L"), release("a", "M"), release("b", "L"), take("c", "M"))
	require.Equal(t, a.Fingerprint(), b.Fingerprint())
	require.Equal(t, write(t, a), write(t, b))
}

// The header and the end say what a snapshot is of.
func TestInfo(t *testing.T) {
	s := after(t, small()...)
	var b bytes.Buffer
	written, err := snapshot.Write(&b, s)
	require.NoError(t, err)
	require.Equal(t, snapshot.Rows{Clients: 6, Locks: 4, Leases: 3, Requests: 3, Values: 3}, written.Rows)
	require.Equal(t, s.Whole(), written.Whole)
	require.EqualValues(t, len(small()), written.Sequence)
	require.Equal(t, s.Fingerprint(), written.Fingerprint)

	verified, err := snapshot.Verify(bytes.NewReader(b.Bytes()))
	require.NoError(t, err)
	require.Equal(t, written, verified)

	head := io.LimitReader(bytes.NewReader(b.Bytes()), 70)
	header, err := snapshot.ReadHeader(io.MultiReader(head, iotest.ErrReader(errors.New("read too far"))))
	require.NoError(t, err)
	require.Equal(t, snapshot.Info{Version: 1, Whole: s.Whole(), Fingerprint: s.Fingerprint()}, header)
}

// A fresh service has no clock, no rows and no chunk.
func TestFreshState(t *testing.T) {
	for _, rules := range []events.Rules{events.Current, {Edition: events.Edition1, Unit: events.Nanosecond}} {
		fresh, err := fsm.New(rules)
		require.NoError(t, err)
		s, err := read(write(t, fresh))
		require.NoError(t, err)
		requireSame(t, fresh, s)
	}
	_, err := snapshot.Write(io.Discard, fsm.State{})
	require.ErrorContains(t, err, "no such edition")
}

// Rows may be longer than a chunk: a queue, a value, a name. None of them is
// ever whole in a frame.
func TestRowsLongerThanAChunk(t *testing.T) {
	m := begin(t, events.Current)
	const waiters = 30_000
	for i := range waiters + 1 {
		m.Apply(acquire(1, fmt.Sprintf("client-%07d", i), "crowded", 60, events.Exclusive))
	}
	long := strings.Repeat("name ", snapshot.ChunkBytes/2)
	m.Apply(acquire(2, long, long, 60, events.Shared))
	values := map[string]string{"same": strings.Repeat("0123456789", 1<<20), "mixed": noise(3 << 20), "short": "v"}
	for key, value := range values {
		m.Apply(events.Write{At: 3, Lock: long, Key: key, Value: value, Token: 1})
	}

	var frames longest
	info, err := snapshot.Write(&frames, m.State())
	require.NoError(t, err)
	require.LessOrEqual(t, frames.most, snapshot.MaxFrameBytes)
	require.EqualValues(t, waiters, info.Rows.Requests)
	s, err := snapshot.Read(iotest.HalfReader(&frames.Buffer))
	require.NoError(t, err)
	requireSame(t, m.State(), s)
	for key, value := range values {
		got, _ := s.Value(long, key)
		require.True(t, value == got, key)
	}
}

// longest is a buffer that knows the longest call of its Write.
type longest struct {
	bytes.Buffer
	most int
}

func (l *longest) Write(b []byte) (int, error) {
	l.most = max(l.most, len(b))
	return l.Buffer.Write(b)
}

// noise is text that does not compress well.
func noise(length int) string {
	b := make([]byte, length)
	for i, x := 0, uint32(1); i < length; i++ {
		x = x*1664525 + 1013904223
		b[i] = ' ' + byte(x>>25)%95
	}
	return string(b)
}

// Errors of the stream itself say nothing of the bytes and keep their cause.
func TestErrorsOfTheStream(t *testing.T) {
	broken := errors.New("disk on fire")
	for frame := range 3 {
		_, err := snapshot.Write(&brokenWriter{frame, broken}, after(t, small()...))
		require.ErrorIs(t, err, broken)
		require.ErrorContains(t, err, fmt.Sprintf("snapshot: write chunk %d: ", frame))
	}

	whole := write(t, after(t, small()...))
	for n := range whole {
		_, err := snapshot.Read(io.MultiReader(bytes.NewReader(whole[:n]), iotest.ErrReader(broken)))
		require.ErrorIs(t, err, broken)
		require.NotErrorIs(t, err, snapshot.ErrCorrupt)
	}
}

// brokenWriter takes so many frames and then fails.
type brokenWriter struct {
	frames int
	err    error
}

func (w *brokenWriter) Write(b []byte) (int, error) {
	if w.frames--; w.frames < 0 {
		return 0, w.err
	}
	return len(b), nil
}

// A state as of an instant before the first event is empty, but has a clock.
func TestEmptyStateWithAClock(t *testing.T) {
	fresh, err := fsm.New(events.Current)
	require.NoError(t, err)
	for _, s := range []fsm.State{fresh, fresh.At(5), fresh.At(-7)} {
		var b bytes.Buffer
		_, err := snapshot.Write(&b, s)
		require.NoError(t, err)
		back, err := snapshot.Read(&b)
		require.NoError(t, err)
		require.Empty(t, fsm.Diff(s, back))
	}
}
