package projection_test

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/projection"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// requireLengths checks a distribution against all lengths in a list.
func requireLengths(t require.TestingT, lengths []uint64, d *projection.Distribution) {
	slices.Sort(lengths)
	require.EqualValues(t, len(lengths), d.Count())
	require.Zero(t, d.Error())
	sum := new(big.Int)
	for _, n := range lengths {
		sum.Add(sum, new(big.Int).SetUint64(n))
	}
	require.Equal(t, sum.String(), d.Sum().String())
	parts := []float64{0, 0.5, 0.9, 0.99, 1}
	for i, got := range d.Quantiles(parts...) {
		want := uint64(0)
		if len(lengths) > 0 {
			// Nearest rank: the least length that enough others do not exceed.
			want = lengths[max(int(math.Ceil(parts[i]*float64(len(lengths)))), 1)-1]
			require.Equal(t, lengths[len(lengths)-1], d.Max())
		}
		require.Equal(t, want, got, "part %v of %v", parts[i], lengths)
	}
}

// Lengths, loads and longest waits are those of the timeline's rows.
func TestContentionAgreesWithTheTimeline(t *testing.T) {
	law(t, func(t *rapid.T, h story) {
		cut := h.cut(t)
		timeline := projection.CollectTimeline(h.states[cut], projection.Filter{})
		contention := projection.NewContention(h.states[cut], projection.ContentionOptions{Top: 4})
		h.fold(cut, timeline, contention)
		rows, report := timeline.Rows(), contention.Report()
		clock, _ := h.last().Clock()
		loads := map[string]*naiveLoad{}
		of := func(lock string) *naiveLoad {
			if loads[lock] == nil {
				loads[lock] = &naiveLoad{lock: lock}
			}
			return loads[lock]
		}
		var held, waited []uint64
		for _, l := range rows.Leases {
			of(l.Lock).leases++
			of(l.Lock).held += l.Length(clock)
			if l.Ended.Happened() && !l.Began.Earlier() {
				held = append(held, l.Length(clock))
			}
		}
		for _, w := range rows.Waits {
			of(w.Lock).waits++
			of(w.Lock).waited += w.Length(clock)
			if w.Ended.Happened() && !w.Began.Earlier() {
				waited = append(waited, w.Length(clock))
			}
		}
		requireLengths(t, held, report.Held)
		requireLengths(t, waited, report.Waited)
		requireLoads(t, loads, report.Locks)
		slices.SortStableFunc(rows.Waits, func(a, b projection.Wait) int {
			return cmp.Compare(b.Length(clock), a.Length(clock))
		})
		requireSame(t, rows.Waits[:min(4, len(rows.Waits))], report.Waits)
	})
}

type naiveLoad struct {
	lock          string
	leases, waits uint64
	held, waited  uint64
}

func requireLoads(t require.TestingT, loads map[string]*naiveLoad, got []projection.LockLoad) {
	var want []*naiveLoad
	for _, l := range loads {
		if l.waits > 0 {
			want = append(want, l)
		}
	}
	slices.SortFunc(want, func(a, b *naiveLoad) int {
		return cmp.Or(cmp.Compare(b.waited, a.waited), cmp.Compare(a.lock, b.lock))
	})
	require.Len(t, got, min(4, len(want)))
	for i, l := range got {
		require.Equal(t, want[i].lock, l.Lock)
		require.Equal(t, want[i].leases, l.Leases)
		require.Equal(t, want[i].waits, l.Waits)
		require.Equal(t, fmt.Sprint(want[i].held), l.Held.String())
		require.Equal(t, fmt.Sprint(want[i].waited), l.Waited.String())
	}
}

// Convoys are the stretches between a queue's becoming something and its
// becoming nothing again, effect by effect, that are long or deep enough.
func TestConvoysAreStretchesOfQueueing(t *testing.T) {
	law(t, func(t *rapid.T, h story) {
		var got []projection.Convoy
		contention := projection.NewContention(h.states[0], projection.ContentionOptions{
			Top: 1000, ConvoyQueue: 2, ConvoyGrants: 2, Convoy: func(c projection.Convoy) { got = append(got, c) },
		})
		h.fold(0, contention)
		var want, going []projection.Convoy
		for _, lock := range h.locks {
			over, open := naiveConvoys(h, lock)
			want, going = append(want, over...), append(going, open...)
		}
		require.ElementsMatch(t, want, got)
		require.ElementsMatch(t, append(want, going...), contention.Report().Convoys)
	})
}

func naiveConvoys(h story, lock string) (over, going []projection.Convoy) {
	length, now := 0, projection.Convoy{}
	for i, effects := range h.effects {
		for j, e := range effects {
			at := projection.Moment{Instant: e.Instant, Sequence: uint64(i + 1), Effect: j}
			switch {
			case e.Lock != lock:
				continue
			case e.Kind == events.EffectQueued:
				if length == 0 {
					now = projection.Convoy{Lock: lock, Began: at}
				}
				length++
				now.Requests++
			case e.Kind == events.EffectGranted && e.Cause != events.CauseFree:
				length--
				now.Granted++
			case e.Kind == events.EffectWithdrawn:
				length--
			}
			now.LongestQueue = max(now.LongestQueue, length)
			if length == 0 && now.Requests > 0 {
				now.Ended = at
				if now.LongestQueue >= 2 || now.Granted >= 2 {
					over = append(over, now)
				}
				now = projection.Convoy{}
			}
		}
	}
	if length > 0 && (now.LongestQueue >= 2 || now.Granted >= 2) {
		going = append(going, now)
	}
	return over, going
}

// With more lengths than can be kept, quantiles are rounded up by no more than
// they say, and everything else stays exact.
func TestDistributionOfManyLengths(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 1))
	for _, bits := range []uint{20, 40, 64} {
		var d projection.Distribution
		lengths := make([]uint64, 300_000)
		sum := new(big.Int)
		for i := range lengths {
			lengths[i] = random.Uint64() >> (64 - bits) >> random.UintN(bits/2)
			d.Add(lengths[i])
			sum.Add(sum, new(big.Int).SetUint64(lengths[i]))
		}
		slices.Sort(lengths)
		require.Positive(t, d.Error())
		require.LessOrEqual(t, d.Error(), 1.0/1024)
		require.Equal(t, sum.String(), d.Sum().String())
		require.Equal(t, lengths[len(lengths)-1], d.Max())
		var parts []float64
		for i := range 101 {
			parts = append(parts, float64(i)/100)
		}
		for i, got := range d.Quantiles(parts...) {
			want := lengths[max(int(math.Ceil(parts[i]*float64(len(lengths)))), 1)-1]
			require.GreaterOrEqual(t, got, want)
			require.LessOrEqual(t, float64(got-want), d.Error()*float64(want))
		}
	}
}

// 65,536 different lengths are still told exactly, one more is not; neither
// depends on the order in which they came.
func TestDistributionIsExactUpToItsBound(t *testing.T) {
	var up, down projection.Distribution
	for i := range uint64(1 << 16) {
		up.Add(1<<40 + i)
		down.Add(1<<40 + 1<<16 - i)
	}
	require.Zero(t, up.Error())
	require.EqualValues(t, 1<<40+1<<15-1, up.Quantiles(0.5)[0])
	up.Add(1<<40 + 1<<16)
	down.Add(1 << 40)
	require.Equal(t, up, down)
	require.InDelta(t, 1.0/(1<<39), up.Error(), 1e-15)
	require.EqualValues(t, 1<<40+1<<16, up.Max())
}
