package persist

import (
	"maps"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestScheduleForksAreIndependent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		forks := []*pair[Schedule, map[uint32]Due]{{model: map[uint32]Due{}, owner: NewOwner()}}
		numbers := rapid.SampledFrom([]uint32{3, 60, 5000, 1 << 20}).Draw(t, "numbers")
		for range rapid.IntRange(1, 400).Draw(t, "steps") {
			p := forks[rapid.IntRange(0, len(forks)-1).Draw(t, "fork")]
			number := rapid.Uint32Range(0, numbers).Draw(t, "number")
			switch rapid.IntRange(0, 9).Draw(t, "action") {
			case 0:
				if len(forks) < 6 {
					p.owner = NewOwner()
					forks = append(forks, &pair[Schedule, map[uint32]Due]{p.container, maps.Clone(p.model), NewOwner()})
				}
			case 1, 2, 3:
				p.container.Clear(p.owner, number)
				delete(p.model, number)
			default:
				due := Due{rapid.Int64Range(-5, 5).Draw(t, "at"), rapid.Uint64Range(0, 1<<40).Draw(t, "turn")}
				p.container.Set(p.owner, number, due)
				p.model[number] = due
			}
			requireFirst(t, &p.container, p.model)
		}
		for _, p := range forks {
			requireFirst(t, &p.container, p.model)
			for number := range p.model {
				due, ok := p.container.At(number)
				require.True(t, ok)
				require.Equal(t, p.model[number], due)
			}
			_, ok := p.container.At(numbers + 1)
			require.False(t, ok)
		}
	})
}

func requireFirst(t *rapid.T, s *Schedule, model map[uint32]Due) {
	want := never
	for _, due := range model {
		if due.Before(want) {
			want = due
		}
	}
	number, due, ok := s.First()
	require.Equal(t, len(model) > 0, ok)
	if ok {
		require.Equal(t, want, due)
		require.Equal(t, want, model[number])
	}
}
