package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/leasekeeper/leasekeeper/cmd/leasekeeper/internal/view"
	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/internal/explore"
	"github.com/spf13/cobra"
)

// exhaustiveFlags are the flags of fuzz that say which histories are all tried.
type exhaustiveFlags struct {
	wanted                      bool
	depth, clients, locks, keys int64
	ttls, steps, looks          []int64
	store, noShared             bool
	most                        int64 // states
}

// exhaustiveOnly are the flags that say nothing without --exhaustive.
var exhaustiveOnly = []string{"depth", "clients", "locks", "keys", "ttls", "steps", "looks", "store", "no-shared", "max-states"}

func (f *exhaustiveFlags) register(cmd *cobra.Command) {
	small := explore.Small(events.Current)
	f.clients, f.locks, f.keys = int64(small.Clients), int64(small.Locks), int64(small.Keys)
	f.ttls, f.steps, f.looks = small.TTLs, small.Steps, small.Looks
	f.most = explore.DefaultMaxStates
	cmd.Flags().BoolVar(&f.wanted, "exhaustive", false, "try every history over a small alphabet")
	addFlag(cmd, &f.depth, "depth", "N", "with --exhaustive: operations in the longest histories; 0: until there is nothing new", parseAtLeast(0))
	addFlag(cmd, &f.clients, "clients", "N", "with --exhaustive: how many clients", parseAtLeast(1))
	addFlag(cmd, &f.locks, "locks", "N", "with --exhaustive: how many locks", parseAtLeast(1))
	addFlag(cmd, &f.keys, "keys", "N", "with --exhaustive: how many keys of the store", parseAtLeast(1))
	addNumbers(cmd, &f.ttls, "ttls", "with --exhaustive: the ttls of leases, in ticks")
	addNumbers(cmd, &f.steps, "steps", "with --exhaustive: the ticks between operations")
	addNumbers(cmd, &f.looks, "looks", "with --exhaustive: more ticks, after which somebody looks")
	cmd.Flags().BoolVar(&f.store, "store", small.Store, "with --exhaustive: writes and reads as well")
	cmd.Flags().BoolVar(&f.noShared, "no-shared", false, "with --exhaustive: exclusive locks only")
	addFlag(cmd, &f.most, "max-states", "N", "with --exhaustive: states at most, 70 bytes each", parseAtLeast(1))
}

// useless names a flag that was given and says nothing without --exhaustive.
func (f *exhaustiveFlags) useless(given func(string) bool) string {
	for _, flag := range exhaustiveOnly {
		if given(flag) {
			return flag
		}
	}
	return ""
}

// numbers is a flag that is a list of numbers. It implements pflag.Value.
type numbers struct{ to *[]int64 }

func addNumbers(cmd *cobra.Command, to *[]int64, name, usage string) {
	cmd.Flags().Var(numbers{to}, name, usage)
}

func (n numbers) Set(text string) error {
	var list []int64
	for _, word := range strings.Split(text, ",") {
		number, err := strconv.ParseInt(word, 10, 64)
		if err != nil {
			return errors.New("this is no list of numbers such as 1,2")
		}
		list = append(list, number)
	}
	*n.to = list
	return nil
}

func (n numbers) String() string {
	var words []string
	for _, number := range *n.to {
		words = append(words, strconv.FormatInt(number, 10))
	}
	return strings.Join(words, ",")
}

func (n numbers) Type() string { return "N,N…" }

// scope is what the flags say.
func (f *exhaustiveFlags) scope(rules events.Rules) explore.Scope {
	s := explore.Scope{
		Rules: rules, Clients: int(f.clients), Locks: int(f.locks), Keys: int(f.keys), Depth: int(f.depth),
		TTLs: f.ttls, Steps: f.steps, Looks: f.looks, Store: f.store,
		Modes: []events.Mode{events.Exclusive, events.Shared},
	}
	if f.noShared {
		s.Modes = s.Modes[:1]
	}
	return s
}

// run explores, and tells how far it went or what it found.
func (f *exhaustiveFlags) run(ctx context.Context, rules *rulesFlags, jobs int, planted []string, asJSON bool, out *bufio.Writer) error {
	r := newReport(out)
	if !asJSON {
		r.Title("fuzz · every history · " + rulesText(rules.Rules))
	}
	defer debug.SetGCPercent(debug.SetGCPercent(400)) // half of the time would go to it
	begin := time.Now()
	options := explore.Options{Workers: jobs, MaxStates: f.most, Deviations: planted, Progress: func(l explore.Level) {
		if !asJSON {
			r.Line(fmt.Sprintf("depth %d", l.Depth), "%d new states, %d operations tried in them", l.States, l.Edges)
			_ = out.Flush() // an exploration may take minutes
		}
	}}
	report, err := explore.Explore(ctx, f.scope(rules.Rules), options)
	switch {
	case ctx.Err() != nil:
		return stopped(ctx, err)
	case err != nil && !errors.Is(err, explore.ErrStates):
		return err // about the scope
	}
	elapsed := time.Since(begin)
	if asJSON {
		err = errors.Join(err, printExploration(report, elapsed, out))
	} else {
		printExplored(r, report, elapsed)
	}
	if report.Failure != nil {
		return errors.Join(foundFault(exitDiffers), err)
	}
	return err
}

// printExplored prints what an exploration came to.
func printExplored(r *view.Report, report explore.Report, elapsed time.Duration) {
	rate := float64(report.Edges) / max(elapsed.Seconds(), 0.001)
	r.Line("tried", "%d states, %d operations in them, %s, %.0f a second", report.States, report.Edges, elapsed.Round(10*time.Millisecond), rate)
	switch {
	case report.Failure != nil:
		r.Alarm("verdict", "a shortest history of %s shows a fault", view.Count(len(report.Failure.History.Events), "operation", "operations"))
		for _, line := range strings.Split(strings.TrimRight(report.Failure.String(), "\n"), "\n") {
			r.Line("", "%s", line)
		}
	case report.Complete:
		r.Good("verdict", "complete: no history of any length shows a fault; there are no other states")
	default:
		r.Good("verdict", "no history of up to %s shows a fault", view.Count(report.Depth, "operation", "operations"))
	}
}

// printExploration prints the same as an object.
func printExploration(report explore.Report, elapsed time.Duration, out *bufio.Writer) error {
	type level struct {
		Depth  int   `json:"depth"`
		States int64 `json:"states"`
		Edges  int64 `json:"edges"`
	}
	type fault struct {
		Kind       string            `json:"kind"`
		Operations []json.RawMessage `json:"operations"`
		Required   string            `json:"required"`
		Given      string            `json:"given"`
	}
	data := struct {
		States       int64   `json:"states"`
		Edges        int64   `json:"edges"`
		Depth        int     `json:"depth"`
		Complete     bool    `json:"complete"`
		Milliseconds int64   `json:"milliseconds"`
		Levels       []level `json:"levels"`
		Fault        *fault  `json:"fault"`
	}{report.States, report.Edges, report.Depth, report.Complete, elapsed.Milliseconds(), []level{}, nil}
	for _, l := range report.Levels {
		data.Levels = append(data.Levels, level{l.Depth, l.States, l.Edges})
	}
	if failure := report.Failure; failure != nil {
		data.Fault = &fault{failure.Kind.String(), nil, failure.Required, failure.Got}
		for _, e := range failure.History.Events {
			data.Fault.Operations = append(data.Fault.Operations, events.AppendJSON(nil, e))
		}
	}
	text, err := json.Marshal(data)
	if err == nil {
		_, _ = out.Write(append(forTerminals()(text), '\n'))
	}
	return err
}
