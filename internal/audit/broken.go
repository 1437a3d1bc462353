package audit

import (
	"slices"

	"github.com/leasekeeper/leasekeeper/events"
)

// broken are the rules that a wrong answer breaks, as far as the difference
// alone tells: those that decide what is required and what was recorded instead.
func (a *aspect) broken(rules events.Rules) (list []string) {
	add := func(names ...string) {
		for _, name := range names {
			if !slices.Contains(list, name) {
				list = append(list, name)
			}
		}
	}
	for _, kind := range []string{a.required.kind, a.recorded.kind} {
		add(refusing(kind, rules)...)
	}
	switch e := a.event.(type) {
	case events.Acquire:
		add(a.brokenByAcquire()...)
	case events.Renew:
		add("R2")
	case events.Release:
		add("R7")
		if a.required.kind == "withdrawn" || a.recorded.kind == "withdrawn" {
			add("R13")
		}
	case events.Write, events.Read:
		add("R6")
	case events.Inspect:
		add(a.brokenByView()...)
	case events.Status:
		add(a.brokenByStatus()...)
	case events.Repeat:
		add("R27")
	case events.Invalid:
		add("R23")
		if e.MovesClock {
			add("R1")
		}
	}
	return list
}

// refusing are the rules that a refusal goes back to, if an answer is one that
// does not depend on the operation.
func refusing(kind string, rules events.Rules) []string {
	switch kind {
	case events.UnknownOperation.String():
		return []string{"R23", "R29"}
	case events.ClockWentBack.String():
		return []string{"R26"}
	case events.InvalidArguments.String():
		return []string{"R23"}
	case events.InvalidTTL.String():
		return []string{"R2", "R23"}
	case events.ClientBusy.String():
		if rules.Edition < events.Edition3 {
			return []string{"R8"}
		}
		return []string{"R14"}
	}
	return nil
}

func (a *aspect) brokenByAcquire() []string {
	if a.required.kind == a.recorded.kind {
		var list []string
		for _, name := range a.parts {
			list = append(list, map[string]string{"token": "R5", "end": "R2", "position": "R4", "victims": "R18"}[name])
		}
		if slices.Contains(list, "R18") {
			list = append(list, "R20")
		}
		return list
	}
	switch {
	case a.required.kind == "deadlock" || a.recorded.kind == "deadlock":
		return []string{"R17", "R18", "R20"}
	case a.required.kind == "queued" || a.required.kind == "granted":
		return []string{"R10"}
	}
	return nil
}

// brokenByView tells, of who is shown as holder, in what the leases differ.
func (a *aspect) brokenByView() (list []string) {
	if a.required.kind != "view" || a.recorded.kind != "view" {
		return []string{"R21"}
	}
	required, recorded := leasesOf(a.required.part("holders")), leasesOf(a.recorded.part("holders"))
	switch {
	case !slices.Contains(a.parts, "holders"):
		return []string{"R4", "R21"}
	case len(required) != len(recorded):
		return []string{"R3", "R11", "R21"}
	}
	columns := []struct{ rules []string }{{[]string{"R3", "R11"}}, {[]string{"R9"}}, {[]string{"R5"}}, {[]string{"R2", "R3"}}}
	for column, c := range columns {
		for i := range required {
			if required[i][column] != recorded[i][column] {
				return append(c.rules, "R21")
			}
		}
	}
	return []string{"R21"}
}

func (a *aspect) brokenByStatus() (list []string) {
	if a.required.kind == "status" && a.recorded.kind == "status" {
		for _, name := range a.parts {
			list = append(list, map[string]string{"age": "R15", "holds": "R2", "waiting": "R4"}[name])
		}
	}
	return append(list, "R22")
}
