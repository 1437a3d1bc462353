package conformance

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// night is a history of five operations that every helper is given. The renew at
// 30 comes at the instant at which the lease ends (R2).
var night = []string{
	`["acquire",0,"a","L",30]`,
	`["acquire",5,"b","L",30]`,
	`["renew",30,"a","L",30]`,
	`["release",35,"b","L"]`,
	`["inspect",40,"L"]`,
}

func judged(t *testing.T, helper string, protocol Protocol, timeout time.Duration) Verdict {
	t.Helper()
	program := target(t, helper, protocol)
	program.Timeout = timeout
	verdict, err := open(t, program).Run(context.Background(), parse(t, night...))
	require.NoError(t, err)
	return verdict
}

func TestVerdictsAreKeptApart(t *testing.T) {
	for _, test := range []struct {
		helper   string
		protocol Protocol
		verdict  string
	}{
		{"stream", Stream, `agrees in 5 answers`},
		{"process", Process, `agrees in 5 answers`},
		{"process-lines", Process, `agrees in 5 answers`},
		{"process-pretty", Process, `agrees in 5 answers`},
		{"process-bom", Process, `agrees in 5 answers`},

		{"stream-late", Stream, `wrong answer to #3 ["renew",30,"a","L",30]: required "error: not holder", given ["renewed",60]`},
		{"process-late", Process, `wrong answer to #3 ["renew",30,"a","L",30]: required "error: not holder", given ["renewed",60]`},

		{"exit-7", Stream, `crash after 2 answers: exit status 7`},
		{"kill-itself", Stream, `crash after 2 answers: signal: killed`},
		{"exit-7-at-once", Stream, `crash after 0 answers: exit status 7`},
		{"exit-7-at-once", Process, `crash after 0 answers: exit status 7`},
		{"process-exit-7", Process, `crash after 5 answers: exit status 7`},
		{"process-cut", Process, `crash after 1 answer: exit status 7`},

		{"exit-0", Stream, `wrong count: 2 answers to 5 operations`},
		{"skip-3", Stream, `wrong count: 4 answers to 5 operations; the first that differs is #3`},
		{"twice-at-3", Stream, `wrong count: 6 answers to 5 operations; the first that differs is #3`},
		{"endless-answers", Stream, `wrong count: more than 1006 answers to 5 operations; the first that differs is #1`},
		{"process-few", Process, `wrong count: 4 answers to 5 operations; the first that differs is #1`},
		{"process-many", Process, `wrong count: 10 answers to 5 operations`},
		{"process-nothing", Process, `wrong count: 0 answers to 5 operations`},

		{"prose-at-3", Stream, `garbage after 2 answers: no JSON at byte 0: "DEBUG renewing"`},
		{"latin1-at-3", Stream, `garbage after 2 answers: no UTF-8 at byte 4: "\"caf\xe9\""`},
		{"nan-at-3", Stream, `garbage after 2 answers: no JSON at byte 12: "[\"renewed\", NaN]"`},
		{"chatty", Stream, `garbage after 0 answers: {"ready":true} is the reply to a reset, not this at byte 0: "Listening…"`},
		{"ready-and-more", Stream, `garbage after 0 answers: output that nothing had asked for at byte 0: "[\"granted\",1,30]\n"`},
		{"process-prose", Process, `garbage after 5 answers: no JSON at byte 89: "rs\":[],\"queue\":[]}]\nDone.\n"`},
		{"process-latin1", Process, `garbage after 0 answers: no UTF-8 at byte 5: "[\"caf\xe9\"]"`},
	} {
		t.Run(test.helper+"/"+test.protocol.String(), func(t *testing.T) {
			t.Parallel()
			require.Equal(t, test.verdict, judged(t, test.helper, test.protocol, time.Minute).String())
		})
	}
}
