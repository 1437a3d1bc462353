package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/leasekeeper/leasekeeper/cmd/leasekeeper/internal/transfer"
	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/internal/diagnose"
	"github.com/leasekeeper/leasekeeper/journal"
)

// answers are the operations of an input, with the answers recorded for them.
type answers struct {
	name    string
	title   string // the input, as the history calls itself
	rules   events.Rules
	entries []diagnose.Entry
	known   map[string][]byte // answers that come again and again
}

// loadAnswers reads all of an input: a journal, or anything that import takes.
func (f *recordedFlags) loadAnswers(name string) (*answers, error) {
	is, how, err := f.kindOf(name)
	if err != nil {
		return nil, err
	}
	if is {
		return f.rules.answersOfJournal(name)
	}
	return f.rules.answersOfHistory(name, how)
}

func (f *rulesFlags) answersOfHistory(name string, how transfer.Reading) (*answers, error) {
	file, size, err := openInput(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	source, err := readEntries(inputName(name), file, how)
	if err != nil {
		return nil, inputError(err)
	}
	defer source.Close() // what it has spooled
	a := &answers{name: source.name, title: source.title(), known: map[string][]byte{}}
	if a.rules, err = f.rules(a.name, source.Header()); err != nil {
		return nil, err
	}
	bar := newProgress(size)
	defer bar.finish()
	for {
		bar.at(source.Offset())
		item, err := source.Source.Next()
		if err == io.EOF {
			return a, nil
		}
		if err != nil {
			return nil, inputError(err)
		}
		event, err := source.event(a.rules, &item)
		if err != nil {
			return nil, err
		}
		a.add(event, &item)
	}
}

// add takes one item of an input.
func (a *answers) add(event events.Event, item *transfer.Item) {
	e := diagnose.Entry{Event: event}
	if item.Recorded != nil {
		e.Recorded = a.keep(item.Recorded)
	}
	if item.Own != nil {
		e.Digest = item.Own.Hash
	}
	a.entries = append(a.entries, e)
}

// Answers of up to shortAnswer bytes, such as "ok", are kept once only, if they
// are among the first mostKnown.
const (
	shortAnswer = 64
	mostKnown   = 1 << 16
)

// keep returns a copy of a JSON text in its compact form.
func (a *answers) keep(text []byte) []byte {
	if bytes.ContainsAny(text, " \t\r\n") {
		var compact bytes.Buffer
		_ = json.Compact(&compact, text) // the source has seen that it is JSON
		text = compact.Bytes()
	}
	if kept, ok := a.known[string(text)]; ok {
		return kept
	}
	kept := slices.Clone(text)
	if len(kept) <= shortAnswer && len(a.known) < mostKnown {
		a.known[string(kept)] = kept
	}
	return kept
}

func (f *rulesFlags) answersOfJournal(name string) (*answers, error) {
	j, err := openJournal(name)
	if err != nil {
		return nil, err
	}
	defer j.Close()
	genesis := j.Genesis()
	if err := f.agree(name, genesis.Rules); err != nil {
		return nil, err
	}
	if base := genesis.Base.Sequence; base > 0 {
		return nil, fmt.Errorf("%s begins after event %d, and a diagnosis with a fresh service: take its archive", name, base)
	}
	a := &answers{name: name, title: name, rules: genesis.Rules, known: map[string][]byte{}}
	bar := newCount(int64(j.Last()))
	defer bar.finish()
	for record, err := range j.Scan(0, 0) {
		if err != nil {
			return nil, journalError(named(name, err))
		}
		bar.at(int64(record.Sequence))
		if err := a.addRecord(&record); err != nil {
			return nil, fmt.Errorf("%s: event %d: %w", name, record.Sequence, err)
		}
	}
	return a, nil
}

// addRecord takes one record of a journal.
func (a *answers) addRecord(record *journal.Record) error {
	event, err := events.Decode(record.Event)
	if err != nil {
		return err
	}
	e := diagnose.Entry{Event: event}
	if text, ok := record.Answer.JSON(); ok {
		e.Recorded = a.keep(text)
	} else {
		hash := record.Answer.Hash()
		e.Digest = &hash
	}
	a.entries = append(a.entries, e)
	return nil
}
