package visible

import "unicode/utf8"

// Cut is a text of at most so many bytes, from 0: the text itself, which is then
// whole, or its beginning. It does not end in the middle of a character, so the
// beginning of valid UTF-8 is valid, and at most three bytes shorter than it might
// be. O(1).
func Cut(text string, bytes int) (cut string, whole bool) {
	if len(text) <= bytes {
		return text, true
	}
	for end := bytes; end >= 0 && end > bytes-utf8.UTFMax; end-- {
		if utf8.RuneStart(text[end]) {
			return text[:end], false
		}
	}
	return text[:bytes], false // in the middle of what is no UTF-8
}
