package draw

import (
	"github.com/leasekeeper/leasekeeper/projection"
)

// packLeases gives each lease a line, so that no two leases of a line are in
// force at the same time: those of an exclusive lock are on one. Leases come in
// the order in which they began. O(leases · lines).
func packLeases(leases []projection.Lease) (lines []int, count int) {
	type end struct {
		at   int64
		open bool
	}
	var ends []end
	lines = make([]int, len(leases))
	for i := range leases {
		l := &leases[i]
		line := 0
		for line < len(ends) && (ends[line].open || ends[line].at > l.Began.Instant) {
			line++
		}
		if line == len(ends) {
			ends = append(ends, end{})
		}
		ends[line] = end{l.Ended.Instant, !l.Ended.Happened()}
		lines[i] = line
	}
	return lines, len(ends)
}

// packCells gives each range of cells a line, so that none overlap there.
// extents are [from, to), in the order of from.
func packCells(extents [][2]int) (lines []int, count int) {
	var ends []int
	lines = make([]int, len(extents))
	for i, e := range extents {
		line := 0
		for line < len(ends) && ends[line] > e[0] {
			line++
		}
		if line == len(ends) {
			ends = append(ends, 0)
		}
		ends[line] = e[1]
		lines[i] = line
	}
	return lines, len(ends)
}
