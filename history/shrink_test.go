package history_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/history"
	"github.com/leasekeeper/leasekeeper/internal/naive"
)

// startMachine starts the state machine.
func startMachine(rules events.Rules) (history.Service, error) {
	state, err := fsm.New(rules)
	if err != nil {
		return nil, err
	}
	return fsm.NewMachine(state), nil
}

// startDeviant starts a service with one deviation, or several.
func startDeviant(deviations ...string) history.Start {
	return func(rules events.Rules) (history.Service, error) { return naive.New(rules, deviations...) }
}

// deviates is the judge for one deviation, or several.
func deviates(deviations ...string) func(history.History) history.Class {
	return history.Differs(startMachine, startDeviant(deviations...))
}

// read is a history from lines of JSON.
func read(t *testing.T, rules events.Rules, lines ...string) history.History {
	t.Helper()
	h := history.History{Rules: rules}
	for _, line := range lines {
		e, err := rules.Parse([]byte(line))
		require.NoError(t, err, line)
		h.Events = append(h.Events, e)
	}
	return h
}

// lines is a history as lines of JSON.
func lines(h history.History) []string {
	var all []string
	for _, e := range h.Events {
		all = append(all, string(events.AppendJSON(nil, e)))
	}
	return all
}

// TestALateRenewIsShrunk is a night in a service that renews leases which have
// just lapsed (R2), and what is left of it.
func TestALateRenewIsShrunk(t *testing.T) {
	night := read(t, events.Rules{Edition: events.Edition2, Unit: events.Millisecond},
		`["inspect",1700000000000,"reports/daily"]`,
		`["acquire",1700000000250,"etl-7","reports/daily",30000,"shared"]`,
		`["acquire",1700000000400,"etl-9","reports/daily",30000,"shared"]`,
		`["write",1700000000401,"reports/daily","rows","1-100",1]`,
		`["repeat",1700000001000,50,100,["renew","etl-{i%9}","reports/weekly",500]]`,
		`["acquire",1700000012000,"web-1","reports/daily",1000]`,
		`["renew",1700000030250,"etl-7","reports/daily",30000]`,
		`["release",1700000030300,"web-1","reports/daily"]`,
	)
	small := history.Shrink(night, deviates("renew-at-expiry"))
	require.Equal(t, events.Current, small.Rules)
	require.Equal(t, []string{
		`["acquire",0,"a","L",1]`,
		`["renew",1,"a","L",1]`,
	}, lines(small))
}

func TestAHistoryThatDoesNotFailStaysAsItIs(t *testing.T) {
	h := read(t, events.Current, `["inspect",7,"some lock"]`, `["inspect",8,"some lock"]`)
	small := history.Shrink(h, func(history.History) history.Class { return "" })
	require.Equal(t, h, small)
}

// TestTheClassStays has a service with two faults. A fine class keeps to the
// one that was found; a coarse class ends at the one that is told more simply.
func TestTheClassStays(t *testing.T) {
	h := read(t, events.Current,
		`["acquire",0,"etl","exports",10]`, `["acquire",2,"web","exports",10]`,
		`["renew",6,"web","exports",20]`, `["release",8,"cron","exports"]`)
	services := startDeviant("renew-by-anyone", "release-by-anyone")

	fine := history.DiffersAlike(startMachine, services)
	require.Equal(t, history.Class("renew: error: not holder, not renewed"), fine(h))
	require.Equal(t, []string{`["acquire",0,"a","L",1]`, `["renew",0,"b","L",1]`}, lines(history.Shrink(h, fine)))

	coarse := history.Differs(startMachine, services)
	require.Equal(t, history.Class("differs"), coarse(h))
	require.Equal(t, []string{`["acquire",0,"a","L",1]`, `["release",0,"b","L"]`}, lines(history.Shrink(h, coarse)))
}

// TestAFewCallsGoALongWay is for judges that start a process for each history.
func TestAFewCallsGoALongWay(t *testing.T) {
	h := failing(t, "hand-over-at-observation", 1)[0]
	for _, limit := range []int{1, 2, 10, 300} {
		calls := 0
		judge := deviates("hand-over-at-observation")
		small := history.ShrinkWithin(h, func(h history.History) history.Class { calls++; return judge(h) }, history.Limits{Calls: limit})
		require.LessOrEqual(t, calls, limit)
		require.NotEmpty(t, judge(small))
		require.LessOrEqual(t, history.Order(small, h), 0)
		if limit == 300 {
			require.LessOrEqual(t, len(small.Events), 5)
		}
	}
}

// TestWhatCannotBeShortTakesLimitedTime has a fault that shows after so many
// operations only, and repeats of many runs that have nothing to do with it.
func TestWhatCannotBeShortTakesLimitedTime(t *testing.T) {
	h := read(t, events.Current, `["repeat",0,100000,0,["read","{i}","k"]]`, `["repeat",0,50000,0,["acquire","{i}","L",9]]`)
	for i := range 300 {
		h.Events = append(h.Events, events.Acquire{Client: fmt.Sprint("client ", i), Lock: fmt.Sprint("lock ", i), TTL: 9, Mode: events.Exclusive})
	}
	asked := 0
	small := history.Shrink(h, func(h history.History) history.Class {
		grants := 0
		for _, e := range h.Events {
			switch e := e.(type) {
			case events.Repeat:
				asked += int(e.Count)
			case events.Acquire:
				grants++
			}
			asked++
		}
		if grants < 200 {
			return ""
		}
		return "too many leases"
	})
	require.Len(t, small.Events, 200)
	require.Less(t, asked, history.DefaultOperations+200)
}

// TestAFlakyJudgeIsBelieved has a fault that shows two times out of three.
func TestAFlakyJudgeIsBelieved(t *testing.T) {
	h := failing(t, "queue-lifo", 1)[0]
	judge := deviates("queue-lifo")
	calls := 0
	fails := map[string]bool{}
	small := history.Shrink(h, func(h history.History) history.Class {
		calls++
		class := judge(h)
		if calls%3 == 0 {
			class = ""
		}
		if class != "" {
			fails[strings.Join(lines(h), "\n")] = true
		}
		return class
	})
	require.True(t, fails[strings.Join(lines(small), "\n")], "the judge has said of the result that it fails")
	require.Less(t, len(small.Events), len(h.Events))
}

// TestOddInputIsNoTrouble shrinks what no parser would have made.
func TestOddInputIsNoTrouble(t *testing.T) {
	long := strings.Repeat("x", 1<<16)
	hostile := history.History{Rules: events.Current, Events: []events.Event{
		nil,
		&events.Inspect{At: 1, Lock: "L"},
		events.Acquire{At: -1 << 63, Client: "\x1b[2J" + long, Lock: long, TTL: -5},
		events.Acquire{At: 1<<63 - 1, Client: "a", Lock: "L", TTL: 1, Mode: 7},
		events.Invalid{Raw: "[[[[[[", Refusal: events.NotHolder},
		events.Repeat{Count: -1, Step: -1, Template: "]"},
		events.Write{Lock: "\xff", Token: 1 << 62},
	}}
	always := func(history.History) history.Class { return "always" }
	require.Empty(t, history.Shrink(hostile, always).Events)

	needsAll := func(h history.History) history.Class {
		if len(h.Events) >= 7 {
			return "long"
		}
		return ""
	}
	small := history.ShrinkWithin(hostile, needsAll, history.Limits{Calls: 3000})
	require.Len(t, small.Events, 7)
	require.Equal(t, history.Class("long"), needsAll(small))

	noRules := history.History{Events: hostile.Events}
	require.Equal(t, noRules.Events, history.Shrink(noRules, always).Events)
	require.Empty(t, history.Shrink(history.History{}, always).Events)
}

// TestInstantsAtBothEnds has leases at the ends of the range (R24).
func TestInstantsAtBothEnds(t *testing.T) {
	for _, from := range []string{"-9223372036854775808", "9223372036854689406"} {
		h := read(t, events.Current, `["acquire",`+from+`,"c","l",1]`, `["inspect",9223372036854689407,"l"]`)
		require.Equal(t, []string{`["acquire",0,"a","L",1]`, `["inspect",1,"L"]`}, lines(history.Shrink(h, deviates("inspect-shows-lapsed"))))
	}
}
