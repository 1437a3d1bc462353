package explain

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/leasekeeper/leasekeeper/events"
)

// malformed explains an operation that was refused for its form. The checks are
// those of R23, in their order.
func (a *account) malformed(r events.Refusal) {
	before := a.before
	a.happen()
	a.lapses("")
	raw := events.AppendJSON(nil, a.entry.Event)
	f := fault(before.Rules(), raw, r)
	f.Event = a.result.Sequence
	a.add(f.Kind, f)
	if _, moves, _ := before.Rules().Admit(a.entry.Event); !moves {
		a.add("clock stays", Fact{Event: a.result.Sequence})
	} else {
		a.add("clock moved", Fact{Event: a.result.Sequence, Instant: &a.clock})
	}
}

// wentBack explains an operation that came with an instant before the clock.
func (a *account) wentBack() {
	asked, _ := a.entry.Event.Instant()
	clock, _ := a.before.Clock()
	moved, ok := find(a.past, func(t *trail) (*trail, bool) { return t, t.clockBy > 0 })
	f := Fact{Ends: &clock, OldEnd: &asked}
	if ok {
		f.Event, f.Instant = moved.clockBy, &clock
	} else {
		f.BeforeEvent = a.from() + 1
	}
	a.happen()
	a.add("clock went back", f)
}

// parameter is an argument of an operation: its name, and a probe, an operation
// that is right except perhaps for this argument. So what is right is said by
// the parser alone.
type parameter struct {
	name, probe, rule string
}

var (
	parameters = map[string][]parameter{
		"acquire": {client, lock, ttl, {"mode", `["acquire",0,"c","l",1,%s]`, "R9"}},
		"renew":   {client, lock, ttl},
		"release": {client, lock},
		"write": {lock, {"key", `["read",0,"l",%s]`, "R25"}, {"value", `["read",0,"l",%s]`, "R25"},
			{"token", `["write",0,"l","k","v",%s]`, "R24"}},
		"read":    {lock, {"key", `["read",0,"l",%s]`, "R25"}},
		"inspect": {lock},
		"status":  {client},
		"repeat": {{"count", `["repeat",0,%s,0,["x"]]`, "R27"}, {"step", `["repeat",0,1,%s,["x"]]`, "R27"},
			{"template", `["repeat",0,1,0,%s]`, "R27"}},
	}
	client = parameter{"client", `["inspect",0,%s]`, "R25"}
	lock   = parameter{"lock", `["inspect",0,%s]`, "R25"}
	ttl    = parameter{"ttl", `["renew",0,"c","l",%s]`, "R24"}
)

// fault finds the first check that an operation fails, as a fact without its
// event.
func fault(rules events.Rules, raw []byte, refusal events.Refusal) Fact {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil || len(list) < 2 {
		return Fact{Kind: "no operation"}
	}
	f := Fact{Detail: shortened(list[0])}
	var name string
	_ = json.Unmarshal(list[0], &name)
	if refusal == events.UnknownOperation {
		f.Kind, f.Count = "unknown operation", int64(rules.Edition)
		return f
	}
	if !accepted(rules, `["inspect",%s,"l"]`, list[1]) {
		return Fact{Kind: "bad instant", Detail: shortened(list[1]), Mark: rules.MaxInstant()}
	}
	named, arguments := parameters[name], list[2:]
	least := len(named)
	if name == "acquire" {
		least--
		if rules.Edition < events.Edition2 {
			named = named[:least]
		}
	}
	if len(arguments) < least || len(arguments) > len(named) {
		f.Kind, f.Count, f.Key = "number of arguments", int64(len(arguments)), wanted(named, least)
		return f
	}
	return badArgument(rules, named, arguments, refusal)
}

// wanted are the names of an operation's arguments.
func wanted(named []parameter, least int) string {
	var names []string
	for i, p := range named {
		if i >= least {
			p.name += " (optional)"
		}
		names = append(names, p.name)
	}
	return strings.Join(names, ", ")
}

// badArgument finds the first argument that is wrong by itself. If there is
// none, the strings of a repeat's runs would take too many bytes.
func badArgument(rules events.Rules, named []parameter, arguments []json.RawMessage, refusal events.Refusal) Fact {
	for i, argument := range arguments {
		p := named[i]
		if refused(rules, p.probe, argument) == refusal {
			f := Fact{Kind: "bad argument", Key: p.name, Detail: shortened(argument), Position: i + 1}
			f.Rules = slices.Compact([]string{"R23", p.rule})
			if refusal == events.InvalidTTL {
				f.Kind, f.Mark, f.Rules = "bad ttl", rules.MaxTTL(), nil
			}
			return f
		}
	}
	return Fact{Kind: "too much expansion", Count: events.MaxExpansion}
}

func accepted(rules events.Rules, probe string, argument []byte) bool {
	return refused(rules, probe, argument) == events.NotRefused
}

// refused is how a probe with an argument is refused.
func refused(rules events.Rules, probe string, argument []byte) events.Refusal {
	e, err := rules.Parse(fmt.Appendf(nil, probe, bytes.TrimSpace(argument)))
	if invalid, ok := e.(events.Invalid); err == nil && ok {
		return invalid.Refusal
	}
	return events.NotRefused
}
