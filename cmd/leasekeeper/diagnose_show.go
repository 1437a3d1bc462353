package main

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/leasekeeper/leasekeeper/cmd/leasekeeper/internal/view"
	"github.com/leasekeeper/leasekeeper/internal/diagnose"
	"github.com/leasekeeper/leasekeeper/internal/naive"
)

// mostCandidates is how many candidates fit on the screen.
const mostCandidates = 5

// print prints the verdict first, and what it rests on.
func (s *diagnosed) print(r *view.Report, f *diagnoseFlags) {
	r.Title(s.title + " · " + rulesText(s.rules))
	if s.Wrong == 0 {
		s.printRight(r, f)
		return
	}
	r.Alarm("verdict", "%s", s.verdict())
	s.printCandidates(r)
	at := s.First.Index
	instant := ""
	if ts, ok := s.entries[at].Event.Instant(); ok {
		instant = fmt.Sprintf(", at %d", ts)
	}
	r.Line("first wrong", "event %d%s: %s", at+1, instant, view.Operation(s.entries[at].Event))
	r.Line("recorded", "%s", s.recorded(s.First))
	r.Line("by the rules", "%s", shortened(string(s.First.Answer)))
	s.printTelling(r)
	s.printScope(r)
	if !s.Complete {
		r.Line("", "the time was up: there may be more to say (--for, now %v)", f.time)
	}
	if f.all {
		s.printAll(r)
		return
	}
	r.Line("ruled out", "%d of them; --all says by which events", len(s.RuledOut))
}

// printRight is for answers of which none is wrong.
func (s *diagnosed) printRight(r *view.Report, f *diagnoseFlags) {
	switch {
	case !s.Complete:
		r.Line("verdict", "the first %d of %d events are answered as the rules require; the time was up (--for, now %v)", s.Examined, s.Operations, f.time)
	case s.Answered == 0:
		r.Line("verdict", "no answer is recorded; nothing to diagnose")
	default:
		r.Good("verdict", "these answers are what the rules require; nothing to diagnose")
	}
	s.printScope(r)
}

// verdict is what has been found, in one sentence.
func (s *diagnosed) verdict() string {
	wrong := "the wrong answer"
	switch {
	case s.Wrong == 2:
		wrong = "both wrong answers"
	case s.Wrong > 2:
		wrong = fmt.Sprintf("all %d wrong answers", s.Wrong)
	}
	switch {
	case len(s.Singles) == 1:
		return "one deviation explains " + s.extent(s.Singles, wrong)
	case len(s.Singles) > 1:
		return fmt.Sprintf("each of %d deviations explains %s", len(s.Singles), s.extent(s.Singles, wrong))
	case len(s.Pairs) == 1:
		return "no deviation alone, but two together explain " + s.extent(s.Pairs, wrong)
	case len(s.Pairs) > 1:
		return fmt.Sprintf("no deviation alone, but each of %d pairs explains %s", len(s.Pairs), s.extent(s.Pairs, wrong))
	case !s.Complete:
		return fmt.Sprintf("%s; nothing found in the time that explains them", view.Count(s.Wrong, "answer is wrong", "answers are wrong"))
	case len(s.Partial) > 0:
		return "no known deviation, and no two of them, explain " + wrong + "; the nearest explains a part"
	}
	return "no known deviation, and no two of them, explain " + wrong
}

// extent is what candidates explain: everything, or what there was time for.
func (s *diagnosed) extent(candidates []diagnose.Candidate, everything string) string {
	c := slices.MinFunc(candidates, func(a, b diagnose.Candidate) int { return cmp.Compare(a.Confirmed, b.Confirmed) })
	if c.Confirmed == s.Operations {
		return everything
	}
	return fmt.Sprintf("the first %d events of %d, %d of them wrong, and was not tried further", c.Confirmed, s.Operations, c.Explained)
}

func (s *diagnosed) printCandidates(r *view.Report) {
	label := "explanation"
	all := append(slices.Clone(s.Singles), s.Pairs...)
	if len(all) > 1 {
		label = "either"
	}
	for i, c := range all {
		if i == mostCandidates {
			r.Line("", "or one of %d more (--json lists them)", len(all)-i)
			break
		}
		for _, d := range c.Deviations {
			r.Line(label, "%s", described(d))
			label = "with"
		}
		label = "or"
	}
	for i, p := range s.Partial {
		if len(all) > 0 || i == 3 {
			break
		}
		r.Line("partial", "%s", described(p.Deviation))
		r.Line("", "it explains %d of the wrong answers, and does not give %d of the answers recorded%s; the first is that of event %d",
			p.Explained, p.Unexplained, s.upTo(p.Examined), p.Prefix+1)
	}
}

// upTo says how far was looked, if not to the end.
func (s *diagnosed) upTo(examined int) string {
	if examined == s.Operations {
		return ""
	}
	return fmt.Sprintf(" up to event %d", examined)
}

// described is a deviation in words.
func described(d naive.Deviation) string {
	return fmt.Sprintf("%s (%s): %s", d.Name, d.Rule, d.Description)
}

// decided is of how many deviations it is known what they do with every event
// that was examined.
func (s *diagnosed) decided() int {
	decided := len(s.RuledOut)
	for _, c := range s.Singles {
		if c.Confirmed == s.Examined {
			decided++
		}
	}
	return decided
}

// printScope says how much was looked at, and how long that took.
func (s *diagnosed) printScope(r *view.Report) {
	answers := view.Count(s.Examined, "event", "events")
	if s.Examined < s.Operations {
		answers = fmt.Sprintf("the first %d of %s", s.Examined, view.Count(s.Operations, "event", "events"))
	}
	answers += fmt.Sprintf(", %d with an answer", s.Answered)
	if s.Wrong > 0 {
		answers += fmt.Sprintf(", %d of them wrong", s.Wrong)
	}
	r.Line("examined", "%s", answers)
	if s.Wrong > 0 {
		tried := fmt.Sprintf("%d deviations", len(naive.Deviations()))
		if decided := s.decided(); decided < len(naive.Deviations()) {
			tried = fmt.Sprintf("%d of %s", decided, tried)
		}
		if s.PairsTried > 0 {
			tried += fmt.Sprintf(" and %d pairs of %d", s.PairsTried, diagnose.PairCount())
		}
		r.Line("searched", "%s, in %v", tried, s.took.Round(time.Millisecond))
	}
}

// recorded is the recorded answer of a mismatch.
func (s *diagnosed) recorded(m *diagnose.Mismatch) string {
	if m.Recorded == nil {
		return fmt.Sprintf("(SHA-256 %x)", *s.entries[m.Index].Digest)
	}
	return shortened(string(m.Recorded))
}
