package events

import (
	"encoding/binary"
	"math"
	"unicode/utf8"
)

// decoder reads msgpack items one after another. The first fault sticks: from
// then on every read gives zero and consumes nothing.
type decoder struct {
	data []byte
	at   int
	err  *DecodeError
}

func (d *decoder) fail(at int, reason string) {
	if d.err == nil {
		d.err = &DecodeError{Offset: at, Reason: reason}
	}
}

// take consumes n bytes; nil if there are not so many.
func (d *decoder) take(n int) []byte {
	if d.err != nil {
		return nil
	}
	if n > len(d.data)-d.at {
		d.fail(d.at, "input ends early")
		return nil
	}
	b := d.data[d.at : d.at+n]
	d.at += n
	return b
}

// tag consumes the first byte of an item.
func (d *decoder) tag() byte {
	if d.err == nil && d.at < len(d.data) {
		d.at++
		return d.data[d.at-1]
	}
	d.fail(d.at, "input ends early")
	return 0
}

// bigEndian consumes an unsigned number of 1, 2, 4 or 8 bytes.
func (d *decoder) bigEndian(width int) uint64 {
	b := d.take(width)
	switch len(b) {
	case 1:
		return uint64(b[0])
	case 2:
		return uint64(binary.BigEndian.Uint16(b))
	case 4:
		return uint64(binary.BigEndian.Uint32(b))
	case 8:
		return binary.BigEndian.Uint64(b)
	}
	return 0
}

func (d *decoder) arrayLength() int {
	at := d.at
	tag := d.tag()
	if tag&0xf0 != tagFixArray {
		d.fail(at, "not a short array")
	}
	return int(tag & 0x0f)
}

// int reads an integer in its shortest form.
func (d *decoder) int() int64 {
	at := d.at
	tag := d.tag()
	switch {
	case tag < 0x80 || tag >= 0xe0:
		return int64(int8(tag))
	case tag >= tagUint8 && tag < tagUint8+4:
		width := 1 << (tag - tagUint8)
		n := d.bigEndian(width)
		if n > math.MaxInt64 {
			d.fail(at, "integer beyond 64 bits signed")
		} else if n <= uint64(leastMax[tag-tagUint8]) {
			d.fail(at, "integer not in its shortest form")
		}
		return int64(n)
	case tag >= tagInt8 && tag < tagInt8+4:
		width := 1 << (tag - tagInt8)
		unused := 64 - 8*width
		n := int64(d.bigEndian(width)<<unused) >> unused // extends the sign
		if n >= shorterMin[tag-tagInt8] {
			d.fail(at, "integer not in its shortest form")
		}
		return n
	}
	d.fail(at, "not an integer")
	return 0
}

// leastMax and shorterMin are the largest and smallest numbers that the form
// before the given one can hold.
var (
	leastMax   = [4]int64{math.MaxInt8, math.MaxUint8, math.MaxUint16, math.MaxUint32}
	shorterMin = [4]int64{-32, math.MinInt8, math.MinInt16, math.MinInt32}
)

// within reads an integer of a closed set.
func (d *decoder) within(least, most int64, reason string) int64 {
	at := d.at
	n := d.int()
	if n < least || n > most {
		d.fail(at, reason)
	}
	return n
}

// text reads a string in its shortest form: UTF-8, not empty.
func (d *decoder) text() string {
	at := d.at
	tag := d.tag()
	var b []byte
	if tag&0xe0 == tagFixStr {
		b = d.take(int(tag & 0x1f))
	} else {
		b = d.body(at, tag, tagStr8, 31, "not a string")
	}
	if len(b) == 0 {
		d.fail(at, "empty string")
	} else if !utf8.Valid(b) {
		d.fail(at, "string is not UTF-8")
		return ""
	}
	return string(b)
}

// raw reads JSON text, a bin in its shortest form. Its bytes are not looked at.
func (d *decoder) raw() string {
	at := d.at
	return string(d.body(at, d.tag(), tagBin8, -1, "not a bin"))
}

// body reads the length, of 8, 16 or 32 bits for tag first, first+1 or
// first+2, and then the bytes of an item whose tag has been read. Lengths up
// to shorter have a form without a length of their own.
func (d *decoder) body(at int, tag, first byte, shorter int64, reason string) []byte {
	if tag < first || tag > first+2 {
		d.fail(at, reason)
		return nil
	}
	n := int64(d.bigEndian(1 << (tag - first)))
	if tag > first {
		shorter = leastMax[tag-first] // what one size less can hold
	}
	if n <= shorter {
		d.fail(at, "length not in its shortest form")
		return nil
	}
	if n > int64(len(d.data)-d.at) {
		d.fail(at, "length beyond the end of the input")
		return nil
	}
	return d.take(int(n))
}
