package diagnose

import (
	"bytes"
	"slices"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/internal/naive"
)

// Diagnosis is what a log of answers has come to.
type Diagnosis struct {
	Rules events.Rules
	// Operations is the number of entries, and Examined how many of them, from
	// the first on, the rules have been held against: all, unless there was no
	// time. Answered is how many of those had an answer recorded.
	Operations, Examined, Answered int

	// Wrong is how many of the recorded answers are not those of the rules, and
	// First the first of them. First is nil if Wrong is 0.
	Wrong int
	First *Mismatch

	// Singles are the deviations that give every recorded answer of the
	// operations examined, by name. Of those with which there was no time to
	// try them all, the ones are listed that give the first wrong answer.
	Singles []Candidate
	// Pairs are the pairs that do, looked for only if no single deviation does.
	// A pair has no member that would do alone.
	Pairs []Candidate
	// PairsTried counts the pairs of which it is known whether they do.
	PairsTried int
	// RuledOut are the other deviations, by name, each with the first
	// operation at which it gives another answer than the recorded one.
	RuledOut map[string]Mismatch
	// Partial are the deviations that explain some of the wrong answers, the
	// best first, looked for only if no single deviation explains all. Each
	// leaves fewer answers unexplained than the rules do.
	Partial []Partial
	// Telling is a short history that tells candidates apart; nil if there is
	// only one, or if none was found.
	Telling *Distinction

	// Complete is true if everything was tried. Otherwise the time was up:
	// what is said above is true as far as it goes, but there may be more
	// candidates, and candidates may be wrong about later operations.
	Complete bool
}

// PairCount is the number of pairs of different deviations.
func PairCount() int {
	n := len(naive.Deviations())
	return n * (n - 1) / 2
}

// Mismatch is an answer that is not the recorded one.
type Mismatch struct {
	// Index is the operation's place in the entries, from 0.
	Index int
	// Recorded is the recorded answer, nil if only its hash was.
	Recorded []byte
	// Answer is the other one: that of the rules, or of a deviation.
	Answer []byte
}

// Candidate is what might have caused all the wrong answers.
type Candidate struct {
	// Deviations are one, or two in the order of their names.
	Deviations []naive.Deviation
	// Confirmed is how many operations, from the first on, have been tried: all
	// that were examined, if there was time.
	// Every answer recorded for them is the candidate's.
	Confirmed int
	// Explained is how many wrong answers are among them.
	Explained int
}

// Names are the names of the deviations.
func (c Candidate) Names() []string { return namesOf(c.Deviations) }

func namesOf(deviations []naive.Deviation) []string {
	names := make([]string, len(deviations))
	for i, d := range deviations {
		names[i] = d.Name
	}
	return names
}

// Partial is a deviation that gives some of the wrong answers, but also others
// than were recorded.
type Partial struct {
	Deviation naive.Deviation
	// Prefix is how many operations, from the first on, it gives every recorded
	// answer of.
	Prefix int
	// Examined is how many operations the next two are about.
	Examined int
	// Explained is how many wrong answers it gives as recorded, and Unexplained
	// how many recorded answers, wrong or not, it does not give.
	Explained, Unexplained int
}

// Distinction is a history for a fresh service to which candidates give
// different answers. No operation of it can be left out.
type Distinction struct {
	Events []events.Event
	// Required is what the rules require, to every operation.
	Required [][]byte
	// Groups are the candidates by their answers. There are at least two.
	Groups []Group
}

// Group are candidates that a history does not tell apart.
type Group struct {
	Candidates [][]string // each by its names
	Answers    [][]byte   // to every operation
}

// DiffersAt tells whether the groups differ in their answer to one operation.
func (d *Distinction) DiffersAt(i int) bool {
	return slices.ContainsFunc(d.Groups, func(g Group) bool { return !bytes.Equal(g.Answers[i], d.Groups[0].Answers[i]) })
}
