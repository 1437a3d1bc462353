package diagnose

import (
	"cmp"
	"slices"
	"sync/atomic"

	"github.com/leasekeeper/leasekeeper/internal/naive"
)

// Where no deviation explains everything, those are looked at again that give
// the first wrong answer, and in a log that is short all.
const (
	shortLog    = 20_000 // operations
	mostPartial = 10
)

// score counts what one deviation explains of the whole log.
type score struct {
	deviation                        naive.Deviation
	prefix                           int
	examined, explained, unexplained atomic.Int64
}

// partial looks for deviations that explain a part, after each has failed to
// explain all.
func (s *search) partial() {
	var scores []*score
	for i, t := range s.alone {
		if t != nil && (len(s.entries) <= shortLog || s.failsAt(i) > s.first.Index) {
			scores = append(scores, &score{deviation: s.all[i], prefix: s.failsAt(i)})
		}
	}
	s.inParallel(len(scores), func(i int) { s.score(scores[i]) })
	for _, found := range scores {
		p := Partial{
			Deviation: found.deviation, Prefix: found.prefix, Examined: int(found.examined.Load()),
			Explained: int(found.explained.Load()), Unexplained: int(found.unexplained.Load()),
		}
		if p.Explained > 0 && p.Unexplained < s.wrongBefore(p.Examined) {
			s.d.Partial = append(s.d.Partial, p)
		}
	}
	slices.SortStableFunc(s.d.Partial, func(a, b Partial) int {
		return cmp.Or(cmp.Compare(b.Examined, a.Examined), cmp.Compare(a.Unexplained, b.Unexplained), cmp.Compare(b.Prefix, a.Prefix))
	})
	s.d.Partial = s.d.Partial[:min(len(s.d.Partial), mostPartial)]
}

// score lets a model answer the whole log and counts.
func (s *search) score(c *score) {
	model := modelOf(s.rules, []string{c.deviation.Name})
	var answer []byte
	wrong := s.wrong
	for i := range s.entries {
		if s.stopped.Load() {
			break
		}
		e := &s.entries[i]
		result := model.Apply(e.Event)
		isWrong := len(wrong) > 0 && wrong[0] == i
		if isWrong {
			wrong = wrong[1:]
		}
		if e.answered() {
			answer = result.Answer.AppendJSON(answer[:0])
			if !e.is(answer) {
				c.unexplained.Add(1)
			} else if isWrong {
				c.explained.Add(1)
			}
		}
		c.examined.Store(int64(i + 1))
		if (i+1)%counted == 0 {
			s.count(counted)
		}
	}
}
