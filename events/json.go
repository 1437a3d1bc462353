package events

import "strconv"

// AppendJSON appends the outside form of an event, ["name",ts,arguments…],
// compact and without HTML escapes. The mode of an acquire is written only if
// it is not Exclusive, so that the text is good in every edition that has the
// event; an Invalid gives its Raw, as it was received.
//
// Of an event that Admit accepts, or that Parse made, Parse makes the same
// event again. Of any other it makes the Invalid with the same refusal and the
// same effect on the clock, provided that a Template is compact JSON and the
// value is an event at all; nil, pointers and foreign types give null.
func AppendJSON(dst []byte, e Event) []byte {
	switch e := e.(type) {
	case Acquire:
		dst = appendHead(dst, "acquire", e.At)
		dst = appendLease(dst, e.Client, e.Lock, e.TTL)
		if e.Mode != Exclusive {
			dst = appendNext(dst, e.Mode.String())
		}
	case Renew:
		dst = appendHead(dst, "renew", e.At)
		dst = appendLease(dst, e.Client, e.Lock, e.TTL)
	case Release:
		dst = appendHead(dst, "release", e.At)
		dst = appendNext(appendNext(dst, e.Client), e.Lock)
	case Write:
		dst = appendHead(dst, "write", e.At)
		dst = appendNext(appendNext(appendNext(dst, e.Lock), e.Key), e.Value)
		dst = appendNextInt(dst, e.Token)
	case Read:
		dst = appendHead(dst, "read", e.At)
		dst = appendNext(appendNext(dst, e.Lock), e.Key)
	case Inspect:
		dst = appendNext(appendHead(dst, "inspect", e.At), e.Lock)
	case Status:
		dst = appendNext(appendHead(dst, "status", e.At), e.Client)
	case Repeat:
		dst = appendHead(dst, "repeat", e.At)
		dst = appendNextInt(appendNextInt(dst, e.Count), e.Step)
		dst = append(append(dst, ','), e.Template...)
	case Invalid:
		return append(dst, e.Raw...)
	default:
		return append(dst, "null"...)
	}
	return append(dst, ']')
}

// appendHead opens the list of an operation.
func appendHead(dst []byte, name string, at int64) []byte {
	dst = append(append(append(dst, `["`...), name...), `",`...)
	return strconv.AppendInt(dst, at, 10)
}

func appendLease(dst []byte, client, lock string, ttl int64) []byte {
	return appendNextInt(appendNext(appendNext(dst, client), lock), ttl)
}

// appendNext appends a string as a further element of a list.
func appendNext(dst []byte, s string) []byte { return appendQuoted(append(dst, ','), s) }

// appendNextInt appends an integer as a further element of a list.
func appendNextInt(dst []byte, n int64) []byte { return strconv.AppendInt(append(dst, ','), n, 10) }

// appendQuoted appends a JSON string with no more escapes than JSON demands.
// Bytes that are not UTF-8 stay as they are.
func appendQuoted(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	start := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		dst = append(dst, s[start:i]...)
		start = i + 1
		if short := shortEscape(c); short != 0 {
			dst = append(dst, '\\', short)
		} else {
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&0xf])
		}
	}
	return append(append(dst, s[start:]...), '"')
}

// shortEscape is the letter of the two-character escape of c, 0 if it has none.
func shortEscape(c byte) byte {
	switch c {
	case '"', '\\':
		return c
	case '\b':
		return 'b'
	case '\f':
		return 'f'
	case '\n':
		return 'n'
	case '\r':
		return 'r'
	case '\t':
		return 't'
	}
	return 0
}
