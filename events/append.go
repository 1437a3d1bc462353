package events

import (
	"encoding/binary"
	"fmt"
	"math"
)

// Append appends the canonical msgpack form of an event (see codec.go for the
// table) to dst. It does not allocate if dst has room.
//
// Append does not judge the event, but Decode reads back only what could be
// valid under some Rules: to keep an event that Admit refuses, keep the
// Invalid that Parse makes of its AppendJSON.
//
// A value that is no event (nil, a pointer, a type of another package) is the
// programmer's mistake: Append panics. It also panics on a string of 4 GiB or
// more, which msgpack cannot express.
func Append(dst []byte, e Event) []byte {
	switch e := e.(type) {
	case Acquire:
		dst = append(dst, tagFixArray|6, byte(kindAcquire))
		dst = appendInt(dst, e.At)
		dst = appendText(dst, e.Client)
		dst = appendText(dst, e.Lock)
		dst = appendInt(dst, e.TTL)
		return appendInt(dst, int64(e.Mode))
	case Renew:
		dst = append(dst, tagFixArray|5, byte(kindRenew))
		dst = appendInt(dst, e.At)
		dst = appendText(dst, e.Client)
		dst = appendText(dst, e.Lock)
		return appendInt(dst, e.TTL)
	case Release:
		dst = append(dst, tagFixArray|4, byte(kindRelease))
		dst = appendInt(dst, e.At)
		dst = appendText(dst, e.Client)
		return appendText(dst, e.Lock)
	case Write:
		dst = append(dst, tagFixArray|6, byte(kindWrite))
		dst = appendInt(dst, e.At)
		dst = appendText(dst, e.Lock)
		dst = appendText(dst, e.Key)
		dst = appendText(dst, e.Value)
		return appendInt(dst, e.Token)
	case Read:
		dst = append(dst, tagFixArray|4, byte(kindRead))
		dst = appendInt(dst, e.At)
		dst = appendText(dst, e.Lock)
		return appendText(dst, e.Key)
	case Inspect:
		dst = append(dst, tagFixArray|3, byte(kindInspect))
		return appendText(appendInt(dst, e.At), e.Lock)
	case Status:
		dst = append(dst, tagFixArray|3, byte(kindStatus))
		return appendText(appendInt(dst, e.At), e.Client)
	case Repeat:
		dst = append(dst, tagFixArray|5, byte(kindRepeat))
		dst = appendInt(dst, e.At)
		dst = appendInt(dst, e.Count)
		dst = appendInt(dst, e.Step)
		return appendRaw(dst, e.Template)
	case Invalid:
		return appendInvalid(dst, e)
	}
	panic(fmt.Sprintf("events: Append of a %T, which is not an event (events are values, not pointers)", e))
}

func appendInvalid(dst []byte, e Invalid) []byte {
	length := byte(3)
	if e.MovesClock {
		length = 4
	}
	dst = append(dst, tagFixArray|length, byte(kindInvalid))
	dst = appendInt(dst, int64(e.Refusal))
	dst = appendRaw(dst, e.Raw)
	if e.MovesClock {
		dst = appendInt(dst, e.At)
	}
	return dst
}

// appendInt appends an integer in its shortest form.
func appendInt(dst []byte, n int64) []byte {
	switch {
	case n >= 0:
		return appendUint(dst, tagUint8, uint64(n))
	case n >= -32:
		return append(dst, byte(n))
	case n >= math.MinInt8:
		return append(dst, tagInt8, byte(n))
	case n >= math.MinInt16:
		return binary.BigEndian.AppendUint16(append(dst, tagInt8+1), uint16(n))
	case n >= math.MinInt32:
		return binary.BigEndian.AppendUint32(append(dst, tagInt8+2), uint32(n))
	}
	return binary.BigEndian.AppendUint64(append(dst, tagInt8+3), uint64(n))
}

func appendUint(dst []byte, tag byte, n uint64) []byte {
	switch {
	case n <= math.MaxInt8:
		return append(dst, byte(n))
	case n <= math.MaxUint8:
		return append(dst, tag, byte(n))
	case n <= math.MaxUint16:
		return binary.BigEndian.AppendUint16(append(dst, tag+1), uint16(n))
	case n <= math.MaxUint32:
		return binary.BigEndian.AppendUint32(append(dst, tag+2), uint32(n))
	}
	return binary.BigEndian.AppendUint64(append(dst, tag+3), n)
}

// appendText appends a string in its shortest form.
func appendText(dst []byte, s string) []byte {
	if len(s) < 32 {
		return append(append(dst, tagFixStr|byte(len(s))), s...)
	}
	return append(appendLength(dst, tagStr8, len(s)), s...)
}

// appendRaw appends JSON text as a bin in its shortest form.
func appendRaw(dst []byte, s string) []byte {
	return append(appendLength(dst, tagBin8, len(s)), s...)
}

// appendLength appends a length after the tag of its width: tag, tag+1 or
// tag+2 for 8, 16 or 32 bits.
func appendLength(dst []byte, tag byte, n int) []byte {
	switch {
	case n <= math.MaxUint8:
		return append(dst, tag, byte(n))
	case n <= math.MaxUint16:
		return binary.BigEndian.AppendUint16(append(dst, tag+1), uint16(n))
	case uint64(n) <= math.MaxUint32:
		return binary.BigEndian.AppendUint32(append(dst, tag+2), uint32(n))
	}
	panic(fmt.Sprintf("events: Append of a string of %d bytes, more than msgpack can express", n))
}
