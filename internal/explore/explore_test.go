package explore

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/stretchr/testify/require"
)

func edition(n events.Edition) events.Rules { return events.Rules{Edition: n, Unit: events.Second} }

// scope is a small one without bounds.
func scope(rules events.Rules, clients, locks int, store bool) Scope {
	s := Small(rules)
	s.Clients, s.Locks, s.Store = clients, locks, store
	return s
}

// levels tells states and edges by depth.
func levels(r Report) string {
	var list []string
	for _, level := range r.Levels {
		list = append(list, fmt.Sprintf("%d/%d", level.States, level.Edges))
	}
	return strings.Join(list, " ")
}

// All histories of any length, over one or two clients and locks: there are that
// many classes of states and no more, and nothing is wrong in any. The counts
// change only with the rules, or with the moves that a scope has.
func TestWholeStateSpaces(t *testing.T) {
	for _, c := range []struct {
		scope Scope
		want  string
	}{
		{scope(edition(3), 1, 1, false), "1/22 5/110 1/22"},
		{scope(edition(3), 2, 1, false), "1/38 5/190 21/798 21/798"},
		{scope(edition(3), 2, 1, true), "1/42 6/260 35/1540 104/4630 127/5798 26/1248"},
		{scope(edition(3), 1, 3, false), "1/54 13/702 97/5238 384/20736"},
		{scope(edition(3), 3, 1, false), "1/54 5/270 21/1134 109/5886 217/11718 188/10152"},
		{scope(edition(2), 3, 1, false), "1/54 5/270 16/864 64/3456"},
		{scope(edition(2), 2, 1, true), "1/42 6/260 31/1364 63/2806 45/2062 13/624"},
		{scope(edition(1), 3, 2, false), "1/98 3/294 8/784 24/2352"},
	} {
		t.Run(fmt.Sprintf("edition %d, %d clients, %d locks, store %v", c.scope.Rules.Edition, c.scope.Clients, c.scope.Locks, c.scope.Store), func(t *testing.T) {
			r, err := Explore(t.Context(), c.scope, Options{})
			require.NoError(t, err)
			require.Nil(t, r.Failure, "%s", r.Failure)
			require.True(t, r.Complete)
			require.Equal(t, c.want, levels(r))
		})
	}
}

// A bounded exploration is the beginning of an unbounded one, and checks the
// states at its end without trying anything in them.
func TestDepthBoundsAnExploration(t *testing.T) {
	s := scope(events.Current, 2, 2, false)
	s.Depth = 3
	var told []Level
	r, err := Explore(t.Context(), s, Options{Progress: func(l Level) { told = append(told, l) }})
	require.NoError(t, err)
	require.Equal(t, "1/68 5/340 53/3604 349/0", levels(r))
	require.Equal(t, told, r.Levels)
	require.Equal(t, 3, r.Depth)
	require.EqualValues(t, 408, r.States)
	require.EqualValues(t, 4012, r.Edges)
	require.False(t, r.Complete)
	require.Positive(t, r.Bytes)
}

// How many workers there are, and which of them is fast, does not show.
func TestWorkersDoNotShow(t *testing.T) {
	s := scope(events.Current, 2, 1, true)
	s.Steps = append(s.Steps, -1)
	for _, deviations := range [][]string{nil, {"hand-over-at-observation"}, {"renew-from-old-expiry"}} {
		s.Depth = 4
		want, err := Explore(t.Context(), s, Options{Workers: 1, Deviations: deviations})
		require.NoError(t, err)
		for workers := range 8 {
			got, err := Explore(t.Context(), s, Options{Workers: workers, Deviations: deviations})
			require.NoError(t, err)
			for i := range got.Levels { // when a table grows depends on who comes first
				got.Levels[i].Bytes = want.Levels[i].Bytes
			}
			got.Bytes = want.Bytes
			require.Equal(t, want, got)
		}
	}
}

func TestBadScopesAndOptions(t *testing.T) {
	for message, change := range map[string]func(*Scope, *Options){
		"events: no such edition of the rules: 4": func(s *Scope, _ *Options) { s.Rules.Edition = 4 },
		"0 clients (there may be 1 to 4)":         func(s *Scope, _ *Options) { s.Clients = 0 },
		"5 locks (there may be 1 to 4)":           func(s *Scope, _ *Options) { s.Locks = 5 },
		"3 keys (there may be 1 to 2)":            func(s *Scope, _ *Options) { s.Keys, s.Store = 3, true },
		"0 ttls":                                  func(s *Scope, _ *Options) { s.TTLs = nil },
		"9 steps":                                 func(s *Scope, _ *Options) { s.Steps = make([]int64, 9) },
		"9 looks":                                 func(s *Scope, _ *Options) { s.Looks = make([]int64, 9) },
		"0 modes":                                 func(s *Scope, _ *Options) { s.Modes = nil },
		"a depth of -1":                           func(s *Scope, _ *Options) { s.Depth = -1 },
		"a ttl of 86402 (it may be 0 to 86401)":   func(s *Scope, _ *Options) { s.TTLs = []int64{86402} },
		"a step of -86402":                        func(s *Scope, _ *Options) { s.Steps = []int64{-86402} },
		"mode 3":                                  func(s *Scope, _ *Options) { s.Modes = []events.Mode{3} },
		"the ttl 7 is given twice":                func(s *Scope, _ *Options) { s.TTLs = []int64{7, 7} },
		"the step 1 is given twice":               func(s *Scope, _ *Options) { s.Looks = []int64{1} },
		"the mode shared is given twice":          func(s *Scope, _ *Options) { s.Modes = []events.Mode{2, 2} },
		"-1 workers":                              func(_ *Scope, o *Options) { o.Workers = -1 },
		"with deviations there must be a depth":   func(s *Scope, o *Options) { o.Deviations = []string{"queue-lifo"} },
		`no such deviation: "queue-lifi" (did you mean "queue-`: func(s *Scope, o *Options) { s.Depth, o.Deviations = 1, []string{"queue-lifi"} },
	} {
		s, o := Small(events.Current), Options{}
		change(&s, &o)
		_, err := Explore(t.Context(), s, o)
		require.ErrorContains(t, err, message)
	}
}

// Who stops an exploration, or has no room for more, keeps the levels that were
// finished.
func TestUnfinishedExplorations(t *testing.T) {
	s := scope(events.Current, 2, 2, false)
	r, err := Explore(t.Context(), s, Options{MaxStates: 300})
	require.ErrorIs(t, err, ErrStates)
	require.Equal(t, "1/68 5/340", levels(r))
	require.False(t, r.Complete)

	ctx, cancel := context.WithCancel(t.Context())
	r, err = Explore(ctx, s, Options{Progress: func(l Level) {
		if l.Depth == 1 {
			cancel()
		}
	}})
	require.True(t, errors.Is(err, context.Canceled))
	require.Equal(t, "1/68 5/340", levels(r))
	require.Equal(t, 2, r.Depth)
}
