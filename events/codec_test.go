package events_test

import (
	"bytes"
	"encoding/hex"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/vmihailenco/msgpack/v5"
	"pgregory.net/rapid"

	"github.com/leasekeeper/leasekeeper/events"
)

// The bytes of each kind, written out: they must stay the same for ever, or
// old journals could not be read.
func TestAppendBytes(t *testing.T) {
	for _, c := range []struct {
		event events.Event
		want  string // hexadecimal, a space between items
	}{
		{events.Acquire{At: 8, Client: "c1", Lock: "L", TTL: 15, Mode: events.Exclusive}, "96 01 08 a26331 a14c 0f 01"},
		{events.Acquire{At: -1, Client: "c1", Lock: "L", TTL: 86400, Mode: events.Shared}, "96 01 ff a26331 a14c ce00015180 02"},
		{events.Renew{At: 127, Client: "c1", Lock: "L", TTL: 128}, "95 02 7f a26331 a14c cc80"},
		{events.Release{At: 256, Client: "c1", Lock: "锁"}, "94 03 cd0100 a26331 a3e99481"},
		{events.Write{At: 65536, Lock: "L", Key: "k", Value: "v", Token: math.MaxInt64}, "96 04 ce00010000 a14c a16b a176 cf7fffffffffffffff"},
		{events.Read{At: 1 << 32, Lock: "L", Key: "k"}, "94 05 cf0000000100000000 a14c a16b"},
		{events.Inspect{At: -33, Lock: "L"}, "93 06 d0df a14c"},
		{events.Status{At: -129, Client: "c"}, "93 07 d1ff7f a163"},
		{events.Repeat{At: -32769, Count: 3, Step: 0, Template: `["x"]`}, "95 08 d2ffff7fff 03 00 c4055b2278225d"},
		{events.Inspect{At: math.MinInt64, Lock: "L"}, "93 06 d38000000000000000 a14c"},
		{events.Invalid{Raw: `5`, Refusal: events.InvalidArguments}, "93 09 03 c40135"},
		{events.Invalid{Refusal: events.InvalidArguments}, "93 09 03 c400"},
		{events.Invalid{Raw: `["x",1]`, Refusal: events.UnknownOperation}, "93 09 01 c4075b2278222c315d"},
		{events.Invalid{Raw: "\xff", Refusal: events.InvalidTTL, At: -32, MovesClock: true}, "94 09 04 c401ff e0"},
	} {
		want, err := hex.DecodeString(strings.ReplaceAll(c.want, " ", ""))
		require.NoError(t, err)
		require.Equal(t, want, events.Append(nil, c.event), "%#v", c.event)
		got, err := events.Decode(want)
		require.NoError(t, err, "%#v", c.event)
		require.Equal(t, c.event, got)
	}
}

// asArray is an event as the array that the table in codec.go promises.
func asArray(e events.Event) []any {
	switch e := e.(type) {
	case events.Acquire:
		return []any{1, e.At, e.Client, e.Lock, e.TTL, uint8(e.Mode)}
	case events.Renew:
		return []any{2, e.At, e.Client, e.Lock, e.TTL}
	case events.Release:
		return []any{3, e.At, e.Client, e.Lock}
	case events.Write:
		return []any{4, e.At, e.Lock, e.Key, e.Value, e.Token}
	case events.Read:
		return []any{5, e.At, e.Lock, e.Key}
	case events.Inspect:
		return []any{6, e.At, e.Lock}
	case events.Status:
		return []any{7, e.At, e.Client}
	case events.Repeat:
		return []any{8, e.At, e.Count, e.Step, []byte(e.Template)}
	case events.Invalid:
		if e.MovesClock {
			return []any{9, uint8(e.Refusal), []byte(e.Raw), e.At}
		}
		return []any{9, uint8(e.Refusal), []byte(e.Raw)}
	}
	panic("no such event")
}

// genericEncode encodes with an independent library.
func genericEncode(t require.TestingT, e events.Event) []byte {
	var b bytes.Buffer
	encoder := msgpack.NewEncoder(&b)
	encoder.UseCompactInts(true)
	require.NoError(t, encoder.Encode(asArray(e)))
	return b.Bytes()
}

// genericDecode decodes with an independent library.
func genericDecode(t require.TestingT, b []byte) []any {
	var decoded []any
	require.NoError(t, msgpack.Unmarshal(b, &decoded))
	return decoded
}

// sameIntegers makes every integer an int64, whatever its type.
func sameIntegers(items []any) []any {
	for i, item := range items {
		switch v := reflect.ValueOf(item); {
		case v.CanInt():
			items[i] = v.Int()
		case v.CanUint():
			items[i] = int64(v.Uint())
		}
	}
	return items
}

// Any event that a journal may hold survives the codec, and an independent
// library reads and writes the same bytes.
func TestCodecAgreesWithLibrary(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := journaled().Draw(t, "event")
		encoded := events.Append(nil, e)
		require.Equal(t, genericEncode(t, e), encoded)

		require.Equal(t, sameIntegers(asArray(e)), sameIntegers(genericDecode(t, encoded)))

		decoded, err := events.Decode(encoded)
		require.NoError(t, err)
		require.Equal(t, e, decoded)
	})
}

// The lengths at which a string or JSON text takes its next longer form.
func TestCodecLengths(t *testing.T) {
	for _, n := range []int{1, 31, 32, 255, 256, 65535, 65536, 100000} {
		text := strings.Repeat("x", n)
		for _, e := range []events.Event{events.Inspect{Lock: text}, events.Invalid{Raw: text, Refusal: events.InvalidArguments}} {
			encoded := events.Append(nil, e)
			require.Equal(t, genericEncode(t, e), encoded)
			decoded, err := events.Decode(encoded)
			require.NoError(t, err)
			require.Equal(t, e, decoded)
		}
	}
}

// Decode refuses every other encoding, and says where the first fault is.
func TestDecodeRefuses(t *testing.T) {
	for _, c := range []struct {
		bytes  string
		offset int
		reason string
	}{
		{"", 0, "input ends early"},
		{"c0", 0, "not a short array"},
		{"dc0003 06 01 a14c", 0, "not a short array"},
		{"90", 1, "input ends early"},
		{"93 00 01 a14c", 1, "unknown kind"},
		{"93 0a 01 a14c", 1, "unknown kind"},
		{"93 ff 01 a14c", 1, "unknown kind"},
		{"93 a16c 01 a14c", 1, "not an integer"},
		{"93 cc06 01 a14c", 1, "integer not in its shortest form"},
		{"94 06 01 a14c 01", 0, "wrong array length"},
		{"92 06 01", 0, "wrong array length"},
		{"95 01 08 a163 a14c 0f", 0, "wrong array length"},
		{"92 09 03", 0, "wrong array length"},
		{"95 09 03 c40135 01 01", 0, "wrong array length"},
		{"93 06 01", 3, "input ends early"},
		{"93 06 01 a14c 00", 5, "bytes left over"},
		{"93 06 01 a14c 93 06 01 a14c", 5, "bytes left over"},
		// Integers.
		{"93 06 c3 a14c", 2, "not an integer"},
		{"93 06 cb3ff0000000000000 a14c", 2, "not an integer"},
		{"93 06 cc7f a14c", 2, "integer not in its shortest form"},
		{"93 06 cd00ff a14c", 2, "integer not in its shortest form"},
		{"93 06 ce0000ffff a14c", 2, "integer not in its shortest form"},
		{"93 06 cf00000000ffffffff a14c", 2, "integer not in its shortest form"},
		{"93 06 cf8000000000000000 a14c", 2, "integer beyond 64 bits signed"},
		{"93 06 d0e0 a14c", 2, "integer not in its shortest form"},
		{"93 06 d005 a14c", 2, "integer not in its shortest form"},
		{"93 06 d1ff80 a14c", 2, "integer not in its shortest form"},
		{"93 06 d2ffff8000 a14c", 2, "integer not in its shortest form"},
		{"93 06 d3ffffffff80000000 a14c", 2, "integer not in its shortest form"},
		{"93 06 d30000000000000001 a14c", 2, "integer not in its shortest form"},
		{"93 06 cd01", 3, "input ends early"},
		{"93 06 d3ffffff", 3, "input ends early"},
		// Strings.
		{"93 06 01 05", 3, "not a string"},
		{"93 06 01 c4014c", 3, "not a string"},
		{"93 06 01 a0", 3, "empty string"},
		{"93 06 01 a1ff", 3, "string is not UTF-8"},
		{"93 06 01 a3eda080", 3, "string is not UTF-8"},
		{"93 06 01 a24c", 4, "input ends early"},
		{"93 06 01 d9014c", 3, "length not in its shortest form"},
		{"93 06 01 d900", 3, "length not in its shortest form"},
		{"93 06 01 da00ff", 3, "length not in its shortest form"},
		{"93 06 01 db0000ffff", 3, "length not in its shortest form"},
		{"93 06 01 d9", 4, "input ends early"},
		{"93 06 01 d92061", 3, "length beyond the end of the input"},
		{"93 06 01 daffff61", 3, "length beyond the end of the input"},
		{"93 06 01 dbffffffff61", 3, "length beyond the end of the input"},
		// JSON text.
		{"95 08 01 03 00 a3627974", 5, "not a bin"},
		{"95 08 01 03 00 c50001ff", 5, "length not in its shortest form"},
		{"95 08 01 03 00 c60000ffff", 5, "length not in its shortest form"},
		{"95 08 01 03 00 c6ffffffff", 5, "length beyond the end of the input"},
		// Closed sets.
		{"96 01 08 a163 a14c 0f 00", 8, "unknown mode"},
		{"96 01 08 a163 a14c 0f 03", 8, "unknown mode"},
		{"93 09 08 c40135", 2, "unknown refusal"},
		{"93 09 ff c40135", 2, "unknown refusal"},
		{"93 09 cd0103 c40135", 2, "unknown refusal"},
		{"93 09 00 c40135", 2, "not the refusal of an invalid operation"},
		{"93 09 02 c40135", 2, "not the refusal of an invalid operation"},
		{"93 09 04 c40135", 2, "not the refusal of an invalid operation"},
		{"94 09 01 c40135 01", 2, "not the refusal of an invalid operation"},
		{"94 09 06 c40135 01", 2, "not the refusal of an invalid operation"},
	} {
		encoded, err := hex.DecodeString(strings.ReplaceAll(c.bytes, " ", ""))
		require.NoError(t, err)
		e, err := events.Decode(encoded)
		require.Nil(t, e, c.bytes)
		var found *events.DecodeError
		require.ErrorAs(t, err, &found, c.bytes)
		require.Equal(t, events.DecodeError{Offset: c.offset, Reason: c.reason}, *found, c.bytes)
		require.Contains(t, err.Error(), "events: not an event: "+c.reason)
	}
}

// Cutting an event short is always noticed.
func TestDecodeTruncated(t *testing.T) {
	for _, e := range sampleEvents() {
		encoded := events.Append(nil, e)
		for n := range encoded {
			_, err := events.Decode(encoded[:n])
			require.Error(t, err, "%#v cut at %d", e, n)
		}
	}
}

// The event does not change when the bytes that it was read from do.
func TestDecodeCopies(t *testing.T) {
	for _, e := range sampleEvents() {
		encoded := events.Append(nil, e)
		decoded, err := events.Decode(encoded)
		require.NoError(t, err)
		clear(encoded)
		require.Equal(t, e, decoded)
	}
}

// Decode takes memory for what is there, not for what a length promises.
func TestDecodeAllocatesNoMoreThanItReads(t *testing.T) {
	large := events.Append(nil, events.Write{Lock: strings.Repeat("L", 1<<20), Key: strings.Repeat("k", 300), Value: strings.Repeat("v", 1<<20), Token: 1})
	for _, encoded := range [][]byte{
		large, large[:len(large)-1],
		[]byte("\x93\x06\x01\xdb\xff\xff\xff\xff"), []byte("\x95\x08\x01\x03\x00\xc6\x7f\xff\xff\xff"), []byte("\xdd\xff\xff\xff\xff"),
	} {
		used := allocated(func() { _, _ = events.Decode(encoded) })
		require.LessOrEqual(t, used, uint64(2*len(encoded)+4<<10))
	}
}

func TestAppendDoesNotAllocate(t *testing.T) {
	buffer := make([]byte, 0, 1024)
	for _, e := range sampleEvents() {
		require.Zero(t, testing.AllocsPerRun(10, func() { events.Append(buffer, e) }), e.Operation())
	}
	require.Equal(t, "prefix", string(events.Append([]byte("prefix"), events.Inspect{Lock: "L"})[:6]))
}

func TestAppendPanicsOnWhatIsNoEvent(t *testing.T) {
	type foreign struct{ events.Inspect }
	for name, e := range map[string]events.Event{
		"<nil>": nil, "*events.Inspect": &events.Inspect{Lock: "L"}, "*events.Acquire": (*events.Acquire)(nil), "events_test.foreign": foreign{},
	} {
		require.PanicsWithValue(t, "events: Append of a "+name+", which is not an event (events are values, not pointers)",
			func() { events.Append(nil, e) })
	}
}
