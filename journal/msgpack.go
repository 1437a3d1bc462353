package journal

import (
	"encoding/binary"
	"math"
)

// The few msgpack types that a journal uses, in their shortest forms.
const (
	tagFixArray = 0x90
	tagFixStr   = 0xa0
	tagNil      = 0xc0
	tagBin8     = 0xc4
	tagUint8    = 0xcc
	tagUint16   = 0xcd
	tagUint32   = 0xce
	tagUint64   = 0xcf
	tagStr8     = 0xd9
	tagStr16    = 0xda
)

// appendUint appends n in the shortest form of an unsigned integer.
func appendUint(dst []byte, n uint64) []byte {
	switch {
	case n <= math.MaxInt8:
		return append(dst, byte(n))
	case n <= math.MaxUint8:
		return append(dst, tagUint8, byte(n))
	case n <= math.MaxUint16:
		return binary.BigEndian.AppendUint16(append(dst, tagUint16), uint16(n))
	case n <= math.MaxUint32:
		return binary.BigEndian.AppendUint32(append(dst, tagUint32), uint32(n))
	}
	return binary.BigEndian.AppendUint64(append(dst, tagUint64), n)
}

// cutUint takes an unsigned integer in its shortest form from the front of b.
func cutUint(b []byte) (n uint64, rest []byte, ok bool) {
	if len(b) == 0 {
		return 0, nil, false
	}
	if b[0] <= math.MaxInt8 {
		return uint64(b[0]), b[1:], true
	}
	if b[0] < tagUint8 || b[0] > tagUint64 {
		return 0, nil, false
	}
	size := 1 << (b[0] - tagUint8)
	if len(b) < 1+size {
		return 0, nil, false
	}
	for _, digit := range b[1 : 1+size] {
		n = n<<8 | uint64(digit)
	}
	least := [...]uint64{math.MaxInt8, math.MaxUint8, math.MaxUint16, math.MaxUint32}
	return n, b[1+size:], n > least[b[0]-tagUint8]
}

// appendBin appends at most 255 bytes as bin 8.
func appendBin(dst, b []byte) []byte {
	return append(append(dst, tagBin8, byte(len(b))), b...)
}

// cutBin takes a bin 8 of n bytes from the front of b.
func cutBin(b []byte, n int) (bin, rest []byte, ok bool) {
	if len(b) < 2+n || b[0] != tagBin8 || int(b[1]) != n {
		return nil, nil, false
	}
	return b[2 : 2+n : 2+n], b[2+n:], true
}
