package load

import (
	"fmt"
	"strings"
)

// names is a numbered family of names of equal length, such as client-0000123,
// cut from one string: a name costs its bytes and nothing else.
type names struct {
	text  string
	width int
}

func newNames(prefix string, count int) names {
	var text strings.Builder
	width := len(prefix) + 8
	text.Grow(count * width)
	for i := range count {
		fmt.Fprintf(&text, "%s-%07d", prefix, i)
	}
	return names{text: text.String(), width: width}
}

func (n names) at(i int32) string {
	start := int(i) * n.width
	return n.text[start : start+n.width]
}
