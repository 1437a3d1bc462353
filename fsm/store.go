package fsm

import (
	"strings"

	"github.com/leasekeeper/leasekeeper/events"
)

// write stores a value unless a higher token has been accepted for the lock.
// The store looks at nothing else: no lease, no holder, no lock table (R6).
func (m *Machine) write(e events.Write) events.Answer {
	number := m.locks.number(e.Lock)
	if number == 0 {
		number = m.locks.add(m.owner, e.Lock)
	}
	if e.Token < m.locks.at(number).mark {
		return m.refuse(e, e.At, events.StaleToken)
	}
	l := m.locks.edit(m.owner, number)
	if e.Token != l.mark {
		if l.mark > 0 {
			m.sum.remove(markRow(l))
		}
		l.mark = e.Token
		m.sum.add(markRow(l))
	}
	key := storeKey(e.Key)
	if old, ok := l.values.Get(key); ok {
		m.sum.remove(valueRow(l, e.Key, old))
	} else {
		key = storeKey(strings.Clone(e.Key))
	}
	l.values.Put(m.owner, key, e.Value)
	m.sum.add(valueRow(l, e.Key, e.Value))
	m.note(events.Effect{
		Kind: events.EffectWritten, Instant: e.At, Lock: l.name, Key: e.Key, Token: e.Token,
	})
	return events.Accepted
}

// read answers the last accepted value (R6).
func (m *Machine) read(e events.Read) events.Answer {
	text, ok := m.value(e.Lock, e.Key)
	return events.Value{Text: text, Found: ok}
}

func (t *tables) value(lockName, key string) (text string, ok bool) {
	number := t.locks.number(lockName)
	if number == 0 {
		return "", false
	}
	return t.locks.at(number).values.Get(storeKey(key))
}
