package naive_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/leasekeeper/leasekeeper/events"
)

// incident is a report from production: what was asked, what the rules
// answer, and what was answered instead, which one deviation explains.
type incident struct {
	report, deviation string
	steps             []step
}

// step is one operation with the answer that the rules require, and the
// answer that production gave if it was another one.
type step struct{ operation, rules, production string }

var incidents = []incident{
	{
		report:    "INC-5127: two jobs wrote the same export (R2, R3, R6)",
		deviation: "renew-at-expiry",
		steps: []step{
			{`["acquire", 0, "etl-a", "exports/daily", 30]`, `["granted",1,30]`, ``},
			{`["acquire", 5, "etl-b", "exports/daily", 20]`, `["queued",1]`, ``},
			{`["acquire", 8, "etl-c", "exports/daily", 15]`, `["queued",2]`, ``},
			{`["write", 20, "exports/daily", "part-1", "a:rows 1-100", 1]`, `"ok"`, ``},
			// The lease [0, 30) is over at 30, and etl-b's has begun.
			{`["renew", 30, "etl-a", "exports/daily", 30]`, `"error: not holder"`, `["renewed",60]`},
			{`["write", 31, "exports/daily", "part-1", "b:rows 1-100", 2]`, `"ok"`, ``},
			{`["write", 32, "exports/daily", "part-1", "a:rows 101-200", 1]`, `"error: stale token"`, ``},
			{
				`["inspect", 55, "exports/daily"]`,
				`{"holders":[["etl-c","exclusive",3,65]],"queue":[]}`,
				`{"holders":[["etl-a","exclusive",1,60]],"queue":[["etl-b","exclusive"],["etl-c","exclusive"]]}`,
			},
			{`["read", 56, "exports/daily", "part-1"]`, `"b:rows 1-100"`, ``},
		},
	},
	{
		report:    "INC-5131: the first write under a lock that sat idle overnight was refused as stale (R5)",
		deviation: "counter-reset-when-idle",
		steps: []step{
			{`["acquire", 0, "job-6", "reports", 60]`, `["granted",1,60]`, ``},
			{`["acquire", 5, "job-5", "reports", 60]`, `["queued",1]`, ``},
			{`["write", 70, "reports", "daily", "evening", 2]`, `"ok"`, ``},
			{`["acquire", 40000, "job-7", "reports", 60]`, `["granted",3,40060]`, `["granted",1,40060]`},
			// In production job-7 came with the token that it had been given.
			{`["write", 40001, "reports", "daily", "morning", 1]`, `"error: stale token"`, ``},
		},
	},
	{
		report:    "INC-5133: two jobs held a lock with one token, one after the other (R5)",
		deviation: "queue-grant-keeps-token",
		steps: []step{
			{`["acquire", 0, "job-1", "reports", 60]`, `["granted",1,60]`, ``},
			{`["acquire", 5, "job-2", "reports", 60]`, `["queued",1]`, ``},
			{`["release", 10, "job-1", "reports"]`, `"released"`, ``},
			{
				`["inspect", 10, "reports"]`,
				`{"holders":[["job-2","exclusive",2,70]],"queue":[]}`,
				`{"holders":[["job-2","exclusive",1,70]],"queue":[]}`,
			},
			{`["write", 11, "reports", "daily", "two", 1]`, `"ok"`, ``},
		},
	},
	{
		report:    "INC-5138: a release after the lease had run out gave the next in line a second lease (R7)",
		deviation: "release-ignores-expiry",
		steps: []step{
			{`["acquire", 0, "job-1", "reports", 60]`, `["granted",1,60]`, ``},
			{`["acquire", 5, "job-2", "reports", 60]`, `["queued",1]`, ``},
			{`["release", 90, "job-1", "reports"]`, `"error: not holder"`, `"released"`},
			{
				`["inspect", 90, "reports"]`,
				`{"holders":[["job-2","exclusive",2,120]],"queue":[]}`,
				`{"holders":[["job-2","exclusive",2,120],["job-2","exclusive",3,150]],"queue":[]}`,
			},
		},
	},
	{
		report:    "INC-5140: the holder's second write under its token was refused (R6)",
		deviation: "store-requires-higher",
		steps: []step{
			{`["acquire", 0, "job-1", "reports", 60]`, `["granted",1,60]`, ``},
			{`["write", 1, "reports", "daily", "x", 1]`, `"ok"`, ``},
			{`["write", 2, "reports", "weekly", "y", 1]`, `"ok"`, `"error: stale token"`},
			{`["read", 3, "reports", "weekly"]`, `"y"`, `null`},
		},
	},
	{
		report:    "INC-5144: etl-b's lease started when somebody looked at the lock (R3)",
		deviation: "hand-over-at-observation",
		steps: []step{
			{`["acquire", 0, "etl-a", "exports/daily", 30]`, `["granted",1,30]`, ``},
			{`["acquire", 5, "etl-b", "exports/daily", 20]`, `["queued",1]`, ``},
			{
				`["inspect", 42, "exports/daily"]`,
				`{"holders":[["etl-b","exclusive",2,50]],"queue":[]}`,
				`{"holders":[["etl-b","exclusive",2,62]],"queue":[]}`,
			},
		},
	},
}

func TestIncidentsAreExplainedByOneDeviation(t *testing.T) {
	for _, incident := range incidents {
		t.Run(incident.report, func(t *testing.T) {
			var operations []json.RawMessage
			var rules, production []string
			for _, s := range incident.steps {
				operations = append(operations, json.RawMessage(s.operation))
				rules = append(rules, s.rules)
				if s.production == "" {
					s.production = s.rules
				}
				production = append(production, s.production)
			}
			require.Equal(t, rules, answers(t, events.Current, operations), "by the rules")
			require.Equal(t, production, answers(t, events.Current, operations, incident.deviation), "in production")
		})
	}
}
