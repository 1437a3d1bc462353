package diagnose

import (
	"slices"

	"github.com/leasekeeper/leasekeeper/internal/naive"
)

// pairs tries every two deviations together, after each has failed alone.
func (s *search) pairs() {
	likely, unlikely := s.pairsToTry()
	s.d.PairsTried = PairCount() - len(likely) - len(unlikely)
	for _, trials := range [][]*trial{likely, unlikely} {
		s.contest(trials)
		for _, t := range trials {
			candidate, mismatch := s.outcome(t)
			decided := mismatch != nil || candidate.Confirmed == len(s.entries)
			if decided {
				s.d.PairsTried++
			}
			if mismatch == nil && candidate.Explained > 0 {
				s.d.Pairs = append(s.d.Pairs, candidate)
			}
		}
	}
	s.d.Complete = s.d.Complete && s.d.PairsTried == PairCount()
	slices.SortFunc(s.d.Pairs, func(a, b Candidate) int { return slices.Compare(a.Names(), b.Names()) })
}

// pairsToTry are those pairs of which either may change what the other one
// answers before that fails alone. Where one of the two gives the first wrong
// answer alone, the pair is likely.
func (s *search) pairsToTry() (likely, unlikely []*trial) {
	for i, a := range s.all {
		for j, b := range s.all[:i] {
			if !s.helps(j, i) || !s.helps(i, j) {
				continue
			}
			t := &trial{deviations: []naive.Deviation{b, a}}
			if s.failsAt(i) > s.first.Index || s.failsAt(j) > s.first.Index {
				likely = append(likely, t)
			} else {
				unlikely = append(unlikely, t)
			}
		}
	}
	return likely, unlikely
}

// helps tells whether deviation i, beside j, may show itself before j alone
// fails.
func (s *search) helps(i, j int) bool {
	seen := &s.seen
	if s.alone[j] != nil {
		seen = &s.alone[j].seen
	}
	return seen.may(s.all[i].Name) || isNear(s.all[j].Name, s.all[i].Name)
}

// failsAt is where deviation i alone fails: it has been tried.
func (s *search) failsAt(i int) int {
	if s.alone[i] == nil {
		return s.first.Index
	}
	return s.alone[i].mismatch.Load().Index
}
