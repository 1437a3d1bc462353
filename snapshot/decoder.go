package snapshot

import (
	"math"
	"strings"
	"unicode/utf8"
)

const maxInt = math.MaxInt64

// decoder reads numbers and texts one after another, across the borders of
// frames. The first fault sticks: from then on every read gives zero.
type decoder struct {
	source *source
	chunk  string // the content of the source's last frame
	at     int    // how much of it was read
	flows  bool   // more may come from the next frame
	err    error
}

// load takes over the content of the source's last frame. As one string, it
// costs one allocation for all texts in it.
func (d *decoder) load() { d.chunk, d.at = string(d.source.at.content), 0 }

// fail blames the last frame.
func (d *decoder) fail(reason string, cause error) {
	if d.err == nil {
		d.err = d.source.damaged(reason, cause)
	}
}

// more tells whether there are bytes left, be it in the next frame.
func (d *decoder) more() bool {
	for d.err == nil && d.at == len(d.chunk) {
		if !d.flows {
			return false
		}
		if d.err = d.source.next(); d.err == nil {
			d.flows = d.source.at.kind == frameRows
			if !d.flows {
				return false
			}
			d.load()
		}
	}
	return d.err == nil
}

// finish makes sure that nothing is left.
func (d *decoder) finish() error {
	if d.at < len(d.chunk) {
		d.fail("bytes are left over", nil)
	}
	return d.err
}

func (d *decoder) byte() byte {
	if d.at == len(d.chunk) && !d.more() {
		d.fail("ends in the middle", nil)
	}
	if d.err != nil {
		return 0
	}
	d.at++
	return d.chunk[d.at-1]
}

// uint reads an unsigned varint in its shortest form.
func (d *decoder) uint() uint64 {
	n := uint64(0)
	for shift := 0; ; shift += 7 {
		b := d.byte()
		if shift == 63 && b > 1 {
			d.fail("a number is beyond 64 bits", nil)
			return 0
		}
		n |= uint64(b&0x7f) << shift
		if b >= 0x80 {
			continue
		}
		if b == 0 && shift > 0 {
			d.fail("a number is not in its shortest form", nil)
		}
		return n
	}
}

// int reads a signed varint in its shortest form.
func (d *decoder) int() int64 {
	n := d.uint()
	return int64(n>>1) ^ -int64(n&1)
}

// upTo reads a number from 0 to most.
func (d *decoder) upTo(most uint64, what string) uint64 {
	n := d.uint()
	if n > most {
		d.fail("the "+what+" is out of range", nil)
		return 0
	}
	return n
}

// above reads a step of at least 1 and returns what it leads to from last, most
// at most.
func (d *decoder) above(last, most uint64, what string) uint64 {
	step := d.uint()
	if step == 0 || last > most || step > most-last {
		d.fail("the "+what+" is out of range", nil)
		return last
	}
	return last + step
}

// text reads a string. It may be part of a chunk, which it keeps in memory.
func (d *decoder) text() string {
	length := d.uint()
	s := d.span(length)
	switch {
	case d.err != nil:
		return ""
	case s == "":
		d.fail("a text is empty", nil)
	case !utf8.ValidString(s):
		d.fail("a text is not UTF-8", nil)
	}
	return s
}

// own reads a string that is to be kept.
func (d *decoder) own() string { return strings.Clone(d.text()) }

// take reads n bytes.
func (d *decoder) take(n int) string { return d.span(uint64(n)) }

// span reads n bytes. However large n is, memory is taken only for bytes that
// are there.
func (d *decoder) span(n uint64) string {
	if n <= uint64(len(d.chunk)-d.at) {
		d.at += int(n)
		return d.chunk[d.at-int(n) : d.at]
	}
	var parts []string
	for n > 0 {
		if !d.more() {
			d.fail("ends in the middle", nil)
			return ""
		}
		part := d.chunk[d.at:]
		part = part[:min(uint64(len(part)), n)]
		parts = append(parts, part)
		d.at += len(part)
		n -= uint64(len(part))
	}
	return strings.Join(parts, "")
}
