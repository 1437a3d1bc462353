package naive

import (
	"cmp"
	"slices"

	"github.com/leasekeeper/leasekeeper/events"
)

// inspect shows who holds a lock, by token, and who waits, oldest first (R21).
func (m *Model) inspect(lock string) events.Answer {
	var view events.LockView
	for _, l := range m.holders(lock) {
		view.Holders = append(view.Holders, events.Holder{
			Client: l.client, Mode: l.mode, Token: l.token, ExpiresAt: l.expiresAt,
		})
	}
	slices.SortStableFunc(view.Holders, func(a, b events.Holder) int { return cmp.Compare(a.Token, b.Token) })
	for _, r := range m.queue.on(lock) {
		view.Queue = append(view.Queue, events.Waiter{Client: r.client, Mode: r.mode})
	}
	return view
}

// status shows a client's age, its leases by the names of their locks, and
// what it waits for (R22).
func (m *Model) status(client string) events.Answer {
	view := events.ClientView{Age: m.ages[client]}
	for _, l := range m.leasesOf(client) {
		view.Holds = append(view.Holds, events.Hold{
			Lock: l.lock, Mode: l.mode, Token: l.token, ExpiresAt: l.expiresAt,
		})
	}
	for _, r := range m.queue.of(client) {
		view.Waiting = r.lock
	}
	return view
}
