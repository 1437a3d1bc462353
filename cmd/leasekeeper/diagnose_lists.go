package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/leasekeeper/leasekeeper/cmd/leasekeeper/internal/view"
	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/internal/diagnose"
	"github.com/leasekeeper/leasekeeper/internal/naive"
)

// printTelling shows the history that tells candidates apart.
func (s *diagnosed) printTelling(r *view.Report) {
	if s.Telling == nil {
		if len(s.Singles)+len(s.Pairs) > 1 && s.Complete {
			r.Line("tell apart", "no history was found to which they give different answers")
		}
		return
	}
	r.Line("tell apart", "give this to a fresh service:")
	for i, e := range s.Telling.Events {
		r.Line("", "%s", events.AppendJSON(nil, e))
		if s.Telling.DiffersAt(i) {
			for _, line := range answersAt(s.Telling.Groups, i) {
				r.Line("", "    %s", line)
			}
		}
	}
}

// answersAt are the answers to one operation, each with those who give it.
func answersAt(groups []diagnose.Group, i int) (lines []string) {
	var answers []string
	who := map[string][]string{}
	for _, g := range groups {
		answer := string(g.Answers[i])
		if who[answer] == nil {
			answers = append(answers, answer)
		}
		for _, names := range g.Candidates {
			who[answer] = append(who[answer], strings.Join(names, " and "))
		}
	}
	for _, answer := range answers {
		lines = append(lines, fmt.Sprintf("%s  with %s", shortened(answer), strings.Join(who[answer], " or with ")))
	}
	return lines
}

// printAll lists every deviation, those that last longest first.
func (s *diagnosed) printAll(r *view.Report) {
	all := naive.Deviations()
	place := func(d naive.Deviation) int {
		if mismatch, ok := s.RuledOut[d.Name]; ok {
			return mismatch.Index
		}
		return s.Operations
	}
	slices.SortStableFunc(all, func(a, b naive.Deviation) int { return cmp.Compare(place(b), place(a)) })
	label := "all"
	for _, d := range all {
		mismatch, ok := s.RuledOut[d.Name]
		text := "not ruled out"
		if ok {
			text = fmt.Sprintf("event %d: %s, not %s", mismatch.Index+1, shortened(string(mismatch.Answer)), s.recorded(&mismatch))
		}
		r.Line(label, "%-36s %-4s %s", d.Name, d.Rule, text)
		label = ""
	}
}
