package main

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/leasekeeper/leasekeeper/cmd/leasekeeper/internal/view"
	"github.com/leasekeeper/leasekeeper/internal/lab"
)

// labReport prints outcomes of experiments for people.
type labReport struct {
	*view.Report
	out *bufio.Writer
}

func (r labReport) blank()             { r.text("") }
func (r labReport) text(text string)   { _, _ = r.out.WriteString(text + "\n") } // the output remembers an error
func (r labReport) lines(all []string) { r.text(strings.Join(all, "\n")) }

// head says what is carried out, and how.
func (r labReport) head(x lab.Experiment, s lab.Setting, deviation string) {
	title := x.Name + " · " + x.Question
	if x.Seed != 0 {
		title = fmt.Sprintf("%s · seed %d · %d operations", title, s.Seed, s.Operations)
	}
	r.Title(title)
	if deviation != "" {
		r.Alarm("deviation", "the service gets a rule wrong: %s", deviation)
	}
}

// outcome prints what an experiment measured, and what is to be learnt.
func (r labReport) outcome(x lab.Experiment, o *lab.Outcome) {
	r.blank()
	r.text(x.Story)
	r.blank()
	r.lines(o.Table.Lines())
	if len(o.Notes) > 0 {
		r.blank()
		r.lines(o.Notes)
	}
	if o.Plot != nil {
		r.plot(o.Plot)
	}
	r.blank()
	r.text(x.Lesson)
	r.blank()
	r.Line("rules", "%s", strings.Join(x.Rules, ", "))
	failed := 0
	for _, c := range o.Claims {
		if !c.Holds {
			failed++
			r.claim(c)
		}
	}
	if failed == 0 {
		r.Good("claims", "%s", view.Count(len(o.Claims), "claim holds", "claims hold"))
	} else {
		r.Alarm("claims", "%d of %s", failed, view.Count(len(o.Claims), "claim fails", "claims fail"))
	}
}

// claim prints one claim and what was measured.
func (r labReport) claim(c lab.Claim) {
	switch {
	case c.Holds && c.Expected == c.Measured:
		r.Good("holds", "%-15s %s: %s", c.ID, c.Text, c.Measured)
	case c.Holds:
		r.Good("holds", "%-15s %s: %s, within %s", c.ID, c.Text, c.Measured, c.Expected)
	default:
		r.Alarm("FAILS", "%-15s %s: expected %s, measured %s", c.ID, c.Text, c.Expected, c.Measured)
	}
}

// verdict sums up.
func (r labReport) verdict(all, failed int) {
	if failed == 0 {
		r.Good("verdict", "%s", view.Count(all, "claim holds", "claims hold"))
		return
	}
	r.Alarm("verdict", "%d of %s", failed, view.Count(all, "claim fails", "claims fail"))
}

// plot draws a sweep with bars, a block of them for each panel.
func (r labReport) plot(p *lab.Plot) {
	const longest = 44
	shades := []string{"█", "▒"}
	for _, panel := range p.Panels {
		r.blank()
		title := panel.Y.Label()
		if len(panel.Series) > 1 {
			for i, s := range panel.Series {
				title += fmt.Sprintf("%s %s %s", map[bool]string{true: ":", false: ","}[i == 0], shades[i], s.Name)
			}
		}
		r.text(title)
		for i, point := range panel.Series[0].Points {
			label := fmt.Sprintf("%g %s", point.X, p.X.Unit)
			for n, s := range panel.Series {
				y := s.Points[i].Y
				bar := strings.Repeat(shades[n], int(panel.Y.Place(y)*longest+0.5))
				r.text(fmt.Sprintf("%9s  %-*s %.*f %s", label, longest, bar, panel.Y.Digits, y, panel.Y.Unit))
				label = ""
			}
		}
	}
}
