package history_test

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/history"
	"github.com/leasekeeper/leasekeeper/internal/naive"
	"github.com/leasekeeper/leasekeeper/internal/processor"
)

var campaigns = flag.Uint64("campaigns", 5, "how often TestTeeth looks for each deviation, each time with other seeds")

// patience is how many histories a deviation may survive.
const patience = 5000

// bite is what it took to notice a deviation, in each campaign.
type bite struct {
	naive.Deviation
	histories []int
	times     []time.Duration // of the processor, for the table only
}

// TestTeeth lets every deviation from the rules answer histories of fifty
// operations until one of its answers is wrong. None may get away.
func TestTeeth(t *testing.T) {
	everything, err := history.ProfileNamed("everything")
	require.NoError(t, err)
	var bites []*bite
	for _, d := range naive.Deviations() {
		bites = append(bites, &bite{Deviation: d})
	}
	for c := range *campaigns {
		for _, b := range hunt(t, history.NewGenerator(everything), bites, c<<32) {
			t.Errorf("%s (%s) survived %d histories from seed %d on", b.Name, b.Rule, patience, c<<32)
		}
	}
	t.Log(table(bites))
}

// hunt draws histories from a seed on, gives each to all deviations that are
// still at large, and returns those that get away.
func hunt(t *testing.T, g *history.Generator, bites []*bite, seed uint64) (large []*bite) {
	t.Helper()
	large = slices.Clone(bites)
	var common time.Duration // drawing, and finding out what is right
	spent := make(map[*bite]time.Duration, len(large))
	for i := 0; i < patience && len(large) > 0; i++ {
		begin := processor.Time()
		h := g.Generate(history.DrawRules(seed), seed, 50)
		right := record(t, h)
		common += processor.Time() - begin
		seed++
		large = slices.DeleteFunc(large, func(b *bite) bool {
			begin := processor.Time()
			noticed := differs(t, h, right, b.Name)
			spent[b] += processor.Time() - begin
			if noticed {
				b.histories = append(b.histories, i+1)
				b.times = append(b.times, spent[b]+common)
			}
			return noticed
		})
	}
	return large
}

// recorded is a service that has given its answers before.
type recorded []events.Answer

// Apply implements history.Service.
func (r *recorded) Apply(events.Event) events.Result {
	answer := (*r)[0]
	*r = (*r)[1:]
	return events.Result{Answer: answer}
}

func record(t *testing.T, h history.History) recorded {
	t.Helper()
	s, err := fsm.New(h.Rules)
	require.NoError(t, err)
	m := fsm.NewMachine(s)
	answers := make(recorded, len(h.Events))
	for i, e := range h.Events {
		answers[i] = m.Apply(e).Answer
	}
	return answers
}

// differs tells whether a deviation shows in the answers to a history.
func differs(t *testing.T, h history.History, right recorded, deviation string) bool {
	t.Helper()
	deviant, err := naive.New(h.Rules, deviation)
	require.NoError(t, err)
	_, differs := history.Compare(h, &right, deviant, history.Answers)
	return differs
}

// table lists what it took, the worst first.
func table(bites []*bite) string {
	for _, b := range bites {
		slices.Sort(b.histories)
		slices.Sort(b.times)
	}
	slices.SortStableFunc(bites, func(a, b *bite) int { return median(b.histories) - median(a.histories) })
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "rule\tdeviation\tmedian\tmost\tmedian\tmost\t")
	var all []time.Duration
	for _, b := range bites {
		if len(b.histories) == 0 {
			fmt.Fprintf(w, "%s\t%s\tnever\t\t\t\t\n", b.Rule, b.Name)
			continue
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%v\t%v\t\n", b.Rule, b.Name, median(b.histories), slices.Max(b.histories),
			median(b.times).Round(100*time.Microsecond), slices.Max(b.times).Round(100*time.Microsecond))
		all = append(all, b.times...)
	}
	slices.Sort(all)
	fmt.Fprintf(w, "all\t\t\t\t%v\t%v\t\n", median(all).Round(100*time.Microsecond), all[len(all)-1].Round(100*time.Microsecond))
	w.Flush()
	return "histories and time until a deviation is noticed\n" + text.String()
}

func median[T any](sorted []T) T {
	if len(sorted) == 0 {
		var zero T
		return zero
	}
	return sorted[len(sorted)/2]
}
