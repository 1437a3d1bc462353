package history_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/history"
	"github.com/leasekeeper/leasekeeper/internal/naive"
)

// TestClassesTellHowAnswersDiffer looks at the classes of the normal forms: they
// name kinds, never names and numbers.
func TestClassesTellHowAnswersDiffer(t *testing.T) {
	forms := readForms(t)
	for deviation, class := range map[string]history.Class{
		"abort-hands-over-at-expiry":     "acquire: granted with another end",
		"age-lost-when-idle":             "status: status with another age",
		"booleans-are-integers":          "invalid: error: invalid arguments, not status",
		"deadlock-not-searched":          "acquire: granted, not queued",
		"first-value-stays":              "read: value with another text",
		"inspect-queue-newest-first":     "inspect: holders with another queue",
		"many-locks-in-early-editions":   "acquire: error: client busy, not granted",
		"one-grant-a-hand-over":          "inspect: holders with another list of holders",
		"position-from-zero":             "acquire: queued with another position",
		"release-of-nothing-accepted":    "release: error: not holder, not released",
		"renew-from-old-expiry":          "renew: renewed with another end",
		"repeat-step-ignored":            "repeat: tally with another count",
		"requester-missing-from-victims": "acquire: deadlock with another list of victims",
		"status-holds-by-token":          "status: status with another list of leases",
		"tokens-from-zero":               "acquire: granted with another token",
		"values-shared-by-locks":         "read: null, not value",
		"victims-missing":                "acquire: granted with another list of victims",
		"waiter-cannot-release":          "release: withdrawn, not error: not holder",
		"write-requires-lock":            "write: ok, not error: stale token",
	} {
		h := historyOf(t, forms[deviation])
		require.Equal(t, class, history.DiffersAlike(startMachine, startDeviant(deviation))(h), deviation)
		require.Equal(t, history.Class("differs"), deviates(deviation)(h))
	}
}

func TestAServiceThatIsRightIsInNoClass(t *testing.T) {
	h := historyOf(t, readForms(t)["queue-by-age"])
	require.Empty(t, history.DiffersAlike(startMachine, startDeviant())(h))
	h.Rules.Unit = 7
	require.Empty(t, history.Differs(startMachine, startDeviant("queue-by-age"))(h), "no service starts under such rules")
}

// TestFineClassesHaveOneFormToo shrinks two histories in which one fault shows in
// different ways, and in each way to one form.
func TestFineClassesHaveOneFormToo(t *testing.T) {
	services := func(rules events.Rules) (history.Service, error) { return naive.New(rules, "usable-at-expiry") }
	judge := history.DiffersAlike(startMachine, services)
	forms := map[history.Class]string{}
	for _, h := range failing(t, "usable-at-expiry", 6) {
		small := history.Shrink(h, judge)
		if form, ok := forms[judge(h)]; ok {
			require.Equal(t, form, string(text(small)))
		}
		forms[judge(h)] = string(text(small))
	}
	require.Greater(t, len(forms), 1)
}
