package naive

import (
	"fmt"
	"slices"
	"strings"
)

// Deviation is one way of getting one rule wrong.
type Deviation struct {
	Name        string // in kebab case, as New takes it
	Rule        string // the rule that it breaks, such as "R3"
	Description string // what it does, in one line
}

// Deviations lists every deviation, sorted by name. Each of them can be seen
// in the answers to some short history.
func Deviations() []Deviation {
	all := slices.Clone(catalogue[:])
	slices.SortFunc(all, func(a, b Deviation) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// lookUp finds a deviation by its name. The error suggests the nearest name.
func lookUp(name string) (deviation, error) {
	for d, candidate := range catalogue {
		if candidate.Name == name {
			return deviation(d), nil
		}
	}
	nearest := slices.MinFunc(catalogue[:], func(a, b Deviation) int {
		return distance(name, a.Name) - distance(name, b.Name)
	}).Name
	return 0, fmt.Errorf("naive: no such deviation: %q (did you mean %q?)", name, nearest)
}

// distance is the number of letters to change, add or leave out between two
// names. What is longer than any name is as far away as can be.
func distance(a, b string) int {
	if len(a) > 100 {
		return len(a)
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
