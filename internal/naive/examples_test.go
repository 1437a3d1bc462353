package naive_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/internal/naive"
)

// example is a history in which every effect is spelt out.
type example struct {
	name       string
	operations []string
	answers    []string
	effects    [][]events.Effect // by operation; without sequences, which the test adds
}

func granted(at int64, lock, client string, mode events.Mode, token, end int64, cause events.Cause) events.Effect {
	return events.Effect{
		Kind: events.EffectGranted, Instant: at, Lock: lock, Client: client, Mode: mode,
		Token: token, ExpiresAt: end, Cause: cause,
	}
}

func expired(lock, client string, mode events.Mode, token, end int64) events.Effect {
	return events.Effect{
		Kind: events.EffectExpired, Instant: end, Lock: lock, Client: client, Mode: mode,
		Token: token, ExpiresAt: end, Cause: events.CauseExpiry,
	}
}

func released(at int64, lock, client string, token, end int64, cause events.Cause) events.Effect {
	return events.Effect{
		Kind: events.EffectReleased, Instant: at, Lock: lock, Client: client, Mode: events.Exclusive,
		Token: token, ExpiresAt: end, Cause: cause,
	}
}

func queued(at int64, lock, client string, mode events.Mode, position int) events.Effect {
	return events.Effect{
		Kind: events.EffectQueued, Instant: at, Lock: lock, Client: client, Mode: mode, Position: position,
	}
}

func withdrawn(at int64, lock, client string, cause events.Cause) events.Effect {
	return events.Effect{
		Kind: events.EffectWithdrawn, Instant: at, Lock: lock, Client: client, Mode: events.Exclusive, Cause: cause,
	}
}

func aborted(at int64, client string) events.Effect {
	return events.Effect{Kind: events.EffectAborted, Instant: at, Client: client, Cause: events.CauseAbort}
}

func refused(at int64, refusal events.Refusal, lock, client string) events.Effect {
	return events.Effect{Kind: events.EffectRefused, Instant: at, Refusal: refusal, Lock: lock, Client: client}
}

const (
	exclusive = events.Exclusive
	shared    = events.Shared
)

var examples = []example{
	{
		name: "readers, then a writer from the last reader's end (R9, R10, R11, R12)",
		operations: []string{
			`["acquire", 0, "r1", "cfg", 50, "shared"]`,
			`["acquire", 1, "r2", "cfg", 20, "shared"]`,
			`["acquire", 2, "w1", "cfg", 30]`,
			`["acquire", 3, "r3", "cfg", 10, "shared"]`,
			`["inspect", 4, "cfg"]`,
			`["inspect", 50, "cfg"]`,
			`["inspect", 80, "cfg"]`,
		},
		answers: []string{
			`["granted",1,50]`, `["granted",2,21]`, `["queued",1]`, `["queued",2]`,
			`{"holders":[["r1","shared",1,50],["r2","shared",2,21]],"queue":[["w1","exclusive"],["r3","shared"]]}`,
			`{"holders":[["w1","exclusive",3,80]],"queue":[["r3","shared"]]}`,
			`{"holders":[["r3","shared",4,90]],"queue":[]}`,
		},
		effects: [][]events.Effect{
			{granted(0, "cfg", "r1", shared, 1, 50, events.CauseFree)},
			{granted(1, "cfg", "r2", shared, 2, 21, events.CauseFree)},
			{queued(2, "cfg", "w1", exclusive, 1)},
			{queued(3, "cfg", "r3", shared, 2)},
			nil,
			{
				expired("cfg", "r2", shared, 2, 21),
				expired("cfg", "r1", shared, 1, 50),
				granted(50, "cfg", "w1", exclusive, 3, 80, events.CauseExpiry),
			},
			{
				expired("cfg", "w1", exclusive, 3, 80),
				granted(80, "cfg", "r3", shared, 4, 90, events.CauseExpiry),
			},
		},
	},
	{
		name: "the younger of two jobs is aborted (R15, R18, R19, R20, R22)",
		operations: []string{
			`["acquire", 0, "alice", "L1", 100]`,
			`["acquire", 1, "bob", "L2", 100]`,
			`["acquire", 2, "bob", "L1", 100]`,
			`["acquire", 3, "alice", "L2", 100]`,
			`["status", 4, "bob"]`,
			`["status", 4, "alice"]`,
			`["inspect", 4, "L1"]`,
		},
		answers: []string{
			`["granted",1,100]`, `["granted",1,101]`, `["queued",1]`, `["granted",2,103,["bob"]]`,
			`{"age":null,"holds":[],"waiting":null}`,
			`{"age":1,"holds":[["L1","exclusive",1,100],["L2","exclusive",2,103]],"waiting":null}`,
			`{"holders":[["alice","exclusive",1,100]],"queue":[]}`,
		},
		effects: [][]events.Effect{
			{granted(0, "L1", "alice", exclusive, 1, 100, events.CauseFree)},
			{granted(1, "L2", "bob", exclusive, 1, 101, events.CauseFree)},
			{queued(2, "L1", "bob", exclusive, 1)},
			{
				queued(3, "L2", "alice", exclusive, 1),
				aborted(3, "bob"),
				withdrawn(3, "L1", "bob", events.CauseAbort),
				released(3, "L2", "bob", 1, 101, events.CauseAbort),
				granted(3, "L2", "alice", exclusive, 2, 103, events.CauseAbort),
			},
			nil, nil, nil,
		},
	},
	{
		name: "a waiter ahead of the requester lies on the cycle (R16, R18)",
		operations: []string{
			`["acquire", 0, "H", "L", 100]`,
			`["acquire", 1, "Z", "M", 100]`,
			`["acquire", 2, "Y", "L", 100]`,
			`["acquire", 3, "H", "M", 100]`,
			`["acquire", 4, "Z", "L", 100]`,
		},
		answers: []string{
			`["granted",1,100]`, `["granted",1,101]`, `["queued",1]`, `["queued",1]`, `["deadlock",["Y","Z"]]`,
		},
		effects: [][]events.Effect{
			{granted(0, "L", "H", exclusive, 1, 100, events.CauseFree)},
			{granted(1, "M", "Z", exclusive, 1, 101, events.CauseFree)},
			{queued(2, "L", "Y", exclusive, 1)},
			{queued(3, "M", "H", exclusive, 1)},
			{
				queued(4, "L", "Z", exclusive, 2),
				aborted(4, "Y"),
				withdrawn(4, "L", "Y", events.CauseAbort),
				aborted(4, "Z"),
				withdrawn(4, "L", "Z", events.CauseAbort),
				released(4, "M", "Z", 1, 101, events.CauseAbort),
				granted(4, "M", "H", exclusive, 2, 104, events.CauseAbort),
			},
		},
	},
	{
		name: "leases lapse in a chain, and at one instant by grant (R1, R3)",
		operations: []string{
			`["acquire", -5, "a", "M", 15]`,
			`["acquire", 0, "b", "L", 10]`,
			`["acquire", 0, "c", "L", 5]`,
			`["acquire", 0, "d", "L", 90]`,
			`["lock", 40]`,
			`["read", 30]`,
		},
		answers: []string{
			`["granted",1,10]`, `["granted",1,10]`, `["queued",1]`, `["queued",2]`,
			`"error: unknown operation"`, `"error: invalid arguments"`,
		},
		effects: [][]events.Effect{
			{granted(-5, "M", "a", exclusive, 1, 10, events.CauseFree)},
			{granted(0, "L", "b", exclusive, 1, 10, events.CauseFree)},
			{queued(0, "L", "c", exclusive, 1)},
			{queued(0, "L", "d", exclusive, 2)},
			{refused(0, events.UnknownOperation, "", "")},
			{
				expired("M", "a", exclusive, 1, 10),
				expired("L", "b", exclusive, 1, 10),
				granted(10, "L", "c", exclusive, 2, 15, events.CauseExpiry),
				expired("L", "c", exclusive, 2, 15),
				granted(15, "L", "d", exclusive, 3, 105, events.CauseExpiry),
				refused(30, events.InvalidArguments, "", ""),
			},
		},
	},
	{
		name: "release, withdrawal, renewal and writing (R2, R6, R7, R13, R26)",
		operations: []string{
			`["acquire", 0, "a", "L", 10, "shared"]`,
			`["acquire", 0, "b", "L", 10]`,
			`["acquire", 0, "c", "L", 10, "shared"]`,
			`["release", 1, "b", "L"]`,
			`["renew", 2, "a", "L", 3]`,
			`["write", 2, "L", "k", "v", 7]`,
			`["write", 2, "L", "k", "v", 6]`,
			`["release", 1, "c", "L"]`,
			`["release", 3, "b", "L"]`,
		},
		answers: []string{
			`["granted",1,10]`, `["queued",1]`, `["queued",2]`, `"withdrawn"`, `["renewed",5]`, `"ok"`,
			`"error: stale token"`, `"error: clock went back"`, `"error: not holder"`,
		},
		effects: [][]events.Effect{
			{granted(0, "L", "a", shared, 1, 10, events.CauseFree)},
			{queued(0, "L", "b", exclusive, 1)},
			{queued(0, "L", "c", shared, 2)},
			{
				withdrawn(1, "L", "b", events.CauseRelease),
				granted(1, "L", "c", shared, 2, 11, events.CauseWithdrawal),
			},
			{{Kind: events.EffectRenewed, Instant: 2, Lock: "L", Client: "a", Mode: shared, Token: 1, ExpiresAt: 5}},
			{{Kind: events.EffectWritten, Instant: 2, Lock: "L", Key: "k", Token: 7}},
			{{Kind: events.EffectRefused, Instant: 2, Refusal: events.StaleToken, Lock: "L", Key: "k", Token: 6}},
			{refused(1, events.ClockWentBack, "L", "c")},
			{refused(3, events.NotHolder, "L", "b")},
		},
	},
	{
		name: "what a repeat does inside is told one by one (R27, R28)",
		operations: []string{
			`["repeat", 0, 2, 1, ["acquire", "job{i}", "L", 1]]`,
			`["repeat", 2, 1, 0, ["lock", "L"]]`,
			`["repeat", 2, 0, 0, ["inspect", "L"]]`,
		},
		answers: []string{
			`{"ops":2,"results":{"granted":2}}`,
			`{"ops":1,"results":{"error: unknown operation":1}}`,
			`"error: invalid arguments"`,
		},
		effects: [][]events.Effect{
			{
				granted(0, "L", "job0", exclusive, 1, 1, events.CauseFree),
				expired("L", "job0", exclusive, 1, 1),
				granted(1, "L", "job1", exclusive, 2, 2, events.CauseFree),
			},
			{expired("L", "job1", exclusive, 2, 2), refused(2, events.UnknownOperation, "", "")},
			{refused(2, events.InvalidArguments, "", "")},
		},
	},
}

func TestAnswersAndEffects(t *testing.T) {
	for _, x := range examples {
		t.Run(x.name, func(t *testing.T) {
			m, err := naive.New(events.Current)
			require.NoError(t, err)
			for i, operation := range x.operations {
				e, err := events.Current.Parse(json.RawMessage(operation))
				require.NoError(t, err)
				result := m.Apply(e)
				for j := range x.effects[i] {
					x.effects[i][j].Sequence = uint64(i + 1)
				}
				require.Equal(t, uint64(i+1), result.Sequence)
				require.Equal(t, x.answers[i], string(result.Answer.AppendJSON(nil)), operation)
				require.Equal(t, x.effects[i], result.Effects, operation)
			}
		})
	}
}
