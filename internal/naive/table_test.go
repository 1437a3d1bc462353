package naive

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// A table answers as looking through a plain list from the front does.
func TestTableIsAListThatIsLookedThrough(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var list []*request
		var asked table[*request]
		name := rapid.StringMatching(`[a-c]`)
		for range rapid.IntRange(0, 40).Draw(t, "steps") {
			if len(list) > 0 && rapid.Bool().Draw(t, "remove") {
				gone := rapid.SampledFrom(list).Draw(t, "request")
				list = slices.DeleteFunc(list, func(r *request) bool { return r == gone })
				asked.remove(gone)
				asked.remove(gone) // which is not there any more
				require.False(t, asked.has(gone))
			} else {
				r := &request{names: names{name.Draw(t, "lock"), name.Draw(t, "client")}}
				list = append(list, r)
				asked.add(r)
			}
			requireSame(t, list, asked.all)
			for _, n := range []string{"a", "b", "c"} {
				requireSame(t, filtered(list, func(r *request) bool { return r.lock == n }), asked.on(n))
				requireSame(t, filtered(list, func(r *request) bool { return r.client == n }), asked.of(n))
			}
		}
	})
}

func filtered(list []*request, keep func(*request) bool) []*request {
	return slices.DeleteFunc(slices.Clone(list), func(r *request) bool { return !keep(r) })
}

// requireSame compares lists of the very same requests.
func requireSame(t require.TestingT, want, got []*request) {
	require.True(t, slices.Equal(want, got), "%v is not %v", got, want)
}
