package redact

import (
	"cmp"
	"slices"

	"github.com/leasekeeper/leasekeeper/events"
)

// words are texts of the contract that a tally counts by beside values (R27):
// as values they stay what they are, or the counts would part or meet.
var words = map[string]bool{"other": true, "aborted": true}

// isWord tells whether a text is one of the contract's: as an answer it says
// nothing about anybody.
func isWord(text string) bool {
	if words[text] {
		return true
	}
	for r := events.UnknownOperation; r <= events.StaleToken; r++ {
		if text == r.String() {
			return true
		}
	}
	return false
}

// answer is an answer by the rules with its names replaced.
func (n *names) answer(a events.Answer) events.Answer {
	switch a := a.(type) {
	case events.Granted:
		a.Victims = n.clients(a.Victims)
		return a
	case events.Queued:
		a.Victims = n.clients(a.Victims)
		return a
	case events.Deadlock:
		a.Victims = n.clients(a.Victims)
		return a
	case events.Value:
		if a.Found {
			a.Text = n.value.pseudonym(a.Text)
		}
		return a
	case events.LockView:
		a.Holders, a.Queue = slices.Clone(a.Holders), slices.Clone(a.Queue)
		for i := range a.Holders {
			a.Holders[i].Client = n.client.pseudonym(a.Holders[i].Client)
		}
		for i := range a.Queue {
			a.Queue[i].Client = n.client.pseudonym(a.Queue[i].Client)
		}
		return a
	case events.ClientView:
		a.Holds = slices.Clone(a.Holds)
		for i := range a.Holds {
			a.Holds[i].Lock = n.lock.pseudonym(a.Holds[i].Lock)
		}
		if a.Waiting != "" {
			a.Waiting = n.lock.pseudonym(a.Waiting)
		}
		return a
	}
	return a
}

// tally is a repeat's answer with its names replaced. Only reads are counted by
// something that has one.
func (n *names) tally(a events.Tally, template string) events.Tally {
	if operationOf(template) != "read" {
		return a
	}
	a.Results = slices.Clone(a.Results)
	for i := range a.Results {
		a.Results[i].Answer = n.value.pseudonym(a.Results[i].Answer)
	}
	slices.SortFunc(a.Results, func(a, b events.Count) int { return cmp.Compare(a.Answer, b.Answer) })
	return a
}

func (n *names) clients(list []string) []string {
	list = slices.Clone(list)
	for i := range list {
		list[i] = n.client.pseudonym(list[i])
	}
	return list
}
