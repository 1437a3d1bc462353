package main

import (
	"io"
	"os"

	"github.com/leasekeeper/leasekeeper/cmd/leasekeeper/internal/transfer"
	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/internal/audit"
	"github.com/leasekeeper/leasekeeper/internal/diagnose"
)

// auditInput is an input that can be read more than once.
type auditInput struct {
	flags *rulesFlags
	name  string // as messages say it
	title string // as the history calls itself
	file  *os.File
	own   bool // the file is a copy of something that can be read once only
	size  int64
	text  *io.SectionReader // the file's content, up to a character that is cut in two
	how   transfer.Reading

	journal string // its file, "" if the input is none
	last    uint64 // the journal's last event when it was read first

	rules  events.Rules
	events uint64 // read, with those before a snapshot
	base   uint64 // the event before the first
	cut    error  // why nothing was read behind the last event; nil at the end
	unsure bool   // it was cut before it said by which rules it is to be judged
}

// open opens a journal, or anything that import takes.
func (f *auditFlags) open(name string) (*auditInput, error) {
	in := &auditInput{flags: &f.rules, name: inputName(name)}
	is, how, err := f.kindOf(name)
	if err != nil {
		return nil, err
	}
	if in.how = how; is {
		in.journal = name
		return in, nil
	}
	if in.file, in.size, err = openInput(name); err != nil {
		return nil, err
	}
	if in.size < 0 {
		if err := in.copy(); err != nil {
			return nil, err
		}
	}
	return in, in.trim()
}

// copy makes a file of an input that can be read once only, such as a pipe.
func (in *auditInput) copy() error {
	source := in.file
	defer source.Close()
	file, err := os.CreateTemp("", "leasekeeper-audit-*")
	if err != nil {
		return failure{err}
	}
	in.file, in.own = file, true
	if in.size, err = io.Copy(file, source); err != nil {
		in.close()
		return failure{err}
	}
	return nil
}

// close gives back what the input holds.
func (in *auditInput) close() {
	if in.file == nil {
		return
	}
	_ = in.file.Close()
	if in.own {
		_ = os.Remove(in.file.Name())
	}
}

// read reads the input from its beginning: it tells the state to begin at, and
// then every event. What an entry holds is valid until take returns.
func (in *auditInput) read(begin func(fsm.State), take func(*audit.Entry)) error {
	if in.journal != "" {
		return in.readJournal(begin, take)
	}
	source, err := in.source()
	if err != nil {
		return inputError(err)
	}
	defer source.Close() // what it has spooled
	if in.rules, err = in.flags.rules(in.name, source.Header()); err != nil {
		return err
	}
	in.title = source.title()
	start, err := fsm.New(in.rules)
	if err != nil {
		return err
	}
	begin(start)
	bar := newProgress(in.size)
	defer bar.finish()
	for in.events = 0; ; in.events++ {
		bar.at(source.Offset())
		item, err := source.Source.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			if in.endsWithin(err, source.Offset(), source.header.Exported || in.how.Program != nil) {
				in.cut = err
				return nil
			}
			return inputError(err)
		}
		event, err := source.event(in.rules, &item)
		if err != nil {
			return err
		}
		take(auditEntry(event, &item))
	}
}

// auditEntry is an item of an input, and its event, as an entry.
func auditEntry(event events.Event, item *transfer.Item) *audit.Entry {
	e := &audit.Entry{Entry: diagnose.Entry{Event: event, Recorded: item.Recorded}}
	if own := item.Own; own != nil {
		e.Digest = own.Hash
		if own.Fingerprint != nil {
			print := fsm.Fingerprint(*own.Fingerprint)
			e.Fingerprint = &print
		}
	}
	return e
}
