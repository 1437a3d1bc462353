package history

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/leasekeeper/leasekeeper/events"
)

// Order tells which of two histories is simpler: it is negative if a is, and 0
// exactly if they are the same. It is a total order of the histories whose events
// events.Rules.Parse could have made. What counts first comes first:
//
//  1. the number of operations; a repeat counts one more than its runs, so that
//     it is simpler when written out
//  2. the rules: the later edition, then the longer clock unit
//  3. the kinds of operations, summed up: inspect, read, status, acquire,
//     release, renew, write, repeat, invalid; a repeat for each run
//  4. bytes of templates, of invalid operations and of names that are not plain
//  5. the number of shared requests
//  6. the number of instants before 0
//  7. the sum of the instants, then that of ttls and of the steps of repeats
//  8. the number of different names, then the sum of the tokens
//  9. from the first operation to the last: kind, instant, lock, client, ttl,
//     mode, key, value, token, text
//
// Plain names are a, b, c… for clients, L, M, N… for locks, k, l, m… for keys
// and v, w, x… for values. Of all others a few count less: one for each class of
// characters that programs get wrong, such as "😀" for those that take two UTF-16
// units. O(n) for n events, and a term for their names.
func Order(a, b History) int {
	if c := cmp.Compare(size(a), size(b)); c != 0 {
		return c
	}
	wa, wb := weigh(a), weigh(b)
	if c := slices.Compare(wa[:], wb[:]); c != 0 {
		return c
	}
	return slices.CompareFunc(a.Events, b.Events, orderOfEvents)
}

// size is the number of operations, those inside of repeats included.
func size(h History) (sum uint64) {
	sum = uint64(len(h.Events))
	for _, e := range h.Events {
		if repeat, ok := e.(events.Repeat); ok {
			sum = plus(sum, magnitude(repeat.Count))
		}
	}
	return sum
}

// weight is what Order compares after the size, up to the single operations.
type weight [weights]uint64

const (
	editionsBack = iota
	unitTicks
	kinds
	oddBytes
	sharedRequests
	negativeInstants
	sumOfInstants
	sumOfTTLs
	differentNames
	sumOfTokens
	weights
)

func weigh(h History) (w weight) {
	w[editionsBack] = 255 - uint64(h.Rules.Edition)
	w[unitTicks] = uint64(h.Rules.Unit)
	var names nameCount
	for _, e := range h.Events {
		f := fieldsOf(e)
		w[kinds] = plus(w[kinds], uint64(f.kind)*max(1, magnitude(f.count)))
		w[oddBytes] += uint64(len(f.text))
		if f.mode == events.Shared {
			w[sharedRequests]++
		}
		if f.at < 0 {
			w[negativeInstants]++
		}
		w[sumOfInstants] = plus(w[sumOfInstants], magnitude(f.at))
		w[sumOfTTLs] = plus(plus(w[sumOfTTLs], magnitude(f.ttl)), magnitude(f.step))
		w[sumOfTokens] = plus(w[sumOfTokens], magnitude(f.token))
		eachName(e, names.add)
	}
	w[oddBytes] += names.odd
	w[differentNames] = names.different()
	return w
}

// nameCount counts the different names of a history.
type nameCount struct {
	plain [roles]uint64 // a bit for each of the first plain names
	other []string      // all others, with the role in front
	odd   uint64        // bytes of those that are not plain
}

func (c *nameCount) add(r role, name string) {
	i, ok := plainIndex(r, name)
	if ok && i < 64 {
		c.plain[r] |= 1 << i
		return
	}
	if tagged := string('0'+rune(r)) + name; !slices.Contains(c.other, tagged) {
		c.other = append(c.other, tagged)
		if !ok {
			c.odd += oddness(r, name)
		}
	}
}

// oddness is the bytes of a name that is not plain, and more if it is not one of
// the usual odd ones either.
func oddness(r role, name string) uint64 {
	if slices.Contains(odd[r], name) {
		return 1 + uint64(len(name))
	}
	return 100 + uint64(len(name))
}

func (c *nameCount) different() (sum uint64) {
	sum = uint64(len(c.other))
	for _, set := range c.plain {
		for ; set != 0; set &= set - 1 {
			sum++
		}
	}
	return sum
}

// plus adds and stays at the largest number.
func plus(a, b uint64) uint64 {
	if a > math.MaxUint64-b {
		return math.MaxUint64
	}
	return a + b
}

func magnitude(n int64) uint64 {
	if n < 0 {
		return -uint64(n)
	}
	return uint64(n)
}

func orderOfEvents(a, b events.Event) int {
	x, y := fieldsOf(a), fieldsOf(b)
	return cmp.Or(
		cmp.Compare(x.kind, y.kind),
		orderOfNumbers(x.at, y.at),
		orderOfNames(lockRole, x.lock, y.lock),
		orderOfNames(clientRole, x.client, y.client),
		orderOfNumbers(x.ttl, y.ttl),
		cmp.Compare(x.mode, y.mode),
		orderOfNames(keyRole, x.key, y.key),
		orderOfNames(valueRole, x.value, y.value),
		orderOfNumbers(x.token, y.token),
		orderOfNumbers(x.count, y.count),
		orderOfNumbers(x.step, y.step),
		cmp.Compare(len(x.text), len(y.text)),
		strings.Compare(x.text, y.text),
	)
}

// orderOfNumbers is 0, 1, 2… and then -1, -2….
func orderOfNumbers(a, b int64) int {
	if a < 0 && b < 0 {
		return cmp.Compare(b, a)
	}
	return cmp.Compare(uint64(a), uint64(b))
}

// orderOfNames is the plain names, then the others by length.
func orderOfNames(r role, a, b string) int {
	i, plainA := plainIndex(r, a)
	j, plainB := plainIndex(r, b)
	switch {
	case plainA && plainB:
		return cmp.Compare(i, j)
	case plainA:
		return -1
	case plainB:
		return 1
	}
	return cmp.Or(cmp.Compare(oddness(r, a), oddness(r, b)), strings.Compare(a, b))
}
