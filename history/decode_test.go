package history_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/history"
)

// FuzzHistories makes histories of bytes. Whatever they are, the state machine
// does what the model does, and its invariants hold.
func FuzzHistories(f *testing.F) {
	f.Add([]byte{})
	for seed := range uint64(12) {
		f.Add(randomBytes(seed, 40+60*int(seed)))
	}
	f.Add(verbatim(`["acquire",0,"a","L",10]`, `["repeat",1,20,1,["acquire","c{i%3}","L{i%2}",5,"shared"]]`, `["status",9,"c1"]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 4000 {
			return
		}
		h := history.Decode(data)
		require.LessOrEqual(t, len(h.Events), min(len(data), 400))
		requireCanonical(t, h)
		d, differs, err := history.Check(h)
		require.NoError(t, err)
		require.False(t, differs, "%+v", d)
		requireInvariants(t, h)
	})
}

func randomBytes(seed uint64, n int) []byte {
	random := rand.New(rand.NewPCG(seed, 0))
	data := make([]byte, n)
	for i := range data {
		data[i] = byte(random.Uint32())
	}
	return data
}

// verbatim is bytes with operations as text in them, behind a plan of zeros.
func verbatim(operations ...string) []byte {
	data := make([]byte, 24)
	for _, operation := range operations {
		data = append(data, 255, byte(len(operation)))
		data = append(data, operation...)
	}
	return data
}

// TestAnyBytesAreAHistory, and most of its events mean something: bytes are
// not spent on operations that are refused.
func TestAnyBytesAreAHistory(t *testing.T) {
	all, refused := 0, 0
	for seed := range uint64(200) {
		data := randomBytes(seed, 300)
		h := history.Decode(data)
		require.Equal(t, h, history.Decode(data))
		for _, answer := range record(t, h) {
			if _, is := answer.(events.Refusal); is {
				refused++
			}
		}
		all += len(h.Events)
	}
	require.Greater(t, all, 200*20)
	require.Less(t, refused, all/3)
}

func TestTextInTheBytesIsTakenAsItIs(t *testing.T) {
	h := history.Decode(verbatim(`["acquire", 7, "somebody", "Q", 10]`, `{"no": "list"}`, `no JSON`,
		`["repeat",8,65,0,["inspect","Q"]]`, `["inspect",8,"Q"]`))
	require.Equal(t, events.Current, h.Rules)
	require.Equal(t, `3 1
["acquire",7,"somebody","Q",10]
{"no":"list"}
["inspect",8,"Q"]
`, string(text(h)))
	for n := range 27 {
		require.Empty(t, history.Decode(verbatim(`7`)[:n]).Events)
	}
}
