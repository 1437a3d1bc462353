package audit_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/leasekeeper/leasekeeper/events"
)

// What a log could have been cut off in front of: no answer shows that the lock,
// the client or the store was fresh.
func TestALogThatMayBeginTooLate(t *testing.T) {
	for name, log := range map[string]string{
		"a write makes no holder (R6)": `
			["write", 1, "L", "k", "v", 1]
			["inspect", 2, "L"] => {"holders":[["a","exclusive",1,10]],"queue":[]}`,
		"a read, a refused renew and a refused release make none": `
			["read", 1, "L", "k"]
			["renew", 1, "b", "L", 10]
			["release", 1, "b", "L"]
			["inspect", 2, "L"] => {"holders":[["a","exclusive",1,10]],"queue":[]}`,
		"an acquire of another lock says nothing of this one": `
			["acquire", 1, "a", "M", 10]
			["renew", 2, "a", "L", 10] => ["renewed",12]`,
		"a free lock may have been granted before (R5)": `
			["inspect", 1, "L"]
			["acquire", 2, "a", "L", 10] => ["granted",7,12]`,
		"a refused acquire of the lock grants nothing (R2)": `
			["acquire", 1, "b", "L", 0]
			["inspect", 2, "L"] => {"holders":[["a","exclusive",3,10]],"queue":[]}`,
		"another key's value says nothing of this one's (R6)": `
			["write", 1, "L", "j", "v", 1]
			["read", 2, "L", "k"] => "old"`,
		"the mark may be older (R6)": `
			["acquire", 1, "a", "L", 10]
			["write", 2, "L", "k", "v", 1] => "error: stale token"`,
		"the client may wait since before (R14)": `
			["acquire", 1, "b", "L", 10]
			["acquire", 2, "a", "L", 10] => "error: client busy"`,
		"the clock may be ahead (R26)": `
			["read", 1, "L", "k"] => "error: clock went back"`,
		"ages are older (R15)": `
			["acquire", 1, "a", "L", 10]
			["status", 2, "a"] => {"age":9,"holds":[["L","exclusive",1,11]],"waiting":null}`,
	} {
		require.True(t, examined(t, events.Current, logOf(t, log)).Unfounded, name)
	}
}

// What contradicts the log's own answers is wrong, whatever came before it.
func TestWhatTheLogItselfContradicts(t *testing.T) {
	for name, log := range map[string]string{
		"the first token shows that the lock was fresh (R5)": `
			["acquire", 0, "a", "L", 10]
			["inspect", 2, "L"] => {"holders":[["z","exclusive",9,20]],"queue":[]}`,
		"nobody held the lock, and nobody has asked since": `
			["inspect", 1, "L"]
			["inspect", 2, "L"] => {"holders":[["a","exclusive",1,10]],"queue":[]}`,
		"an accepted write sets the mark (R6)": `
			["write", 1, "L", "k", "v", 5]
			["write", 2, "L", "k", "w", 5] => "error: stale token"`,
		"a mark does not fall (R6)": `
			["write", 1, "L", "k", "v", 5]
			["write", 2, "L", "k", "w", 4] => "ok"`,
		"a value was written (R6)": `
			["write", 1, "L", "k", "v", 5]
			["read", 2, "L", "k"] => null`,
		"a lease's end is its own request's (R2)": `
			["acquire", 0, "a", "L", 10] => ["granted",7,11]`,
		"a ttl out of range is refused by every service (R2)": `
			["acquire", 0, "a", "L", 0] => ["granted",7,0]`,
		"an age shows that nobody came before (R15)": `
			["acquire", 0, "a", "M", 10]
			["status", 1, "a"]
			["acquire", 2, "a", "L", 10] => ["granted",7,12]`,
		"a client that was queued did not wait elsewhere (R14)": `
			["acquire", 0, "b", "L", 10]
			["acquire", 0, "a", "L", 10]
			["release", 1, "a", "L"]
			["acquire", 2, "a", "L", 10] => "error: client busy"`,
		"the clock was shown (R26)": `
			["inspect", 5, "L"]
			["inspect", 6, "L"] => "error: clock went back"`,
	} {
		require.False(t, examined(t, events.Current, logOf(t, log)).Unfounded, name)
	}
}
