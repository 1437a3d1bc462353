package oplog

import (
	"strings"

	"github.com/leasekeeper/leasekeeper/internal/visible"
)

// quoted is a name from the input as messages show it, with the escapes of
// JSON.
func quoted(name string) string {
	const longest = 40
	cut, whole := visible.Cut(name, longest)
	if !whole {
		return visible.Quoted(cut) + "…"
	}
	return visible.Quoted(cut)
}

const loneMessage = "half a surrogate pair without the other half is no character"

// lone is the place of the first lone surrogate in a text without line breaks
// that begins at p.
func (p place) lone(text []byte) (at place, found bool) {
	i := LoneSurrogate(text)
	p.offset += int64(max(i, 0))
	return p, i >= 0
}

// LoneSurrogate finds the first escaped half of a surrogate pair without the
// other half in a JSON text, which need not be valid, and returns its offset, -1
// if there is none. To read it as a string would make it U+FFFD, another
// character (R25).
func LoneSurrogate(text []byte) int {
	high := -1 // where a first half stands right in front of here
	for i := 0; i < len(text); {
		size, first, second := 1, false, false
		if text[i] == '\\' && i+1 < len(text) {
			size = 2
			if text[i+1] == 'u' && i+6 <= len(text) {
				size = 6
				first = isSurrogate(text[i+2:i+6], "89abAB")
				second = isSurrogate(text[i+2:i+6], "cdefCDEF")
			}
		}
		switch {
		case high >= 0 && !second:
			return high
		case high < 0 && second:
			return i
		}
		high = -1
		if first {
			high = i
		}
		i += size
	}
	return high
}

// isSurrogate tells whether four hexadecimal digits are a half of a surrogate
// pair, with its second digit among those given.
func isSurrogate(digits []byte, second string) bool {
	return (digits[0] == 'd' || digits[0] == 'D') && strings.IndexByte(second, digits[1]) >= 0
}
