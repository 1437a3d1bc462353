package events

import "strconv"

// pattern is a string with placeholders (R28), taken apart at them.
type pattern struct {
	placeholders []placeholder
	tail         string // what follows the last placeholder
}

// placeholder stands for i + add, or (i + add) % modulus.
type placeholder struct {
	literal string // what stands before it
	add     uint64 // at most 2^63-1
	modulus uint64 // 0 if there is none
	wide    *wide  // instead of add and modulus, if one of them is larger
}

// compilePattern finds the placeholders {i}, {i+A}, {i%K} and {i+A%K}, A and K
// decimal numbers of up to maxDigits digits. Anything else in braces stays as it
// is. ok is false if a modulus is zero or a number has more digits.
func compilePattern(text string) (p pattern, ok bool) {
	start := 0
	for at := 0; at < len(text); {
		add, modulus, length := scanPlaceholder(text[at:])
		if length == 0 {
			at++
			continue
		}
		found, ok := newPlaceholder(add, modulus)
		if !ok {
			return pattern{}, false
		}
		found.literal = text[start:at]
		p.placeholders = append(p.placeholders, found)
		at += length
		start = at
	}
	p.tail = text[start:]
	return p, true
}

// scanPlaceholder takes apart the placeholder that text begins with: the
// digits of A and of K, "" if absent, and its length, 0 if there is none.
func scanPlaceholder(text string) (add, modulus string, length int) {
	if len(text) < len("{i}") || text[:2] != "{i" {
		return "", "", 0
	}
	at := 2
	if text[at] == '+' {
		add = leadingDigits(text[at+1:])
		if at += 1 + len(add); add == "" {
			return "", "", 0
		}
	}
	if at < len(text) && text[at] == '%' {
		modulus = leadingDigits(text[at+1:])
		if at += 1 + len(modulus); modulus == "" {
			return "", "", 0
		}
	}
	if at == len(text) || text[at] != '}' {
		return "", "", 0
	}
	return add, modulus, at + 1
}

func leadingDigits(text string) string {
	n := 0
	for n < len(text) && '0' <= text[n] && text[n] <= '9' {
		n++
	}
	return text[:n]
}

// expand is the string of run i.
func (p *pattern) expand(i uint64) string {
	var scratch [96]byte
	text := scratch[:0]
	for n := range p.placeholders {
		h := &p.placeholders[n]
		text = append(text, h.literal...)
		switch {
		case h.wide != nil:
			text = h.wide.appendValue(text, i)
		case h.modulus != 0:
			text = strconv.AppendUint(text, (i+h.add)%h.modulus, 10)
		default:
			text = strconv.AppendUint(text, i+h.add, 10)
		}
	}
	return string(append(text, p.tail...))
}

// size is the most bytes that an expanded string can have.
func (p *pattern) size() int64 {
	size := int64(len(p.tail))
	for n := range p.placeholders {
		size += int64(len(p.placeholders[n].literal) + p.placeholders[n].digits())
	}
	return size
}

// digits is the most digits that a placeholder can expand to: 20 for any sum
// of two 64-bit numbers.
func (h *placeholder) digits() int {
	if h.wide != nil {
		return h.wide.digits()
	}
	return 20
}
