package main

import (
	"errors"
	"fmt"

	"github.com/leasekeeper/leasekeeper/cmd/leasekeeper/internal/view"
	"github.com/leasekeeper/leasekeeper/internal/explain"
	"github.com/spf13/cobra"
)

func newExplain() *cobra.Command {
	var f explainFlags
	cmd := &cobra.Command{
		Use:   "explain FILE|- {--op SEQ | --lock LOCK | --client CLIENT}",
		Short: "Say why an operation got its answer, or why a lock or a client stood as it did",
		Long: `Explain says in sentences why the operation of event SEQ got its answer: who held the
lock and since when, who stood ahead, when and how a lease was lost and who got it,
whose token it was, which cycle was closed and who had to go. (#12) is event 12, and
R3 is rule 3 of docs/rules.md.

With --lock or --client it says how that stood, and why, at the instant --at TS, or at
the end. The instant may lie between two events.

Of a journal, it begins at the nearest snapshot. To say since when something is so, it
looks back over up to --back events more, whole stretches between two snapshots at a
time, and otherwise says before which event.

Where the history records another answer than the rules give, both are said, and the
exit code is 1.`,
		Example: `  leasekeeper explain docs/incidents/inc-5127.json --op 7
  leasekeeper explain docs/incidents/inc-5127.json --lock exports/daily --at 52
  leasekeeper explain night.journal --client etl-b --at 4711 --json`,
		Args: arguments(1, 1, "one FILE, or - for standard input"),
		RunE: func(_ *cobra.Command, args []string) error { return f.run(args[0]) },
	}
	f.look.register(cmd)
	f.look.registerMost(cmd)
	f.look.registerBack(cmd)
	addFlag(cmd, &f.op, "op", "SEQ", "explain the operation of this event", parseSequence)
	cmd.Flags().StringVar(&f.lock, "lock", "", "explain how this lock stood")
	cmd.Flags().StringVar(&f.client, "client", "", "explain how this client stood")
	addFlag(cmd, &f.at, "at", "TS", "of a lock or a client: at this instant, in ticks of the clock (default the end)", parseInstant)
	cmd.MarkFlagsMutuallyExclusive("op", "lock", "client")
	cmd.MarkFlagsMutuallyExclusive("op", "at")
	f.set = cmd.Flags().Changed
	return cmd
}

// errNoEvent is what --op 0 asks for.
var errNoEvent = errors.New("events are numbered from 1; there is no event 0")

// explainFlags are the flags of explain.
type explainFlags struct {
	look         lookFlags
	op           uint64
	lock, client string
	at           int64
	set          func(flag string) bool
}

func (f *explainFlags) run(name string) error {
	if !f.set("op") && !f.set("lock") && !f.set("client") {
		return errors.New("say what to explain: --op N, --lock LOCK or --client CLIENT")
	}
	f.look.silent = f.set("op")
	if f.set("op") && f.op == 0 {
		return errNoEvent
	}
	return f.look.look(name, f.span(), func(source explain.Source, options explain.Options) error {
		account, err := f.explain(source, options)
		if err != nil {
			return err
		}
		if err := f.print(inputName(name), account); err != nil || !account.Differs {
			return err
		}
		return errDiffers
	})
}

// span is up to where a history has to be read.
func (f *explainFlags) span() *spanFlags {
	return &spanFlags{until: f.op, at: f.at, set: func(flag string) bool {
		return flag == "until" && f.set("op") || flag == "at" && f.set("at")
	}}
}

func (f *explainFlags) explain(source explain.Source, options explain.Options) (*explain.Account, error) {
	var where explain.Place
	if f.set("at") {
		where.At = &f.at
	}
	switch {
	case f.set("op"):
		return explain.Event(source, f.op, options)
	case f.set("lock"):
		return explain.LockAt(source, f.lock, where, options)
	}
	return explain.ClientAt(source, f.client, where, options)
}

func (f *explainFlags) print(name string, account *explain.Account) error {
	if f.look.asJSON {
		return printJSON(account)
	}
	out := newOutput()
	r := newReport(out)
	switch {
	case f.set("op"):
		r.Title(fmt.Sprintf("%s · event %d", name, f.op))
	case f.set("lock"):
		r.Title(name + " · lock " + view.Name(f.lock))
	default:
		r.Title(name + " · client " + view.Name(f.client))
	}
	printSentences(r, account.Texts())
	return flush(out, nil)
}
