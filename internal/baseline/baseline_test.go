package baseline_test

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/internal/baseline"
	"github.com/leasekeeper/leasekeeper/internal/load"
	"github.com/leasekeeper/leasekeeper/internal/naive"
)

// The histories that an independent implementation decided.
func TestDecidedHistories(t *testing.T) {
	file, err := os.Open("../../testdata/histories.jsonl")
	require.NoError(t, err)
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<24)
	count := 0
	for lines.Scan() {
		var history struct {
			Name       string
			Operations []json.RawMessage
			Results    []json.RawMessage
		}
		require.NoError(t, json.Unmarshal(lines.Bytes(), &history))
		service := baseline.New(events.Current)
		for i, operation := range history.Operations {
			e, err := events.Current.Parse(operation)
			require.NoError(t, err)
			answer := service.Apply(e).AppendJSON(nil)
			require.JSONEq(t, string(history.Results[i]), string(answer), "%s, operation %d", history.Name, i)
		}
		count++
	}
	require.NoError(t, lines.Err())
	require.NotZero(t, count)
}

// The loads that speed is measured with.
func TestLoads(t *testing.T) {
	for name, config := range map[string]load.Config{
		"uniform": {Locks: 40, Events: 4000},
		"zipf":    {Locks: 40, Events: 4000, Zipf: true},
		"single":  {Locks: 40, Events: 4000, Single: true},
	} {
		t.Run(name, func(t *testing.T) {
			mixed := load.Mixed(config)
			requireSame(t, load.Rules, append(mixed.Setup, mixed.Stream...))
		})
	}
	for name, l := range map[string]load.Load{"ring": load.Ring(30), "cascade": load.Cascade(30)} {
		t.Run(name, func(t *testing.T) { requireSame(t, load.Rules, append(l.Setup, l.Stream...)) })
	}
	for name, crowd := range map[string]func(int) ([]events.Event, []load.Cycle){
		"queue": load.Queue, "shared holders": load.SharedHolders,
	} {
		t.Run(name, func(t *testing.T) {
			history, cycles := crowd(30)
			for _, cycle := range cycles {
				history = append(history, cycle.Stream...)
			}
			requireSame(t, load.Rules, history)
		})
	}
}

// Any history, in any edition.
func TestAnyHistory(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		edition := rapid.SampledFrom([]events.Edition{events.Edition1, events.Edition2, events.Edition3})
		rules := events.Rules{Edition: edition.Draw(t, "edition"), Unit: events.Second}
		d := &dealer{T: t, pace: rapid.SampledFrom([]int64{0, 1, 10}).Draw(t, "pace")}
		history := make([]events.Event, rapid.IntRange(1, 40).Draw(t, "length")*4)
		for i := range history {
			history[i] = d.event()
		}
		requireSame(t, rules, history)
	})
}

// requireSame holds every answer to the reference model's.
func requireSame(t require.TestingT, rules events.Rules, history []events.Event) {
	model, err := naive.New(rules)
	require.NoError(t, err)
	service := baseline.New(rules)
	for i, e := range history {
		want := string(model.Apply(e).Answer.AppendJSON(nil))
		require.Equal(t, want, string(service.Apply(e).AppendJSON(nil)), "event %d: %#v", i, e)
	}
}

// dealer draws events about few locks and clients, so that they meet.
type dealer struct {
	*rapid.T
	clock int64
	pace  int64 // of the clock: at 0 locks fill up and cycles are common
}

func (d *dealer) event() events.Event {
	d.clock += d.int64(0, d.pace, "step")
	switch d.pick("operation",
		"acquire", "acquire", "acquire", "acquire", "acquire", "acquire", "acquire", "acquire", "release", "release",
		"renew", "write", "read", "inspect", "status", "repeat", "late", "invalid",
	) {
	case "acquire":
		return events.Acquire{At: d.clock, Client: d.client(), Lock: d.lock(), TTL: d.ttl(), Mode: d.mode()}
	case "release":
		return events.Release{At: d.clock, Client: d.client(), Lock: d.lock()}
	case "renew":
		return events.Renew{At: d.clock, Client: d.client(), Lock: d.lock(), TTL: d.ttl()}
	case "write":
		return events.Write{At: d.clock, Lock: d.lock(), Key: d.key(), Value: "v", Token: d.int64(0, 5, "token")}
	case "read":
		return events.Read{At: d.clock, Lock: d.lock(), Key: d.key()}
	case "inspect":
		return events.Inspect{At: d.clock, Lock: d.lock()}
	case "status":
		return events.Status{At: d.clock, Client: d.client()}
	case "late":
		return events.Release{At: d.clock - 1, Client: d.client(), Lock: d.lock()}
	case "invalid":
		return events.Invalid{Raw: `["read",1]`, Refusal: events.InvalidArguments, At: d.clock, MovesClock: true}
	}
	return d.repeat()
}

// repeat moves the clock of the following events with it.
func (d *dealer) repeat() events.Event {
	e := events.Repeat{
		At: d.clock, Count: d.int64(0, 8, "count"), Step: d.int64(0, 2, "step"),
		Template: rapid.SampledFrom([]string{
			`["acquire","c{i}","L{i+1%3}",6]`, `["release","c{i%5}","L{i%3}"]`, `["write","L0","k0","aborted",3]`,
			`["read","L{i%2}","k0"]`, `["acquire","c{i%4}","L{i%3}",0]`, `["inspect","L0"]`, `["unknown"]`,
			`["acquire","c{i%0}","L0",1]`,
		}).Draw(d.T, "template"),
	}
	if e.Count > 0 {
		d.clock += (e.Count - 1) * e.Step
	}
	return e
}

func (d *dealer) int64(low, high int64, label string) int64 {
	return rapid.Int64Range(low, high).Draw(d.T, label)
}

func (d *dealer) pick(label string, names ...string) string {
	return rapid.SampledFrom(names).Draw(d.T, label)
}

func (d *dealer) client() string { return d.pick("client", "c0", "c1", "c2", "c3", "c4", "c5") }

func (d *dealer) lock() string { return d.pick("lock", "L0", "L1", "L2", "L3") }

func (d *dealer) key() string { return d.pick("key", "k0", "k1", "") }

func (d *dealer) ttl() int64 {
	return rapid.SampledFrom([]int64{40, 1, 10, 100, 0}).Draw(d.T, "ttl")
}

func (d *dealer) mode() events.Mode {
	return rapid.SampledFrom([]events.Mode{events.Exclusive, events.Exclusive, events.Shared}).Draw(d.T, "mode")
}
