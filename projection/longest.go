package projection

import "slices"

// first keeps the first few of many rows in an order.
type first[T any] struct {
	most    int
	compare func(a, b T) int
	rows    []T // in order
}

// add keeps a row if it is among the first. O(most).
func (f *first[T]) add(row T) {
	if len(f.rows) == f.most && (f.most == 0 || f.compare(row, f.rows[f.most-1]) >= 0) {
		return
	}
	i, _ := slices.BinarySearchFunc(f.rows, row, f.compare)
	if len(f.rows) == f.most {
		f.rows = f.rows[:f.most-1]
	}
	f.rows = slices.Insert(f.rows, i, row)
}

// copied may be added to without changing f.
func (f *first[T]) copied() *first[T] {
	return &first[T]{most: f.most, compare: f.compare, rows: slices.Clone(f.rows)}
}
