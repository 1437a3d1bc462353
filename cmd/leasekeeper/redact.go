package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/leasekeeper/leasekeeper/cmd/leasekeeper/internal/transfer"
	"github.com/leasekeeper/leasekeeper/cmd/leasekeeper/internal/view"
	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/internal/redact"
	"github.com/spf13/cobra"
)

func newRedact() *cobra.Command {
	var f redactFlags
	cmd := &cobra.Command{
		Use:   "redact FILE OUT {--names | --values}",
		Short: "Take the names out of a history, to show it to others",
		Long: `Redact writes a journal or a history anew, with pseudonyms in place of names: with
--names those of clients and locks, with --values keys and values. A name has the same
pseudonym wherever it stands, also in recorded answers. Locks keep their order. So OUT
is answered as FILE is, but for the names, and differs from its recorded answers where
FILE does; redact checks that, event by event, and writes nothing if it is not so.

Instants, ttls and tokens stay. Where a template counts ({i}), so do the numbers of
the names that it makes up. Operations that broke the contract are replaced by plain
ones that are refused alike. A journal gets another identity, and no snapshots.

FILE is read twice and must not be a pipe. OUT is of the same form. What stands for
what is written nowhere but to --key-file, as lines of JSON that only you may read.`,
		Example: `  leasekeeper redact night.journal public.journal --names --values
  leasekeeper redact audit.ndjson public.ndjson --names --key-file secret.ndjson`,
		Args: arguments(2, 2, "a FILE and the name of a file to be made"),
		RunE: func(_ *cobra.Command, args []string) error { return f.run(args[0], args[1]) },
	}
	f.rules.register(cmd)
	cmd.Flags().BoolVar(&f.what.Names, "names", false, "give pseudonyms to clients and locks")
	cmd.Flags().BoolVar(&f.what.Values, "values", false, "give pseudonyms to keys and values")
	cmd.Flags().StringVar(&f.keyFile, "key-file", "", "write what stands for what to this file")
	f.set = cmd.Flags().Changed
	return cmd
}

// redactFlags are the flags of redact.
type redactFlags struct {
	rules   rulesFlags
	what    redact.What
	keyFile string
	set     func(flag string) bool
}

func (f *redactFlags) run(name, target string) error {
	if f.what == (redact.What{}) {
		return errors.New("say what to take out: --names, --values or both")
	}
	targets := []string{target}
	if f.set("key-file") {
		if f.keyFile == "" || filepath.Clean(f.keyFile) == filepath.Clean(target) {
			return errors.New("--key-file takes the name of another file to be made")
		}
		targets = append(targets, f.keyFile)
	}
	for _, made := range targets {
		if err := transfer.Vacant(made); err != nil {
			return err
		}
	}
	source, err := f.open(name)
	if err != nil {
		return err
	}
	defer source.close()
	draft, err := transfer.NewDraft(target)
	if err != nil {
		return journalError(err)
	}
	defer draft.Discard()
	drafts := []*transfer.Draft{draft}
	r := redacting{flags: f, source: source, draft: draft}
	if f.set("key-file") {
		if r.keys, err = transfer.NewDraft(f.keyFile); err != nil {
			return journalError(err)
		}
		defer r.keys.Discard()
		drafts = append(drafts, r.keys)
	}
	defer discardWhenInterrupted(drafts...)()
	if err := r.run(); err != nil {
		return draft.Named(err)
	}
	if err := r.publish(); err != nil {
		return err
	}
	out := newOutput()
	report := newReport(out)
	report.Title(target + " · " + rulesText(source.rules()))
	report.Line("redacted", "%s", view.Count(r.events, "event", "events"))
	return flush(out, nil)
}

// redactSource is a history that is read twice, and where it is written anew.
type redactSource interface {
	rules() events.Rules
	// each passes on the events from the first one; io.EOF of the function ends
	// it.
	each(func(*redact.Item) error) error
	// create makes the place for as many events.
	create(path string) (redactTarget, error)
	close()
}

// redactTarget takes events.
type redactTarget interface {
	add(*redact.Item) error
	end() error   // of the events
	close() error // may be called after it
}

func (f *redactFlags) open(name string) (redactSource, error) {
	if name == "-" {
		return nil, errors.New("redact reads its input twice: give it a FILE")
	}
	is, err := isJournal(name)
	if err != nil {
		return nil, err
	}
	if is {
		return f.openRedactJournal(name)
	}
	return f.openRedactLog(name)
}

// redacting is one redaction.
type redacting struct {
	flags  *redactFlags
	source redactSource
	draft  *transfer.Draft
	keys   *transfer.Draft // of the key file, nil if there is to be none
	r      *redact.Redactor
	events uint64
}

func (r *redacting) run() (err error) {
	if r.r, err = redact.New(r.source.rules(), r.flags.what); err != nil {
		return err
	}
	collected := uint64(0)
	err = r.source.each(func(item *redact.Item) error {
		collected++
		r.r.Collect(item)
		return nil
	})
	if err != nil {
		return err
	}
	target, err := r.source.create(r.draft.Path())
	if err != nil {
		return err
	}
	defer func() {
		if closed := target.close(); err == nil && closed != nil {
			err = failure{closed}
		}
	}()
	err = r.source.each(func(item *redact.Item) error {
		if r.events == collected {
			return io.EOF // what has come meanwhile is for another time
		}
		r.events++
		changed, err := r.r.Redact(item)
		if err != nil {
			return err
		}
		return target.add(&changed)
	})
	if err != nil {
		return err
	}
	if r.events != collected {
		return redact.ErrChanged
	}
	return target.end()
}

// publish gives the files their names: the one with the pseudonyms only if the
// other one gets its own.
func (r *redacting) publish() error {
	if r.keys == nil {
		return journalError(r.draft.Named(r.draft.Publish()))
	}
	if err := r.writeKeys(r.keys.Path()); err != nil {
		return failure{r.keys.Named(err)}
	}
	if err := r.keys.Publish(); err != nil {
		return journalError(r.keys.Named(err))
	}
	if err := r.draft.Publish(); err != nil {
		_ = os.Remove(r.flags.keyFile)
		return journalError(r.draft.Named(err))
	}
	return nil
}

// writeKeys writes what stands for what, for nobody else to read.
func (r *redacting) writeKeys(path string) (err error) {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	encoder := json.NewEncoder(file)
	encoder.SetEscapeHTML(false)
	for pseudonym := range r.r.Mapping {
		if err := encoder.Encode(pseudonym); err != nil {
			return fmt.Errorf("writing the key file: %w", err)
		}
	}
	return file.Sync()
}
