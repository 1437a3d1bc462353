package history_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/history"
)

// TestOrderSaysWhatIsSimpler has pairs of which the first is simpler, one for
// each thing that counts, in the order in which they count.
func TestOrderSaysWhatIsSimpler(t *testing.T) {
	early := events.Rules{Edition: events.Edition2, Unit: events.Second}
	fine := events.Rules{Edition: events.Edition3, Unit: events.Nanosecond}
	for _, pair := range []struct {
		because         string
		simpler, harder history.History
	}{
		{"fewer operations",
			read(t, early, `["write",-9,"some lock","key","value",77]`),
			read(t, events.Current, `["inspect",0,"L"]`, `["inspect",0,"L"]`)},
		{"a repeat counts one more than its runs",
			read(t, early, `["release",0,"a","L"]`, `["release",0,"a","L"]`),
			read(t, events.Current, `["repeat",0,2,0,["release","a","L"]]`)},
		{"the later edition", read(t, fine, `["write",0,"L","k","v",1]`), read(t, early, `["inspect",0,"L"]`)},
		{"the longer unit", read(t, events.Current, `["write",0,"L","k","v",1]`), read(t, fine, `["inspect",0,"L"]`)},
		{"simpler kinds", read(t, events.Current, `["inspect",99,"some lock"]`), read(t, events.Current, `["status",0,"a"]`)},
		{"names that are plain", read(t, events.Current, `["acquire",-9,"c","M",30]`), read(t, events.Current, `["acquire",0,"a","lock",1]`)},
		{"odd names that are usual", read(t, events.Current, `["status",0,"😀"]`), read(t, events.Current, `["status",0,"q"]`)},
		{"exclusive requests", read(t, events.Current, `["acquire",-9,"a","L",30]`), read(t, events.Current, `["acquire",0,"a","L",1,"shared"]`)},
		{"no instants before 0", read(t, events.Current, `["inspect",99,"L"]`), read(t, events.Current, `["inspect",-1,"L"]`)},
		{"instants near 0", read(t, events.Current, `["renew",1,"b","M",9]`), read(t, events.Current, `["renew",2,"a","L",1]`)},
		{"short ttls", read(t, events.Current, `["renew",1,"b","M",1]`), read(t, events.Current, `["renew",1,"a","L",2]`)},
		{"few names",
			read(t, events.Current, `["acquire",0,"b","L",1]`, `["acquire",0,"b","L",1]`),
			read(t, events.Current, `["acquire",0,"a","L",1]`, `["acquire",0,"b","L",1]`)},
		{"low tokens", read(t, events.Current, `["write",0,"M","l","w",1]`), read(t, events.Current, `["write",0,"L","k","v",2]`)},
		{"the simpler kind first",
			read(t, events.Current, `["inspect",1,"L"]`, `["read",0,"L","k"]`),
			read(t, events.Current, `["read",0,"L","k"]`, `["inspect",1,"L"]`)},
		{"the first names first",
			read(t, events.Current, `["acquire",0,"a","L",1]`, `["acquire",0,"b","M",1]`),
			read(t, events.Current, `["acquire",0,"a","M",1]`, `["acquire",0,"b","L",1]`)},
	} {
		require.Negative(t, history.Order(pair.simpler, pair.harder), pair.because)
		require.Positive(t, history.Order(pair.harder, pair.simpler), pair.because)
		require.Zero(t, history.Order(pair.simpler, pair.simpler), pair.because)
	}
}

// TestOrderIsTotal draws histories that are alike and puts them in order.
func TestOrderIsTotal(t *testing.T) {
	everything, err := history.ProfileNamed("everything")
	require.NoError(t, err)
	draw := func(t *rapid.T, name string) history.History {
		seed := rapid.Uint64Range(0, 200).Draw(t, name+" seed")
		return history.Generate(history.DrawRules(seed%7), everything, seed, rapid.IntRange(0, 3).Draw(t, name+" length"))
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := draw(t, "a"), draw(t, "b"), draw(t, "c")
		require.Equal(t, history.Order(a, b), -history.Order(b, a))
		if history.Order(a, b) <= 0 && history.Order(b, c) <= 0 {
			require.LessOrEqual(t, history.Order(a, c), 0)
		}
		same := a.Rules == b.Rules && string(text(a)) == string(text(b))
		require.Equal(t, same, history.Order(a, b) == 0)
	})
}
