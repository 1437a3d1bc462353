package diagnose

import (
	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/internal/naive"
)

// modelOf is a fresh model with deviations that exist.
func modelOf(rules events.Rules, names []string) *naive.Model {
	model, err := naive.New(rules, names...)
	if err != nil {
		panic("diagnose: " + err.Error()) // the rules have been examined, the names are from the catalogue
	}
	return model
}

// singles tries every deviation alone.
func (s *search) singles() {
	s.alone = make([]*trial, len(s.all))
	var trials []*trial
	for i, deviation := range s.all {
		if !s.seen.may(deviation.Name) {
			// It gives the answer of the rules where that is wrong.
			s.d.RuledOut[deviation.Name] = *s.first
			continue
		}
		s.alone[i] = &trial{deviations: s.all[i : i+1 : i+1]}
		trials = append(trials, s.alone[i])
	}
	s.contest(trials)
	for _, t := range trials {
		candidate, mismatch := s.outcome(t)
		if mismatch != nil {
			s.d.RuledOut[t.deviations[0].Name] = *mismatch
			continue
		}
		if candidate.Confirmed < len(s.entries) {
			s.d.Complete = false
		}
		if candidate.Explained > 0 {
			s.d.Singles = append(s.d.Singles, candidate)
		}
	}
}
