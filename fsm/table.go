package fsm

import (
	"strings"

	"github.com/leasekeeper/leasekeeper/internal/persist"
	"github.com/zeebo/xxh3"
)

// label is the part of a row that names it. The hash is kept because every
// fingerprint of a row that mentions the name needs it.
type label struct {
	name string
	hash xxh3.Uint128
}

func (l *label) labelled() *label { return l }

// makeLabel names a row. The clone keeps a small name from keeping a large
// input alive.
func makeLabel(name string) label {
	return label{name: strings.Clone(name), hash: xxh3.HashString128(name)}
}

// labelled is a pointer to a row with a label.
type labelled[T any] interface {
	*T
	labelled() *label
}

// table holds the rows of clients or of locks. A name gets a number when its
// first row is made, from 1 on, and keeps it; numbers never show outside.
type table[T any, P labelled[T]] struct {
	rows persist.Vector[T]
	find persist.Index
}

// number returns the number of a name, or 0 if it has no row.
func (t *table[T, P]) number(name string) uint32 {
	return t.find.Find(persist.Tag(name), name, t.name)
}

func (t *table[T, P]) name(number uint32) string {
	return P(t.rows.At(number - 1)).labelled().name
}

// at returns a row for reading.
func (t *table[T, P]) at(number uint32) *T { return t.rows.At(number - 1) }

// edit returns a row for changing. The pointer stays good as long as the
// owner is in charge.
func (t *table[T, P]) edit(o *persist.Owner, number uint32) *T {
	return t.rows.Edit(o, number-1)
}

// add makes a row for a name that has none, and returns its number.
func (t *table[T, P]) add(o *persist.Owner, name string) uint32 {
	var row T
	*P(&row).labelled() = makeLabel(name)
	number := t.rows.Append(o, row) + 1
	t.find.Add(o, persist.Tag(name), P(&row).labelled().name, number)
	return number
}

// len is the number of rows; rows are numbered 1 to len.
func (t *table[T, P]) len() uint32 { return t.rows.Len() }
