package events

import (
	"bytes"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// wide is a placeholder whose numbers do not fit 64 bits signed. It works on
// decimal digits: a run then costs time linear in the digits that it writes,
// where converting between binary and decimal would cost far more.
type wide struct {
	add     string // below modulus, if there is one
	modulus string // above 2^63-1, or "" if there is none
}

// maxDigits is the most digits that a number in a placeholder may have. The
// bound keeps a stranger from buying long computations with long numbers.
const maxDigits = 1000

// newPlaceholder prepares i + add, or (i + add) % modulus, from decimal digits
// ("" if absent). ok is false if the modulus is zero, or a number is too long.
func newPlaceholder(add, modulus string) (h placeholder, ok bool) {
	if len(add) > maxDigits || len(modulus) > maxDigits {
		return placeholder{}, false
	}
	hasModulus := modulus != ""
	add, modulus = strings.TrimLeft(add, "0"), strings.TrimLeft(modulus, "0")
	if hasModulus && modulus == "" {
		return placeholder{}, false
	}
	if hasModulus && !lessDecimal(add, modulus) {
		add = remainder(add, modulus)
	}
	var addFits, modulusFits bool
	h.add, addFits = parseDecimal(add)
	h.modulus, modulusFits = parseDecimal(modulus)
	if !addFits || !modulusFits {
		h = placeholder{wide: &wide{add: add, modulus: modulus}}
	}
	return h, true
}

// parseDecimal reads digits without leading zeros; "" is zero.
func parseDecimal(digits string) (n uint64, fits bool) {
	if digits == "" {
		return 0, true
	}
	n, err := strconv.ParseUint(digits, 10, 64)
	return n, err == nil && n <= math.MaxInt64
}

// remainder is a % b, b not zero.
func remainder(a, b string) string {
	x, _ := new(big.Int).SetString(a, 10)
	y, _ := new(big.Int).SetString(b, 10)
	if x.Rem(x, y); x.Sign() == 0 {
		return ""
	}
	return x.String()
}

func lessDecimal(a, b string) bool {
	return len(a) < len(b) || len(a) == len(b) && a < b
}

// appendValue appends the value of run i. A wide modulus is larger than any
// i, so that at most one subtraction brings the sum below it.
func (w *wide) appendValue(dst []byte, i uint64) []byte {
	sum := bytes.Repeat([]byte("0"), w.sumDigits())
	copy(sum[len(sum)-len(w.add):], w.add)
	addDecimal(sum, i)
	sum = trimZeros(sum)
	if w.modulus != "" && !lessDecimal(string(sum), w.modulus) {
		sum = subtractDecimal(sum, w.modulus)
	}
	return append(dst, sum...)
}

// sumDigits is the most digits of i + add.
func (w *wide) sumDigits() int { return max(len(w.add), 20) + 1 }

// trimZeros drops leading zeros, but not the last digit.
func trimZeros(digits []byte) []byte {
	for len(digits) > 1 && digits[0] == '0' {
		digits = digits[1:]
	}
	return digits
}

// addDecimal adds n to digits, which have room for the carry.
func addDecimal(digits []byte, n uint64) {
	for at := len(digits) - 1; n > 0; at-- {
		n += uint64(digits[at] - '0')
		digits[at] = '0' + byte(n%10)
		n /= 10
	}
}

// subtractDecimal subtracts b from digits, in place, and drops leading zeros.
// The difference must not be negative.
func subtractDecimal(digits []byte, b string) []byte {
	borrow := byte(0)
	for at, bt := len(digits)-1, len(b)-1; at >= 0; at, bt = at-1, bt-1 {
		take := borrow
		if bt >= 0 {
			take += b[bt] - '0'
		}
		d := digits[at] - '0'
		borrow = 0
		if d < take {
			d += 10
			borrow = 1
		}
		digits[at] = '0' + d - take
	}
	return trimZeros(digits)
}

// digits is the most digits of a value.
func (w *wide) digits() int {
	if w.modulus != "" {
		return len(w.modulus)
	}
	return w.sumDigits()
}
