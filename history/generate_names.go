package history

import (
	"strconv"
	"strings"
)

// The names are few and short, so that clients meet and a history reads well.
// A digit at the end lets a repeat count through them (R28).
var (
	plainClients = numbered("c", 64)
	plainLocks   = numbered("L", 64)
	allKeys      = []string{"k0", "k1", "k2"}
	allValues    = append(numbered("v", 16), "aborted", "granted", "ok", "other", "error: stale token", "～", "😀", "\ue000", "\"\n\x00<&>")
)

// Odd names stand in rings: neighbours are those that somebody might mix up, or
// put in another order (R25).
var (
	oddClients = []string{
		"a", "A", "b", "B", "é", "É", "e\u0301", "ß", "\"\\\n\x00\u2028<&>", "{i}", "{i%0}", "\ufffd", "{i+1%2}",
		strings.Repeat("long ", 40), " ", "aborted", "null", "0", "😀", "～",
	}
	oddLocks = []string{
		"L～", "L😀", "L\ue000", "L\U00010000", "L\uffff", "L", "l", "~", "\x7f", "\u0080", "{i}", "Z", "a", "é", "z",
		"{i%3}", "\U0010ffff", "\ufb00", "🔒", "[]", " ", "  ",
	}
)

func numbered(prefix string, n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = prefix + strconv.Itoa(i)
	}
	return list
}

// name gives so many clients and locks their names and numbers. Of odd ones,
// some are plain.
func (g *Generator) name(odd bool, clients, locks int) {
	oddClient, oddLock := g.below(len(oddClients)), g.below(len(oddLocks))
	if g.oneIn(2) {
		oddClient, oddLock = 0, 0
	}
	for i := range clients {
		name := plainClients[i]
		if odd && i < len(oddClients) && !g.oneIn(4) {
			name = oddClients[(oddClient+i)%len(oddClients)]
		}
		g.client(name)
	}
	for i := range locks {
		name := plainLocks[i]
		if odd && i < len(oddLocks) && !g.oneIn(4) {
			name = oddLocks[(oddLock+i)%len(oddLocks)]
		}
		g.lock(name)
	}
}
