package audit_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/internal/audit"
)

// A stale write that is accepted (R6) replaces what the holder wrote.
func TestAnAcceptedStaleWriteOverwrites(t *testing.T) {
	r := examined(t, events.Current, logOf(t, `
		["acquire", 0, "a", "L", 10]
		["write", 1, "L", "k", "old", 1]
		["acquire", 20, "b", "L", 10]
		["write", 21, "L", "k", "b's", 2]
		["write", 22, "L", "k", "a's", 1]
		["read", 23, "L", "k"]`, "stale-token-accepted"))
	require.Equal(t, map[int]audit.Threat{5: audit.StaleAccepted, 6: audit.WrongValue}, threats(r))
	require.Equal(t, "b's", r.Risks[0].Overwritten)
	require.Equal(t, uint64(4), r.Risks[0].By)
	require.Equal(t, `k of L took a value with token 1, which is stale; it replaced "b's" of #4`, r.Risks[0].Why)
}

// A right write that is refused is lost (R6).
func TestARefusedWriteIsLost(t *testing.T) {
	r := examined(t, events.Current, logOf(t, `
		["acquire", 0, "a", "L", 10]
		["write", 1, "L", "k", "one", 1]
		["write", 2, "L", "k", "two", 1]`, "store-requires-higher"))
	require.Equal(t, map[int]audit.Threat{3: audit.WronglyRefused}, threats(r))
}

// Who was told that it holds the lock writes: where nobody else has written, the
// fence lets it pass, though by the rules its lease is over (R2); where somebody
// has, the fence refuses it, and the value is missing.
func TestWhoWasMisledWrites(t *testing.T) {
	r := examined(t, events.Current, logOf(t, `
		["acquire", 0, "a", "L", 10]
		["acquire", 1, "b", "L", 50]
		["renew", 10, "a", "L", 50]
		["write", 11, "L", "k", "a's", 1]
		["write", 12, "L", "k", "b's", 2]
		["write", 13, "L", "k", "a's again", 1]`, "renew-at-expiry"))
	require.Equal(t, map[int]audit.Threat{4: audit.NotHolder, 6: audit.Misled}, threats(r))
}

// A late write of a former holder that nobody misled is no fault of the service:
// the store asks for the token only (R6).
func TestALateWriteIsNoRisk(t *testing.T) {
	r := examined(t, events.Current, logOf(t, `
		["acquire", 0, "a", "L", 10]
		["acquire", 10, "b", "L", 10]
		["acquire", 11, "c", "M", 10] => ["granted",7,21]
		["write", 12, "L", "k", "late", 1]`))
	require.Empty(t, r.Risks)
}

// An answer that nobody understands is one: the write may be there or not.
func TestAGarbledAnswerIsARisk(t *testing.T) {
	r := examined(t, events.Current, logOf(t, `
		["write", 0, "L", "k", "v", 1] => {"status": 500}`))
	require.Equal(t, map[int]audit.Threat{1: audit.Garbled}, threats(r))
}

// A log that begins with leases that it knows nothing of cannot be judged.
func TestALogThatBeginsTooLate(t *testing.T) {
	r := examined(t, events.Current, logOf(t, `
		["acquire", 0, "a", "M", 10]
		["acquire", 5, "b", "L", 10] => ["granted",812,15]`))
	require.True(t, r.Unfounded)
	r = examined(t, events.Current, logOf(t, `
		["acquire", 0, "a", "L", 10]
		["acquire", 15, "b", "L", 10] => ["granted",812,25]`))
	require.False(t, r.Unfounded)
}

// Runs of a repeat write and read as well (R27). Its tally does not say which of them
// went wrong, only that some did.
func TestRunsOfARepeatAreARisk(t *testing.T) {
	for _, log := range []string{
		`["repeat", 0, 3, 10, ["acquire", "j{i}", "L", 10]]
		["repeat", 21, 1, 0, ["write", "L", "k", "v", 3]] => {"ops":1,"results":{"error: stale token":1}}`,
		`["write", 0, "L", "k", "new", 5]
		["repeat", 21, 1, 0, ["write", "L", "k", "stale", 3]] => {"ops":1,"results":{"ok":1}}`,
		`["write", 0, "L", "k", "new", 5]
		["repeat", 21, 2, 0, ["read", "L", "k"]] => {"ops":2,"results":{"old":2}}`,
	} {
		require.Equal(t, map[int]audit.Threat{2: audit.Uncertain}, threats(examined(t, events.Current, logOf(t, log))), log)
	}
	r := examined(t, events.Current, logOf(t, `
		["repeat", 0, 1, 0, ["acquire", "a", "L", 10]] => {"ops":1,"results":{"queued":1}}`))
	require.Empty(t, r.Risks)
}
