package redact

import (
	"crypto/sha256"
	"testing"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/stretchr/testify/require"
)

// A long answer of which a journal has kept the digest alone: if what is written
// depended on it, who guesses the answer could see that the guess is right.
func TestNothingIsLeftOfALongAnswer(t *testing.T) {
	first, second := digestsOf(t, "the password is sesame"), digestsOf(t, "the password is sésame")
	require.Equal(t, first, second)
	require.NotEqual(t, first[0], first[1], "two answers that differ need not have one digest")
}

// digestsOf redacts two events whose long answer is recorded by its digest.
func digestsOf(t *testing.T, answer string) (digests [2][sha256.Size]byte) {
	r, err := New(events.Current, both)
	require.NoError(t, err)
	original := sha256.Sum256([]byte(answer))
	item := Item{
		Event:       events.Read{At: 1, Lock: "L", Key: "k"},
		SHA256:      &original,
		Fingerprint: new(fsm.Fingerprint),
	}
	for range digests {
		r.Collect(&item)
	}
	for i := range digests {
		changed, err := r.Redact(&item)
		require.NoError(t, err)
		require.Nil(t, changed.Answer)
		require.NotEqual(t, original, *changed.SHA256)
		digests[i] = *changed.SHA256
	}
	return digests
}
