package events

import (
	"bytes"
	"strconv"
)

// integer reads a JSON number exactly (R24). ok is false if it has a fraction
// or an exponent: 60.0 and 6e1 are not integers, -0 is the integer 0. fits is
// false for an integer beyond 64 bits; n is then the nearest that fits.
func integer(number []byte) (n int64, fits, ok bool) {
	if bytes.IndexByte(number, '.') >= 0 || bytes.IndexByte(number, 'e') >= 0 || bytes.IndexByte(number, 'E') >= 0 {
		return 0, false, false
	}
	n, err := strconv.ParseInt(string(number), 10, 64)
	return n, err == nil, true
}
