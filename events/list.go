package events

// list walks over the elements of a JSON list. The text must be known to be
// valid JSON: then finding where a value ends needs neither a parser nor
// recursion, only a look at brackets and quotes.
type list struct{ rest []byte }

// openList tells whether valid JSON text is a list, and stands before its
// first element.
func openList(text []byte) (list, bool) {
	text = trimSpace(text)
	if len(text) == 0 || text[0] != '[' {
		return list{}, false
	}
	return list{rest: text[1:]}, true
}

// next is the text of the next element; ok is false at the list's end.
func (l *list) next() (element []byte, ok bool) {
	l.rest = trimSpace(l.rest)
	if l.rest[0] == ',' {
		l.rest = trimSpace(l.rest[1:])
	}
	if l.rest[0] == ']' {
		return nil, false
	}
	end := valueEnd(l.rest)
	element, l.rest = l.rest[:end], l.rest[end:]
	return element, true
}

// split stores the first elements into dst, as many as fit, and counts all.
func (l *list) split(dst [][]byte) int {
	n := 0
	for element, ok := l.next(); ok; element, ok = l.next() {
		if n < len(dst) {
			dst[n] = element
		}
		n++
	}
	return n
}

func trimSpace(text []byte) []byte {
	for len(text) > 0 && isSpace(text[0]) {
		text = text[1:]
	}
	return text
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// valueEnd is the length of the JSON value that text begins with.
func valueEnd(text []byte) int {
	switch text[0] {
	case '"':
		return stringEnd(text)
	case '[', '{':
		return nestedEnd(text)
	}
	for i, c := range text {
		if c == ',' || c == ']' || c == '}' || isSpace(c) {
			return i
		}
	}
	return len(text)
}

// stringEnd is the length of the JSON string that text begins with.
func stringEnd(text []byte) int {
	i := 1
	for text[i] != '"' {
		if text[i] == '\\' {
			i++
		}
		i++
	}
	return i + 1
}

// nestedEnd is the length of the list or object that text begins with.
func nestedEnd(text []byte) int {
	depth := 0
	for i := 0; ; i++ {
		switch text[i] {
		case '"':
			i += stringEnd(text[i:]) - 1
		case '[', '{':
			depth++
		case ']', '}':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
}
