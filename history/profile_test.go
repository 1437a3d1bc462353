package history_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/history"
)

// counts is how often things happened, by name.
type counts map[string]int

// measure counts what happens in 200 histories of 50 operations.
func measure(t *testing.T, profile history.Profile) counts {
	t.Helper()
	c := counts{}
	g := history.NewGenerator(profile)
	for seed := range uint64(200) {
		h := g.Generate(events.Current, seed, 50)
		state, err := fsm.New(h.Rules)
		require.NoError(t, err)
		m := fsm.NewMachine(state)
		for _, e := range h.Events {
			before, _ := m.Clock()
			result := m.Apply(e)
			c.operation(e, result.Answer)
			c.effects(result.Effects)
			if after, _ := m.Clock(); after > before {
				c["steps"]++
			}
			if after, _ := m.Clock(); after > before+h.Rules.MaxTTL() {
				c["nights"]++
			}
		}
	}
	return c
}

func (c counts) operation(e events.Event, answer events.Answer) {
	c[e.Operation()]++
	switch a := answer.(type) {
	case events.Refusal:
		c["refused"]++
		c[strings.TrimPrefix(a.String(), "error: ")]++
	case events.Queued:
		c["queued"]++
		c["place in a queue"] += a.Position
		if a.Position > 2 {
			c["behind two"]++
		}
	case events.Value:
		if a.Found {
			c["found"]++
		}
	case events.ClientView:
		if len(a.Holds) > 1 {
			c["several locks"]++
		}
	case events.LockView:
		if len(a.Holders) > 1 {
			c["several holders"]++
		}
		if len(a.Queue) > 0 {
			c["queue shown"]++
		}
	}
}

func (c counts) effects(effects []events.Effect) {
	lapses := 0
	for _, e := range effects {
		switch e.Kind {
		case events.EffectGranted:
			if e.Cause != events.CauseFree {
				c["handed over"]++
			}
			if e.Mode == events.Shared {
				c["shared"]++
			}
		case events.EffectExpired:
			c["lapsed"]++
			lapses++
		case events.EffectAborted:
			c["aborted"]++
		case events.EffectWithdrawn:
			c["withdrawn"]++
		}
	}
	if lapses > 2 {
		c["chain of lapses"]++
	}
}

// bounds say what has to happen in 10,000 operations: at least so often, and at
// most.
type bounds map[string][2]int

var profileBounds = map[string]bounds{
	"contention": {
		"refused": {500, 2500}, "queued": {1200, 4000}, "behind two": {300, 2000}, "handed over": {700, 3000},
		"withdrawn": {250, 1200}, "renew": {800, 3000}, "lapsed": {800, 3000},
	},
	"shared": {
		"refused": {300, 2000}, "shared": {1200, 5000}, "several holders": {120, 2000}, "handed over": {700, 3000},
		"behind two": {300, 2000}, "withdrawn": {250, 1200}, "queue shown": {200, 2000},
	},
	"deadlock": {
		"refused": {100, 1500}, "aborted": {300, 2000}, "queued": {1000, 4000}, "several locks": {200, 1500},
		"withdrawn": {400, 2000}, "steps": {500, 3000},
	},
	"expiry": {
		"refused": {300, 2500}, "lapsed": {2000, 8000}, "handed over": {800, 4000}, "chain of lapses": {75, 2000},
		"steps": {3000, 7000}, "not holder": {400, 2000},
	},
	"idle": {
		"refused": {300, 2500}, "nights": {600, 3000}, "lapsed": {1500, 6000}, "write": {800, 3000}, "stale token": {100, 1000},
	},
	"store": {
		"refused": {1000, 3500}, "write": {2500, 6000}, "stale token": {1000, 3000}, "found": {800, 3000}, "read": {1200, 3500},
	},
	"mistakes": {
		"refused": {2500, 6000}, "invalid arguments": {700, 3000}, "unknown operation": {200, 1500}, "invalid ttl": {100, 800},
		"clock went back": {400, 2000}, "client busy": {100, 1000}, "not holder": {300, 1500}, "stale token": {80, 800},
		"repeat": {200, 1500},
	},
	"wide": {
		"refused": {100, 1500}, "acquire": {5000, 9000}, "aborted": {80, 800}, "behind two": {200, 2000}, "chain of lapses": {200, 2000},
	},
	"everything": {
		"refused": {700, 2800}, "queued": {700, 3000}, "aborted": {60, 600}, "lapsed": {1200, 5000}, "handed over": {500, 2500},
		"chain of lapses": {80, 1000}, "several holders": {40, 600}, "several locks": {50, 600}, "found": {150, 1000},
		"invalid arguments": {80, 800}, "unknown operation": {30, 500}, "invalid ttl": {12, 300}, "clock went back": {100, 800},
		"client busy": {60, 600}, "not holder": {250, 1500}, "stale token": {120, 1000}, "nights": {60, 600}, "repeat": {80, 800},
	},
}

// TestProfilesBite: what each profile is about happens, and not much of a
// history is spent on refusals that it is not about.
func TestProfilesBite(t *testing.T) {
	require.Len(t, profileBounds, len(history.Profiles()))
	for _, profile := range history.Profiles() {
		t.Run(profile.Name, func(t *testing.T) {
			c := measure(t, profile)
			t.Log(c)
			for what, bound := range profileBounds[profile.Name] {
				require.GreaterOrEqual(t, c[what], bound[0], what)
				require.LessOrEqual(t, c[what], bound[1], what)
			}
		})
	}
}

// TestPlansDiffer: some histories have no renews at all, some no time that
// passes, some two clients only, some readers only, and so on.
func TestPlansDiffer(t *testing.T) {
	everything, err := history.ProfileNamed("everything")
	require.NoError(t, err)
	g := history.NewGenerator(everything)
	without, two, readers := counts{}, 0, 0
	for seed := range uint64(300) {
		c, clients, writers := counts{}, map[string]bool{}, 0
		for _, e := range g.Generate(events.Current, seed, 50).Events {
			c[e.Operation()]++
			if a, ok := e.(events.Acquire); ok {
				clients[a.Client] = true
				if a.Mode == events.Exclusive {
					writers++
				}
			}
		}
		for _, operation := range []string{"renew", "release", "write", "read", "inspect", "status", "repeat", "invalid"} {
			if c[operation] == 0 {
				without[operation]++
			}
		}
		if len(clients) == 2 {
			two++
		}
		if c["acquire"] > 5 && writers == 0 {
			readers++
		}
	}
	for operation, n := range without {
		require.Greater(t, n, 2, "histories without %s", operation)
		require.Less(t, n, 250, "histories without %s", operation)
	}
	require.Greater(t, two, 10)
	require.Greater(t, readers, 5)
}
