package events_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/leasekeeper/leasekeeper/events"
)

// Each kind of effect in its two outside forms: a JSON object of exactly the
// fields that it sets, and a line.
func TestEffectForms(t *testing.T) {
	for _, c := range []struct {
		effect events.Effect
		json   string
		line   string
	}{
		{events.Effect{Kind: events.EffectGranted, Mode: events.Shared, Cause: events.CauseExpiry, Instant: 30, Sequence: 8, Lock: "L1", Client: "etl-b", Token: 2, ExpiresAt: 50},
			`{"kind":"granted","instant":30,"sequence":8,"lock":"L1","client":"etl-b","mode":"shared","token":2,"expires_at":50,"cause":"expiry"}`,
			`t=30 granted L1 etl-b shared token 2 until 50 (expiry)`},
		{events.Effect{Kind: events.EffectQueued, Mode: events.Exclusive, Instant: 5, Sequence: 2, Lock: "L1", Client: "etl-b", Position: 1},
			`{"kind":"queued","instant":5,"sequence":2,"lock":"L1","client":"etl-b","mode":"exclusive","position":1}`,
			`t=5 queued L1 etl-b exclusive position 1`},
		{events.Effect{Kind: events.EffectRenewed, Mode: events.Exclusive, Instant: -5, Sequence: 2, Lock: "L1", Client: "etl-b", Token: 7},
			`{"kind":"renewed","instant":-5,"sequence":2,"lock":"L1","client":"etl-b","mode":"exclusive","token":7,"expires_at":0}`,
			`t=-5 renewed L1 etl-b token 7 until 0`},
		{events.Effect{Kind: events.EffectReleased, Mode: events.Exclusive, Cause: events.CauseAbort, Instant: 5, Sequence: 2, Lock: "L1", Client: "bob", Token: 7, ExpiresAt: 9},
			`{"kind":"released","instant":5,"sequence":2,"lock":"L1","client":"bob","mode":"exclusive","token":7,"expires_at":9,"cause":"abort"}`,
			`t=5 released L1 bob token 7 (abort)`},
		{events.Effect{Kind: events.EffectWithdrawn, Mode: events.Exclusive, Cause: events.CauseRelease, Instant: 5, Sequence: 2, Lock: "L1", Client: "bob"},
			`{"kind":"withdrawn","instant":5,"sequence":2,"lock":"L1","client":"bob","mode":"exclusive","cause":"release"}`,
			`t=5 withdrawn L1 bob (release)`},
		{events.Effect{Kind: events.EffectExpired, Mode: events.Exclusive, Cause: events.CauseExpiry, Instant: 55, Sequence: 8, Lock: "L1", Client: "etl-b", Token: 2, ExpiresAt: 55},
			`{"kind":"expired","instant":55,"sequence":8,"lock":"L1","client":"etl-b","mode":"exclusive","token":2,"expires_at":55,"cause":"expiry"}`,
			`t=55 expired L1 etl-b token 2`},
		{events.Effect{Kind: events.EffectAborted, Cause: events.CauseAbort, Instant: 3, Sequence: 4, Client: "bob"},
			`{"kind":"aborted","instant":3,"sequence":4,"client":"bob","cause":"abort"}`,
			`t=3 aborted bob`},
		{events.Effect{Kind: events.EffectWritten, Instant: 20, Sequence: 4, Lock: "L1", Key: "part-1", Token: 1},
			`{"kind":"written","instant":20,"sequence":4,"lock":"L1","token":1,"key":"part-1"}`,
			`t=20 written L1 key part-1 token 1`},
		{events.Effect{Kind: events.EffectRefused, Refusal: events.NotHolder, Instant: 30, Sequence: 5, Lock: "L1", Client: "etl-a"},
			`{"kind":"refused","instant":30,"sequence":5,"lock":"L1","client":"etl-a","refusal":"error: not holder"}`,
			`t=30 refused L1 etl-a: not holder`},
		{events.Effect{Kind: events.EffectRefused, Refusal: events.StaleToken, Instant: 32, Sequence: 7, Lock: "L1", Key: "part-1", Token: 1},
			`{"kind":"refused","instant":32,"sequence":7,"lock":"L1","token":1,"key":"part-1","refusal":"error: stale token"}`,
			`t=32 refused L1 key part-1 token 1: stale token`},
		{events.Effect{Kind: events.EffectRefused, Refusal: events.UnknownOperation, Sequence: 1},
			`{"kind":"refused","instant":0,"sequence":1,"refusal":"error: unknown operation"}`,
			`t=0 refused: unknown operation`},
		{events.Effect{Lock: "L1"},
			`{"kind":"invalid effect","instant":0,"sequence":0}`,
			`t=0 invalid effect`},
		{events.Effect{Kind: 200, Lock: "L1"},
			`{"kind":"invalid effect","instant":0,"sequence":0}`,
			`t=0 invalid effect`},
	} {
		require.Equal(t, c.json, string(c.effect.AppendJSON(nil)))
		require.Equal(t, c.line, c.effect.String())
		marshaled, err := json.Marshal(c.effect)
		require.NoError(t, err)
		require.Equal(t, c.json, string(marshaled))
	}
}

// A name cannot break out of its line, nor pass itself off as more than a name.
func TestEffectLineQuotesOddNames(t *testing.T) {
	for name, shown := range map[string]string{
		"exports/daily": "exports/daily", "锁🔒": "锁🔒", "a b": `"a b"`, "a\nt=9": `"a\nt=9"`, "\x1b[2J": `"\x1b[2J"`,
		"\u202e": `"\u202e"`, `say "x"`: `"say \"x\""`, "": `""`, "\u00a0": `"\u00a0"`, "\ufffd": `"�"`,
	} {
		require.Equal(t, "t=3 aborted "+shown, events.Effect{Kind: events.EffectAborted, Instant: 3, Client: name}.String())
	}
}
