package conformance

import (
	"context"
	"testing"
	"time"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/history"
	"github.com/stretchr/testify/require"
)

// short is a time that a program that hangs lets pass. Nothing is asserted about
// how long anything took: that these tests end is what they test.
const short = 300 * time.Millisecond

func TestHangs(t *testing.T) {
	for _, test := range []struct {
		helper   string
		protocol Protocol
	}{
		{"silent", Stream},
		{"silent", Process},
		{"ignore-signals", Stream},
		{"stop-at-3", Stream},
		{"process-opened", Process},
		{"forking", Stream},
		{"forking", Process},
	} {
		t.Run(test.helper+"/"+test.protocol.String(), func(t *testing.T) {
			t.Parallel()
			verdict := judged(t, test.helper, test.protocol, short)
			require.IsType(t, Hang{}, verdict)
			require.Equal(t, KindHang, verdict.Kind())
			require.Equal(t, 5, verdict.Kind().ExitCode())
			require.LessOrEqual(t, verdict.(Hang).Answered, 2)
		})
	}
}

// A program that has answered everything has to go, too.
func TestAProcessThatDoesNotExitHangs(t *testing.T) {
	t.Parallel()
	verdict := judged(t, "process-stays", Process, 2*time.Second)
	require.Equal(t, "hang after 5 answers, all that there had to be: no end of it within 2s", verdict.String())
}

// Who closes the output has said that nothing more will come, whether or not the
// process goes on.
func TestClosedOutputIsAWrongCount(t *testing.T) {
	t.Parallel()
	verdict := judged(t, "close-output", Stream, 2*time.Second)
	require.Equal(t, "wrong count: 2 answers to 5 operations", verdict.String())
}

// Operations that nobody reads fill the pipe. They are not written for ever.
func TestAProgramThatDoesNotReadHangs(t *testing.T) {
	t.Parallel()
	program := target(t, "never-read", Stream)
	program.Timeout = short
	h := history.History{Rules: events.Current}
	for range 100_000 {
		h.Events = append(h.Events, events.Inspect{Lock: "L"})
	}
	verdict, err := open(t, program).Run(context.Background(), h)
	require.NoError(t, err)
	require.IsType(t, Hang{}, verdict)
}

// Output without end needs neither memory nor time without end.
func TestOutputWithoutEnd(t *testing.T) {
	for _, test := range []struct {
		helper   string
		protocol Protocol
		verdict  string
	}{
		{"endless-line", Stream, `garbage after 0 answers: a line that does not end at byte 0: "[1,`},
		{"process-endless", Process, `garbage after 0 answers: output that does not end at byte 0: "[1,`},
	} {
		t.Run(test.helper, func(t *testing.T) {
			t.Parallel()
			verdict := judged(t, test.helper, test.protocol, time.Minute)
			require.Contains(t, verdict.String(), test.verdict)
			require.Less(t, len(verdict.String()), 500)
		})
	}
}

// A caller who has had enough gets his error, and no verdict.
func TestTheContextEndsARun(t *testing.T) {
	for _, protocol := range []Protocol{Stream, Process} {
		ctx, cancel := context.WithCancel(context.Background())
		session := open(t, target(t, "silent", protocol))
		go cancel()
		_, err := session.Run(ctx, parse(t, night...))
		require.ErrorIs(t, err, context.Canceled)
		_, err = session.Run(ctx, parse(t, night...))
		require.ErrorIs(t, err, context.Canceled)
	}
}
