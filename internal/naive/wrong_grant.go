package naive

import "github.com/leasekeeper/leasekeeper/events"

// resetWhenIdle are the deviations that forget about a lock once nobody holds
// or awaits it.
func (m *Model) resetWhenIdle(lock string, cause events.Cause) {
	if cause != events.CauseFree || len(m.holders(lock)) > 0 {
		return
	}
	if m.wrong[counterResetWhenIdle] {
		delete(m.tokens, lock)
	}
	if m.wrong[markResetWhenIdle] {
		delete(m.marks, place{lock: lock})
	}
}

// setTokenAside is the deviation that numbers requests instead of grants.
func (m *Model) setTokenAside(r *request) {
	if m.wrong[tokenAtQueueing] {
		m.tokens[r.lock]++
		r.token = m.tokens[r.lock]
	}
}

// deviantToken are the deviations that do not take the counter's next number.
func (m *Model) deviantToken(r *request, counter string, cause events.Cause) (token int64, ok bool) {
	holders := m.holders(r.lock)
	switch {
	case m.wrong[queueGrantKeepsToken] && cause != events.CauseFree:
		return m.tokens[counter], true
	case m.wrong[sharedGrantsShareToken] && r.mode == events.Shared && len(holders) > 0:
		return holders[0].token, true
	case m.wrong[tokenAtQueueing] && r.token > 0:
		return r.token, true
	case m.wrong[tokensFromZero]:
		m.tokens[counter]++
		return m.tokens[counter] - 1, true
	}
	return 0, false
}

// registerMentioned is the deviation that registers whoever is named.
func (m *Model) registerMentioned(e events.Event) {
	switch e := e.(type) {
	case events.Renew:
		m.register(e.Client)
	case events.Release:
		m.register(e.Client)
	case events.Status:
		m.register(e.Client)
	}
}

// forgetIdle is the deviation that unregisters clients with nothing in hand.
func (m *Model) forgetIdle() {
	for client := range m.ages {
		if len(m.queue.of(client)) == 0 && len(m.leases.of(client)) == 0 {
			delete(m.ages, client)
		}
	}
}
