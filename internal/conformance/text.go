package conformance

import (
	"strconv"
	"strings"

	"github.com/leasekeeper/leasekeeper/internal/visible"
)

// shown is how many bytes of a program's output a message has room for.
const shown = 200

// clip is JSON text as it may stand in a message: cut, and harmless.
func clip(text []byte) string {
	cut, whole := visible.Cut(string(text), shown)
	if !whole {
		return harmless(cut) + "…"
	}
	return harmless(cut)
}

// quote is any text as a Go string, cut.
func quote(text string) string {
	cut, whole := visible.Cut(text, shown)
	if !whole {
		return strconv.Quote(cut) + "…"
	}
	return strconv.Quote(cut)
}

// harmless is text of which nothing but the line breaks does anything else than to
// be seen.
func harmless(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = visible.Text(strings.TrimSuffix(lines[i], "\r"))
	}
	return strings.Join(lines, "\n")
}
