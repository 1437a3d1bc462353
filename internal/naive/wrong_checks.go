package naive

import (
	"strconv"

	"github.com/leasekeeper/leasekeeper/events"
)

// admit judges an operation before the state is looked at (R1, R2, R23): as
// package events does, but for the deviations.
func (m *Model) admit(e events.Event) (at int64, moves bool, refusal events.Refusal) {
	at, moves, refusal = m.rules.Admit(e)
	if !m.deviant {
		return at, moves, refusal
	}
	rules := m.rules
	switch e := e.(type) {
	case events.Acquire:
		if m.wrong[modesInEdition1] {
			rules.Edition = max(rules.Edition, events.Edition2)
		}
		at, moves, refusal = rules.Admit(e)
		return at, moves, m.judgeTTL(e.TTL, refusal)
	case events.Renew:
		return at, moves, m.judgeTTL(e.TTL, refusal)
	case events.Status:
		if m.wrong[statusInEarlyEditions] {
			rules.Edition = events.Edition3
		}
		return rules.Admit(e)
	case events.Invalid:
		if m.wrong[invalidOperationLeavesClock] {
			return 0, false, refusal
		}
		if refusal == events.UnknownOperation && m.rereads {
			return m.admitUnknown(e)
		}
	}
	return at, moves, refusal
}

// admitUnknown are the deviations of an operation of unknown name (R1, R23).
func (m *Model) admitUnknown(e events.Invalid) (at int64, moves bool, refusal events.Refusal) {
	fields := fieldsOf(e.Raw)
	if fields == nil {
		return 0, false, e.Refusal
	}
	ts, err := strconv.ParseInt(string(fields[1]), 10, 64)
	switch {
	case err != nil && m.wrong[instantBeforeName]:
		return 0, false, events.InvalidArguments
	case err == nil && ts <= m.rules.MaxInstant() && m.wrong[unknownOperationMovesClock]:
		return ts, true, e.Refusal
	}
	return 0, false, e.Refusal
}

// judgeTTL are the deviations of the range of a ttl (R2, R30).
func (m *Model) judgeTTL(ttl int64, refusal events.Refusal) events.Refusal {
	switch {
	case refusal == events.InvalidTTL && m.toleratesTTL(ttl):
		return events.NotRefused
	case refusal == events.NotRefused && m.wrong[ttlMaximumRefused] && ttl == m.rules.MaxTTL(),
		refusal == events.NotRefused && m.wrong[ttlLimitIgnoresUnit] && ttl > 86400:
		return events.InvalidTTL
	}
	return refusal
}

// misjudge are the deviations from the order of checks: what they report of an
// operation that has more than one fault (R23).
func (m *Model) misjudge(refusal events.Refusal) events.Refusal {
	bad, ok := m.now.(events.Invalid)
	if !ok || !m.rereads {
		return refusal
	}
	fields := fieldsOf(bad.Raw)
	if len(fields) < 5 {
		return refusal
	}
	name, client, lock := textOf(fields[0]), textOf(fields[2]), textOf(fields[3])
	ttl, err := strconv.ParseInt(string(fields[4]), 10, 64)
	if m.wrong[ageAtRefusedAcquire] && name == "acquire" && client != "" {
		m.register(client)
	}
	switch {
	case m.wrong[busyBeforeValidation] && name == "acquire" && m.busy(client, lock):
		return events.ClientBusy
	case m.wrong[holderBeforeRange] && name == "renew" && refusal == events.InvalidTTL && m.leaseOf(client, lock) == nil:
		return events.NotHolder
	case m.wrong[rangeBeforeType] && (name == "acquire" || name == "renew") && err == nil && (ttl < 1 || ttl > m.rules.MaxTTL()):
		return events.InvalidTTL
	}
	return refusal
}
