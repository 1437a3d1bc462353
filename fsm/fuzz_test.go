package fsm_test

import (
	"testing"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/internal/naive"
	"github.com/stretchr/testify/require"
)

// FuzzApply turns bytes into a history. Whatever they are: nothing panics, the
// invariants hold, Machine, Apply and the model agree.
func FuzzApply(f *testing.F) {
	f.Add([]byte{2})
	f.Add([]byte("\x02" + "\x00\x00\x1e\x00" + "\x00\x11\x1e\x00" + "\x00\x10\x1e\x00" + "\x00\x01\x1e\x00" + "\x06\x00\x00\x09")) // a deadlock of two
	f.Add([]byte("\x02" + "\x01\x00\x05\x00" + "\x01\x10\x0a\x00" + "\x00\x20\x0a\x01" + "\x01\x30\x0a\x00" + "\x03\x20\x00\x00")) // a withdrawn writer
	f.Add([]byte("\x00" + "\x00\x00\x05\x00" + "\x00\x10\x05\x00" + "\x00\x20\x05\x00" + "\x05\x00\x00\x8f" + "\x04\x01\x02\x00")) // a chain of lapses
	for _, text := range []string{`["repeat",7,9,1,["acquire","c{i%3}","L{i%2}",100]]`, `["status",0,"c0"]`, `["write",-5,"L0","k","v",9]`, `{}`} {
		f.Add(append([]byte{2, 0xff, byte(len(text))}, text...))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) == 0 || len(data) > 2000 {
			return
		}
		rules := rulesOf(data[0])
		s, err := fsm.New(rules)
		require.NoError(t, err)
		model, err := naive.New(rules)
		require.NoError(t, err)
		m := fsm.NewMachine(s)
		for data = data[1:]; len(data) > 0; {
			var event events.Event
			clock, _ := m.Clock()
			if event, data = eventOf(rules, clock, data); event == nil {
				continue
			}
			result := m.Apply(event)
			require.Equal(t, model.Apply(event), result)
			var again events.Result
			s, again = fsm.Apply(s, event)
			require.Equal(t, result, again)
		}
		require.Equal(t, s.Fingerprint(), m.Fingerprint())
		require.NoError(t, fsm.Check(s))
		require.NoError(t, fsm.Check(m.State()))
	})
}

func rulesOf(b byte) events.Rules {
	units := []events.Unit{events.Second, events.Millisecond, events.Microsecond, events.Nanosecond}
	return events.Rules{Edition: events.Edition(1 + b%3), Unit: units[b/3%4]}
}

// eventOf reads an event from the front of data: a few bytes for an ordinary
// one, or else an event in either outside form behind its length. It is nil if
// there is none, or one that would take long.
func eventOf(rules events.Rules, clock int64, data []byte) (event events.Event, rest []byte) {
	if len(data) < 4 {
		return nil, nil
	}
	if data[0] < 0xe0 {
		return ordinary(clock, data[0], data[1], data[2], data[3]), data[4:]
	}
	n := min(2+int(data[1]), len(data))
	text, rest := data[2:n], data[n:]
	event, err := events.Decode(text)
	if err != nil {
		if event, err = rules.Parse(text); err != nil {
			return nil, rest
		}
	}
	if repeat, ok := event.(events.Repeat); ok && repeat.Count > 50 {
		return nil, rest
	}
	return event, rest
}

func ordinary(clock int64, kind, names, number, step byte) events.Event {
	client, lock := string(rune('a'+names>>4)), string(rune('A'+names&15))
	at := clock + int64(step%8)
	switch {
	case step >= 0xf8:
		at = clock - 1
	case step >= 0x80:
		at = clock + int64(step)
	}
	switch kind % 8 {
	case 0:
		return events.Acquire{At: at, Client: client, Lock: lock, TTL: int64(number), Mode: events.Exclusive}
	case 1:
		return events.Acquire{At: at, Client: client, Lock: lock, TTL: int64(number), Mode: events.Shared}
	case 2:
		return events.Renew{At: at, Client: client, Lock: lock, TTL: int64(number)}
	case 3:
		return events.Release{At: at, Client: client, Lock: lock}
	case 4:
		return events.Write{At: at, Lock: lock, Key: client, Value: lock, Token: int64(number)}
	case 5:
		return events.Inspect{At: at, Lock: lock}
	case 6:
		return events.Status{At: at, Client: client}
	}
	return events.Read{At: at, Lock: lock, Key: client}
}
