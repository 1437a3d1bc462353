package conformance

import (
	"bytes"
	"encoding/json"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/history"
	"github.com/leasekeeper/leasekeeper/internal/oplog"
)

// Tell is the story of what a program did with a history: the required answers, the
// given ones where they are known, and no answers where none came any more.
func Tell(h history.History, v Verdict) history.Story {
	story := history.Story{History: h}
	state, err := fsm.New(h.Rules)
	if err != nil {
		return story
	}
	answered := len(h.Events)
	switch v := v.(type) {
	case WrongAnswer:
		answered = v.Sequence
		for i := range min(len(v.Answers), answered) {
			story.Given = append(story.Given, readAnswer(v.Answers[i]))
		}
	case Crash:
		answered = v.Answered
	case Hang:
		answered = v.Answered
	case Garbage:
		answered = v.Answered
	case WrongCount:
		answered = min(answered, v.Given)
	}
	machine := fsm.NewMachine(state)
	for _, event := range h.Events[:min(answered, len(h.Events))] {
		story.Required = append(story.Required, machine.Apply(event).Answer)
	}
	return story
}

// foreign is an answer that no service of ours gives. Of the answer that it embeds
// nothing is used.
type foreign struct {
	events.Answer
	text []byte
}

// AppendJSON implements events.Answer.
func (a foreign) AppendJSON(dst []byte) []byte { return append(dst, a.text...) }

// readAnswer reads an answer back, as far as it is one that could be given.
func readAnswer(text []byte) events.Answer {
	var answer events.Answer
	switch text[0] {
	case '"', 'n':
		answer = readText(text)
	case '[':
		answer = readList(text)
	case '{':
		answer = readView(text)
	}
	if answer != nil && oplog.SameAnswer(answer.AppendJSON(nil), text) {
		return answer
	}
	return foreign{text: text}
}

func readText(text []byte) events.Answer {
	for done := events.Released; done <= events.Accepted; done++ {
		if bytes.Equal(done.AppendJSON(nil), text) {
			return done
		}
	}
	for refusal := events.UnknownOperation; refusal <= events.StaleToken; refusal++ {
		if bytes.Equal(refusal.AppendJSON(nil), text) {
			return refusal
		}
	}
	var value *string
	if json.Unmarshal(text, &value) != nil {
		return nil
	}
	if value == nil {
		return events.Value{}
	}
	return events.Value{Text: *value, Found: true}
}

func readList(text []byte) events.Answer {
	var name string
	var a, b int64
	var victims []string
	if read(text, &name, &victims) && name == "deadlock" {
		return events.Deadlock{Victims: victims}
	}
	if read(text, &name, &a) && name == "renewed" {
		return events.Renewed{ExpiresAt: a}
	}
	victims = nil
	if (read(text, &name, &a) || read(text, &name, &a, &victims)) && name == "queued" {
		return events.Queued{Position: int(a), Victims: victims}
	}
	if (read(text, &name, &a, &b) || read(text, &name, &a, &b, &victims)) && name == "granted" {
		return events.Granted{Token: a, ExpiresAt: b, Victims: victims}
	}
	return nil
}

// read reads the elements of a list into variables, one each.
func read(text []byte, into ...any) bool {
	var elements []json.RawMessage
	if json.Unmarshal(text, &elements) != nil || len(elements) != len(into) {
		return false
	}
	for i, element := range elements {
		if json.Unmarshal(element, into[i]) != nil {
			return false
		}
	}
	return true
}
