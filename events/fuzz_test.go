package events_test

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/leasekeeper/leasekeeper/events"
)

// allocated is how many bytes f allocates: the least of a few runs, because
// other goroutines may allocate meanwhile.
func allocated(f func()) uint64 {
	least := ^uint64(0)
	var before, after runtime.MemStats
	for range 3 {
		runtime.ReadMemStats(&before)
		f()
		runtime.ReadMemStats(&after)
		least = min(least, after.TotalAlloc-before.TotalAlloc)
	}
	return least
}

// Whatever bytes come, Decode does not panic and takes no more memory than
// twice the input and 4 KiB; what it accepts encodes to the same bytes.
func FuzzDecode(f *testing.F) {
	for _, e := range sampleEvents() {
		f.Add(events.Append(nil, e))
	}
	f.Add([]byte("\x93\x06\x01\xdb\xff\xff\xff\xff"))     // a string of 4 GiB
	f.Add([]byte("\xdd\xff\xff\xff\xff"))                 // an array of 2^32-1
	f.Add([]byte("\x95\x08\x01\x03\x00\xc6\x7f\xff\xff")) // half a length
	f.Fuzz(func(t *testing.T, encoded []byte) {
		var e events.Event
		var err error
		used := allocated(func() { e, err = events.Decode(encoded) })
		require.LessOrEqual(t, used, uint64(2*len(encoded)+4<<10))
		if err != nil {
			require.IsType(t, &events.DecodeError{}, err)
			require.Nil(t, e)
			return
		}
		require.Equal(t, encoded, events.Append(nil, e))
		events.Current.Admit(e)
	})
}

// Whatever text comes, Parse does not panic, and every event that it makes
// survives both outside forms.
func FuzzParse(f *testing.F) {
	for _, e := range sampleEvents() {
		f.Add(events.AppendJSON(nil, e), uint8(e.Operation()[0]))
	}
	f.Add([]byte(`["write", -0, "\ud83d\udd12", "\ufffd", "\\\/\b", 9223372036854775807]`), uint8(0))
	f.Add([]byte("[\"acquire\",1,\"\xed\xa0\x80\",\"\\ud800\",1e2,{\"a\":[]}]"), uint8(1))
	f.Add([]byte(`["repeat",1,5,2,["write","{i+18446744073709551616%9}","{{i}}","v",[{}]]]`), uint8(2))
	f.Fuzz(func(t *testing.T, text []byte, edition uint8) {
		r := events.Rules{Edition: events.Edition1 + events.Edition(edition%3), Unit: events.Second}
		e, err := r.Parse(text)
		if err != nil {
			require.IsType(t, &events.SyntaxError{}, err)
			require.Nil(t, e)
			return
		}
		_, _, refusal := r.Admit(e)
		require.Equal(t, refusal != events.NotRefused, e.Operation() == "invalid")

		decoded, err := events.Decode(events.Append(nil, e))
		require.NoError(t, err)
		require.Equal(t, e, decoded)

		again, err := r.Parse(events.AppendJSON(nil, decoded))
		require.NoError(t, err)
		require.Equal(t, e, again)

		if repeat, ok := e.(events.Repeat); ok {
			fuzzRuns(t, r, repeat)
		}
	})
}

// fuzzRuns checks the first and the last run of a repeat: what is admitted
// survives both outside forms.
func fuzzRuns(t *testing.T, r events.Rules, repeat events.Repeat) {
	template, ok := events.CompileTemplate(repeat.Template)
	require.True(t, ok)
	for _, i := range []int64{0, repeat.Count - 1} {
		at, _ := repeat.RunAt(i)
		run := template.Event(r, at, i)
		if _, _, refusal := r.Admit(run); refusal != events.NotRefused {
			require.IsType(t, events.Invalid{}, run)
			continue
		}
		decoded, err := events.Decode(events.Append(nil, run))
		require.NoError(t, err)
		require.Equal(t, run, decoded)
		parsed, err := r.Parse(events.AppendJSON(nil, run))
		require.NoError(t, err)
		require.Equal(t, run, parsed)
	}
}
