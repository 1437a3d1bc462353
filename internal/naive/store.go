package naive

import "github.com/leasekeeper/leasekeeper/events"

// write accepts a value under a token that is not below the highest one that
// the store has accepted for the lock. Leases are no concern of the store, and
// whoever is refused changes nothing (R6).
func (m *Model) write(e events.Write) events.Answer {
	mark := m.markPlace(e.Lock, e.Key)
	accepted := e.Token >= m.marks[mark]
	if m.wrong[storeRequiresHigher] {
		accepted = e.Token > m.marks[mark]
	}
	if m.wrong[staleTokenAccepted] {
		accepted = true
	}
	if !accepted || m.asksTheLockTable(e) {
		if m.wrong[rejectedValueKept] {
			m.values[m.valuePlace(e.Lock, e.Key)] = e.Value
		}
		if m.wrong[rejectedTokenRecorded] {
			m.marks[mark] = e.Token
		}
		return m.refuse(m.clock, events.StaleToken)
	}
	m.marks[mark] = e.Token
	if m.wrong[writeAdvancesCounter] {
		m.tokens[e.Lock] = max(m.tokens[e.Lock], e.Token)
	}
	value := m.valuePlace(e.Lock, e.Key)
	if _, taken := m.values[value]; !taken || !m.wrong[firstValueStays] {
		m.values[value] = e.Value
	}
	m.record(events.Effect{
		Kind: events.EffectWritten, Instant: m.clock, Lock: e.Lock, Key: e.Key, Token: e.Token,
	})
	return events.Accepted
}

// read answers with the last value accepted (R6).
func (m *Model) read(e events.Read) events.Answer {
	text, found := m.values[m.valuePlace(e.Lock, e.Key)]
	if m.wrong[readRequiresLock] && m.tokens[e.Lock] == 0 {
		return events.Value{}
	}
	return events.Value{Text: text, Found: found}
}

// markPlace is where the high-water mark lies that a write is held against:
// one a lock (R6).
func (m *Model) markPlace(lock, key string) place {
	switch {
	case m.wrong[markPerKey]:
		return place{lock, key}
	case m.wrong[markSharedByLocks]:
		return place{}
	}
	return place{lock: lock}
}

// valuePlace is where a value lies: one a lock and key (R6).
func (m *Model) valuePlace(lock, key string) place {
	if m.wrong[valuesSharedByLocks] {
		return place{key: key}
	}
	return place{lock, key}
}

// asksTheLockTable are the deviations of a store that looks at more than
// tokens.
func (m *Model) asksTheLockTable(e events.Write) bool {
	if m.wrong[writeRequiresLease] {
		for _, l := range m.holders(e.Lock) {
			if l.token == e.Token {
				return false
			}
		}
		return true
	}
	if m.wrong[unissuedTokenRefused] && e.Token > m.tokens[e.Lock] {
		return true
	}
	return m.wrong[writeRequiresLock] && m.tokens[e.Lock] == 0
}
