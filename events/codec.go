package events

import "fmt"

// The canonical msgpack form of an event is one array, its first element the
// event's kind:
//
//	1 acquire   [1, at, client, lock, ttl, mode]    mode: 1 exclusive, 2 shared
//	2 renew     [2, at, client, lock, ttl]
//	3 release   [3, at, client, lock]
//	4 write     [4, at, lock, key, value, token]
//	5 read      [5, at, lock, key]
//	6 inspect   [6, at, lock]
//	7 status    [7, at, client]
//	8 repeat    [8, at, count, step, template]      template: JSON text as bin
//	9 invalid   [9, refusal, raw]                   raw: JSON text as bin
//	            [9, refusal, raw, at]               if it moves the clock
//
// The refusals of an invalid are 1 unknown operation, 3 invalid arguments and
// 4 invalid ttl. Numbers, once given, never change their meaning.
//
// Every event has exactly one encoding: the array header is a fixarray;
// integers are signed, within 64 bits, in the shortest of fixint, uint 8 to 64
// (not negative) and int 8 to 64 (negative); strings, of valid UTF-8 and not
// empty, are in the shortest of fixstr, str 8, 16 and 32; JSON text is in the
// shortest of bin 8, 16 and 32.
const (
	tagFixArray = 0x90
	tagFixStr   = 0xa0
	tagBin8     = 0xc4
	tagUint8    = 0xcc
	tagInt8     = 0xd0
	tagStr8     = 0xd9
)

// DecodeError says where and why bytes are not the canonical form of an event.
type DecodeError struct {
	// Offset is the index of the first byte of the item that is wrong.
	Offset int
	// Reason says what is wrong there.
	Reason string
}

// Error implements error.
func (e *DecodeError) Error() string {
	return fmt.Sprintf("events: not an event: %s (at byte %d)", e.Reason, e.Offset)
}
