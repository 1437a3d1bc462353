package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"

	"github.com/leasekeeper/leasekeeper"
	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/internal/oplog"
	"github.com/spf13/cobra"
)

// What one commit of run may hold at most; it holds less where the input has
// to be waited for.
const (
	batchEvents = 4096
	batchBytes  = 1 << 20
)

// journalFlags are the flags of commands that write a journal.
type journalFlags struct {
	file          string
	snapshotEvery int64
	keep          int64
	set           func(flag string) bool
}

func (f *journalFlags) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.file, "journal", "", "go on with this journal, or create it")
	f.snapshotEvery = 1_000_000
	addFlag(cmd, &f.snapshotEvery, "snapshot-every", "N", "take a snapshot after so many events, 0 for never", parseAtLeast(0))
	f.registerKeep(cmd)
	f.set = cmd.Flags().Changed
}

// none refuses flags that say nothing without a journal.
func (f *journalFlags) none() error {
	if f.set("journal") {
		return errors.New("--journal needs the name of a file")
	}
	for _, flag := range []string{"snapshot-every", "keep"} {
		if f.set(flag) {
			return fmt.Errorf("--%s needs --journal FILE", flag)
		}
	}
	return nil
}

func (f *journalFlags) registerKeep(cmd *cobra.Command) {
	f.keep = 2
	addFlag(cmd, &f.keep, "keep", "N", "how many of the newest snapshots are kept", parseAtLeast(1))
}

// open opens the journal for writing. If there is none, it is created with the
// rules.
func (f *journalFlags) open(rules events.Rules) (*leasekeeper.Keeper, error) {
	options := leasekeeper.Options{SnapshotEvery: f.snapshotEvery, KeepSnapshots: int(min(f.keep, math.MaxInt)), Warn: warn}
	if f.snapshotEvery <= 0 {
		options.SnapshotEvery, options.SnapshotBytes = -1, -1
	}
	exists, err := f.exists()
	if err != nil {
		return nil, err
	}
	if !exists {
		options.Rules = rules
	}
	k, err := leasekeeper.Open(f.file, options)
	return k, journalError(named(f.file, err))
}

// exists tells whether there is a journal. Another file is an error.
func (f *journalFlags) exists() (bool, error) {
	if _, err := os.Lstat(f.file); errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return true, mustBeJournal(f.file)
}

// durable answers the operations of a history by a journal. It gathers
// operations as long as there are some to be had without waiting, and prints
// their answers once they are durable.
type durable struct {
	keeper *leasekeeper.Keeper // nil until the journal is open
	out    *bufio.Writer
	safe   func([]byte) []byte
	frame  framing

	batch []events.Event
	bytes int64 // of its operations, as they were given
	done  int64 // events that are durable
	text  []byte
	err   error // of a commit
}

// runDurable prints the answers to a history, each once its event is in the
// journal.
func runDurable(name string, flags *rulesFlags, file *journalFlags, out *bufio.Writer) (err error) {
	if _, err := file.exists(); err != nil {
		return err // before an input is waited for
	}
	d := &durable{out: out, safe: forTerminals(), frame: asArray}
	h, err := flags.openHistory(name, d.commit)
	if err != nil {
		return err
	}
	defer h.close()
	if h.Header().Form == oplog.Lines {
		d.frame = asLines
	}
	if d.keeper, err = file.open(h.rules); err != nil {
		return err
	}
	defer func() {
		if closed := d.keeper.Close(); closed != nil && err == nil {
			err = failure{closed}
		}
	}()
	if h.rules, err = pinned(d.keeper.Rules(), file.file, h, flags); err != nil {
		return err
	}
	if err := d.run(h); err != nil {
		return err
	}
	if file.snapshotEvery > 0 && d.done >= file.snapshotEvery {
		return journalError(d.keeper.Snapshot(context.Background()))
	}
	return nil
}

// pinned is by which rules the journal goes on: its own. Neither a flag nor
// the history may say something else.
func pinned(rules events.Rules, journal string, h *history, flags *rulesFlags) (events.Rules, error) {
	if err := flags.agree(journal, rules); err != nil {
		return rules, err
	}
	if edition := h.Header().Edition; edition != 0 && edition != rules.Edition {
		return rules, fmt.Errorf("%s is of edition %d, but %s of edition %d", h.name, edition, journal, rules.Edition)
	}
	if unit := h.Header().Unit; unit != 0 && unit != rules.Unit {
		return rules, fmt.Errorf("%s counts in %ss, but %s in %ss", h.name, unit, journal, rules.Unit)
	}
	return rules, nil
}

// run carries out all operations. What came before one that is at fault is
// carried out.
func (d *durable) run(h *history) error {
	for {
		entry, event, err := h.next()
		if err != nil {
			return d.end(err)
		}
		d.batch = append(d.batch, event)
		d.bytes += int64(len(entry.Operation))
		if len(d.batch) == batchEvents || d.bytes >= batchBytes {
			if err := d.carryOut(); err != nil {
				return err
			}
		}
	}
}

// end carries out what has been gathered when the input has ended, for
// whatever reason.
func (d *durable) end(reason error) error {
	if err := d.carryOut(); err != nil {
		return err
	}
	if reason != io.EOF {
		return reason
	}
	end := d.frame.end
	if d.done == 0 {
		end = d.frame.none
	}
	_, err := d.out.WriteString(end)
	return outputError(err)
}

// commit carries out what has been gathered and gives out the answers, before
// more input is waited for.
func (d *durable) commit() error {
	if err := d.carryOut(); err != nil {
		return err
	}
	return flushing(d.out)()
}

// carryOut makes the gathered operations durable and prints their answers.
// After an error it does nothing but return it.
func (d *durable) carryOut() error {
	if d.err != nil || len(d.batch) == 0 {
		return d.err
	}
	results, err := d.keeper.DoAll(context.Background(), d.batch...)
	if err != nil {
		d.err = journalError(err)
		return d.err
	}
	for _, result := range results {
		before := d.frame.between
		if d.done == 0 {
			before = d.frame.open
		}
		d.done++
		d.text = result.Answer.AppendJSON(append(d.text[:0], before...))
		d.text = append(d.text, d.frame.behind...)
		if _, err := d.out.Write(d.safe(d.text)); err != nil {
			d.err = outputError(err)
			return d.err
		}
	}
	clear(d.batch)
	d.batch, d.bytes = d.batch[:0], 0
	return nil
}
