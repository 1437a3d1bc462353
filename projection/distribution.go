package projection

import (
	"math/bits"
	"slices"
)

// maxClasses bounds the memory of a Distribution, to some megabytes.
const maxClasses = 1 << 16

// Distribution counts lengths of time, to answer how long the longest of them,
// and most of them, were. Count, sum and maximum are always exact. Quantiles
// are exact as long as there are no more than 65,536 different lengths;
// after that, lengths that agree in their leading bits are counted together,
// as many bits as memory allows, never fewer than 11. A quantile is then too
// large by less than the part that Error tells, at most 1/1024.
//
// The zero value is empty.
type Distribution struct {
	count   uint64
	sum     Total
	most    uint64
	classes map[uint64]uint64 // by the lowest length of a class
	dropped uint              // how many of the 64 leading bits are not looked at
}

// Add counts a length.
func (d *Distribution) Add(ticks uint64) {
	d.count++
	d.sum.Add(ticks)
	d.most = max(d.most, ticks)
	if d.classes == nil {
		d.classes = map[uint64]uint64{}
	}
	d.classes[d.class(ticks)]++
	for len(d.classes) > maxClasses {
		d.coarsen()
	}
}

// class keeps the leading 64 - dropped bits of a length, counted from its
// highest bit that is set.
func (d *Distribution) class(ticks uint64) uint64 { return ticks &^ d.rest(ticks) }

// rest is the mask of the bits of a length that are not looked at.
func (d *Distribution) rest(ticks uint64) uint64 {
	kept := 64 - int(d.dropped)
	return 1<<max(bits.Len64(ticks)-kept, 0) - 1
}

func (d *Distribution) coarsen() {
	// With as many bits as the longest has, nothing would come together.
	d.dropped = max(d.dropped, 64-uint(bits.Len64(d.most))) + 1
	fine := d.classes
	d.classes = make(map[uint64]uint64, maxClasses)
	for class, n := range fine {
		d.classes[d.class(class)] += n
	}
}

// Count is the number of lengths.
func (d *Distribution) Count() uint64 { return d.count }

// Sum is the sum of all lengths.
func (d *Distribution) Sum() Total { return d.sum }

// Max is the longest length, 0 if there is none.
func (d *Distribution) Max() uint64 { return d.most }

// Error is the part by which a quantile may be too large: 0 if it is exact,
// otherwise 1/1024 at the most.
func (d *Distribution) Error() float64 {
	if d.dropped == 0 {
		return 0
	}
	return 1 / float64(uint64(1)<<(63-d.dropped))
}

// Quantiles returns, for each of the given parts in ascending order, such as
// 0.5 and 0.99, the shortest length that this part of all lengths does not
// exceed; 0 if there are none. O(n log n) for n different lengths.
func (d *Distribution) Quantiles(parts ...float64) []uint64 {
	classes := make([]uint64, 0, len(d.classes))
	for class := range d.classes {
		classes = append(classes, class)
	}
	slices.Sort(classes)
	result := make([]uint64, len(parts))
	if d.count == 0 {
		return result
	}
	i, passed := 0, d.classes[classes[0]]
	for p, part := range parts {
		for rank := d.rank(part); passed < rank; {
			i++
			passed += d.classes[classes[i]]
		}
		result[p] = min(classes[i]|d.rest(classes[i]), d.most)
	}
	return result
}

// rank is the place of the length wanted when all are sorted, from 1: the
// least whole number that is no less than the part of the count.
func (d *Distribution) rank(part float64) uint64 {
	rank := uint64(part * float64(d.count))
	if float64(rank) < part*float64(d.count) {
		rank++
	}
	return min(max(rank, 1), d.count)
}
