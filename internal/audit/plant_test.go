package audit_test

import (
	"encoding/json"
	"strings"

	"github.com/leasekeeper/leasekeeper/events"
)

// plant is a wrong answer in the place of a right one; "" if it does not fit.
type plant struct {
	name string
	make func(right events.Answer) string
}

// text is an answer as JSON.
func text(a events.Answer) string { return string(a.AppendJSON(nil)) }

// garbage are answers that no operation has.
var garbage = []string{`{}`, `[]`, `17`, `""`, `true`, `[["granted"]]`, `["granted"`, `not JSON`, `"ok\ud800"`, `{"holders":[],"holders":[]}`}

// plants are all kinds of wrong answers.
var plants = append(append(grantPlants, viewPlants...), wordPlants...)

func granted(change func(a *events.Granted)) func(events.Answer) string {
	return func(right events.Answer) string {
		a, ok := right.(events.Granted)
		if !ok {
			return ""
		}
		change(&a)
		return text(a)
	}
}

func queued(change func(a *events.Queued)) func(events.Answer) string {
	return func(right events.Answer) string {
		a, ok := right.(events.Queued)
		if !ok {
			return ""
		}
		change(&a)
		return text(a)
	}
}

// swap gives an answer in the place of those of a kind.
func swap(from func(events.Answer) bool, to events.Answer) func(events.Answer) string {
	return func(right events.Answer) string {
		if !from(right) {
			return ""
		}
		return text(to)
	}
}

func is[T events.Answer](a events.Answer) bool { _, ok := a.(T); return ok }

func exactly(wanted events.Answer) func(events.Answer) bool {
	return func(a events.Answer) bool { return text(a) == text(wanted) }
}

var grantPlants = []plant{
	{"token one too high", granted(func(a *events.Granted) { a.Token++ })},
	{"token one too low", granted(func(a *events.Granted) { a.Token-- })},
	{"end too late", granted(func(a *events.Granted) { a.ExpiresAt++ })},
	{"end too early", granted(func(a *events.Granted) { a.ExpiresAt-- })},
	{"victim added", granted(func(a *events.Granted) { a.Victims = append([]string{"nobody"}, a.Victims...) })},
	{"end as a fraction", func(right events.Answer) string {
		if !is[events.Granted](right) {
			return ""
		}
		return strings.TrimSuffix(text(right), "]") + ".0]"
	}},
	{"queued, not granted", swap(is[events.Granted], events.Queued{Position: 1})},
	{"busy, not granted", swap(is[events.Granted], events.ClientBusy)},
	{"deadlock, not granted", swap(is[events.Granted], events.Deadlock{Victims: []string{"a"}})},
	{"position one too high", queued(func(a *events.Queued) { a.Position++ })},
	{"position one too low", queued(func(a *events.Queued) { a.Position-- })},
	{"victim invented", queued(func(a *events.Queued) { a.Victims = append(a.Victims, "nobody") })},
	{"granted, not queued", swap(is[events.Queued], events.Granted{Token: 1, ExpiresAt: 1})},
	{"granted, not busy", swap(exactly(events.ClientBusy), events.Granted{Token: 1, ExpiresAt: 1})},
	{"victims missing", func(right events.Answer) string {
		if a, ok := right.(events.Deadlock); ok {
			return text(events.Deadlock{Victims: a.Victims[1:]})
		}
		return ""
	}},
	{"queued, not deadlock", swap(is[events.Deadlock], events.Queued{Position: 1})},
}

var viewPlants = []plant{
	{"wrong holder", view(func(v *events.LockView) bool { return len(v.Holders) > 0 }, func(v *events.LockView) { v.Holders[0].Client += "x" })},
	{"wrong token", view(func(v *events.LockView) bool { return len(v.Holders) > 0 }, func(v *events.LockView) { v.Holders[0].Token++ })},
	{"wrong end", view(func(v *events.LockView) bool { return len(v.Holders) > 0 }, func(v *events.LockView) { v.Holders[0].ExpiresAt++ })},
	{"holder missing", view(func(v *events.LockView) bool { return len(v.Holders) > 0 }, func(v *events.LockView) { v.Holders = v.Holders[1:] })},
	{"holder invented", view(func(v *events.LockView) bool { return len(v.Holders) == 0 }, func(v *events.LockView) {
		v.Holders = append(v.Holders, events.Holder{Client: "a", Mode: events.Exclusive, Token: 1, ExpiresAt: 9})
	})},
	{"waiter missing", view(func(v *events.LockView) bool { return len(v.Queue) > 0 }, func(v *events.LockView) { v.Queue = v.Queue[1:] })},
	{"waiter invented", view(func(*events.LockView) bool { return true }, func(v *events.LockView) {
		v.Queue = append(v.Queue, events.Waiter{Client: "late", Mode: events.Shared})
	})},
	{"wrong age", func(right events.Answer) string {
		a, ok := right.(events.ClientView)
		if !ok {
			return ""
		}
		a.Age++
		return text(a)
	}},
	{"wrong lock awaited", func(right events.Answer) string {
		a, ok := right.(events.ClientView)
		if !ok {
			return ""
		}
		a.Waiting += "x"
		return text(a)
	}},
	{"wrong tally", func(right events.Answer) string {
		a, ok := right.(events.Tally)
		if !ok {
			return ""
		}
		a.Results = append([]events.Count{{Answer: "granted", Times: 99}}, a.Results...)
		return text(a)
	}},
}

func view(fits func(*events.LockView) bool, change func(*events.LockView)) func(events.Answer) string {
	return func(right events.Answer) string {
		v, ok := right.(events.LockView)
		if !ok || !fits(&v) {
			return ""
		}
		var copied events.LockView
		copied.Holders = append(copied.Holders, v.Holders...)
		copied.Queue = append(copied.Queue, v.Queue...)
		change(&copied)
		return text(copied)
	}
}

var wordPlants = []plant{
	{"renewed too long", func(right events.Answer) string {
		if a, ok := right.(events.Renewed); ok {
			return text(events.Renewed{ExpiresAt: a.ExpiresAt + 1})
		}
		return ""
	}},
	{"not holder, not renewed", swap(is[events.Renewed], events.NotHolder)},
	{"renewed, not refused", swap(exactly(events.NotHolder), events.Renewed{ExpiresAt: 60})},
	{"released, not refused", swap(exactly(events.NotHolder), events.Released)},
	{"withdrawn, not released", swap(exactly(events.Released), events.Withdrawn)},
	{"not holder, not released", swap(exactly(events.Released), events.NotHolder)},
	{"released, not withdrawn", swap(exactly(events.Withdrawn), events.Released)},
	{"stale, not ok", swap(exactly(events.Accepted), events.StaleToken)},
	{"ok, not stale", swap(exactly(events.StaleToken), events.Accepted)},
	{"null, not a value", swap(func(a events.Answer) bool { v, ok := a.(events.Value); return ok && v.Found }, events.Value{})},
	{"a value, not null", swap(exactly(events.Value{}), events.Value{Text: "null", Found: true})},
	{"accepted, not invalid", swap(exactly(events.InvalidArguments), events.Accepted)},
	{"another refusal", swap(exactly(events.InvalidTTL), events.InvalidArguments)},
	{"clock forgiven", swap(exactly(events.ClockWentBack), events.NotHolder)},
	{"unknown accepted", swap(exactly(events.UnknownOperation), events.InvalidArguments)},
	{"no answer", func(right events.Answer) string {
		if text(right) == "null" {
			return `"null"`
		}
		return "null"
	}},
	{"a list around it", func(right events.Answer) string { return "[" + text(right) + "]" }},
	{"cut off", func(right events.Answer) string { return text(right)[:len(text(right))-1] }},
	{"garbage", func(right events.Answer) string { return garbage[len(text(right))%len(garbage)] }},
}

// harmless are other spellings of an answer. None of them is wrong.
func harmless(right string) []string {
	var indented strings.Builder
	e := json.NewEncoder(&indented)
	e.SetIndent(" ", "\t")
	var value any
	d := json.NewDecoder(strings.NewReader(right))
	d.UseNumber()
	if d.Decode(&value) != nil || e.Encode(value) != nil { // fields by name, < > & escaped
		return nil
	}
	return []string{indented.String(), " " + right + "\r\n", strings.ReplaceAll(right, "e", `\u0065`)}
}
