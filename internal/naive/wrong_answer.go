package naive

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/leasekeeper/leasekeeper/events"
)

// misreport are the deviations that do the right thing and tell it wrong.
func (m *Model) misreport(answer events.Answer) events.Answer {
	if !m.deviant {
		return answer
	}
	switch a := answer.(type) {
	case events.Granted:
		a.Victims = m.misname(a.Victims)
		return a
	case events.Queued:
		a.Victims = m.misname(a.Victims)
		return a
	case events.Deadlock:
		if m.wrong[victimsSorted] {
			slices.Sort(a.Victims)
		}
		if m.wrong[requesterMissingFromVictims] && len(a.Victims) > 0 {
			a.Victims = a.Victims[:len(a.Victims)-1]
		}
		return a
	case events.LockView:
		if m.wrong[inspectHoldersByClient] {
			slices.SortStableFunc(a.Holders, func(x, y events.Holder) int { return strings.Compare(x.Client, y.Client) })
		}
		if m.wrong[inspectQueueNewestFirst] {
			slices.Reverse(a.Queue)
		}
		return a
	case events.ClientView:
		m.missort(a)
		return a
	}
	return answer
}

// misname are the deviations of the list of victims that an acquire is
// answered with (R20).
func (m *Model) misname(victims []string) []string {
	if m.wrong[victimsMissing] {
		return nil
	}
	if m.wrong[victimsSorted] {
		slices.Sort(victims)
	}
	return victims
}

// missort are the deviations of the order of a client's leases (R22).
func (m *Model) missort(view events.ClientView) {
	if m.wrong[statusHoldsByToken] {
		slices.SortStableFunc(view.Holds, func(x, y events.Hold) int { return cmp.Compare(x.Token, y.Token) })
	}
	if m.wrong[statusHoldsByUTF16] {
		slices.SortStableFunc(view.Holds, func(x, y events.Hold) int {
			return slices.Compare(utf16.Encode([]rune(x.Lock)), utf16.Encode([]rune(y.Lock)))
		})
	}
}
