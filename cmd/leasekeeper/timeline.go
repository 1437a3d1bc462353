package main

import (
	"errors"
	"fmt"
	"math"

	"github.com/leasekeeper/leasekeeper/cmd/leasekeeper/internal/view"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/internal/draw"
	"github.com/leasekeeper/leasekeeper/projection"
	"github.com/spf13/cobra"
)

func newTimeline() *cobra.Command {
	f := timelineFlags{most: 10}
	cmd := &cobra.Command{
		Use:   "timeline FILE|-",
		Short: "Draw who held and waited for which lock when, as text, picture or trace",
		Long: `Timeline draws a journal or a history along its time, with a lane for each lock: the
leases with their clients and fencing tokens, how they began and ended, who waited, and
the writes that were accepted, refused, or accepted although they came late.

Shown are the busiest locks (--most N), or only those that --lock names, of all time or from
an instant --from on, up to, not including, --to. What began before or goes on after is
drawn with an arrow. Where too much happened for the room there is, the drawing counts
instead, and says so. An instant --to after the last event lets leases lapse that end by
then.

--client draws only the leases, waits, renewals and writes of these clients. A late write
has no client: its token is of no lease in force.

--svg writes a picture, and --perfetto a trace, to be opened with ui.perfetto.dev. --json
prints each lease, wait, renewal and write as a line of JSON. Trace and JSON have all locks
and leave nothing out.`,
		Example: `  leasekeeper timeline docs/incidents/inc-5127.json
  leasekeeper timeline night.journal --lock exports/daily --from 3600 --to 7200 --svg night.svg`,
		Args: arguments(1, 1, "one FILE, or - for standard input"),
		RunE: func(_ *cobra.Command, args []string) error { return f.run(args[0]) },
	}
	f.rules.register(cmd)
	flags := cmd.Flags()
	flags.StringArrayVar(&f.locks, "lock", nil, "only this `LOCK`; may be repeated")
	flags.StringArrayVar(&f.clients, "client", nil, "only this `CLIENT`; may be repeated")
	addFlag(cmd, &f.from, "from", "TS", "from this instant on, in ticks of the clock", parseInstant)
	addFlag(cmd, &f.to, "to", "TS", "up to, not including, this instant", parseInstant)
	addFlag(cmd, &f.most, "most", "N", "draw at most so many locks", parseAtLeast(1))
	addFlag(cmd, &f.width, "width", "N", "columns of the text (default: those of the terminal, or 100)", parseWidth)
	flags.BoolVar(&f.ascii, "ascii", false, "draw the text with ASCII alone")
	flags.BoolVar(&f.asJSON, "json", false, "print each row as a line of JSON")
	flags.StringVar(&f.svg, "svg", "", "write a picture to this new `FILE`")
	flags.StringVar(&f.perfetto, "perfetto", "", "write a trace for ui.perfetto.dev to this new `FILE`")
	cmd.MarkFlagsMutuallyExclusive("json", "svg", "perfetto", "ascii")
	cmd.MarkFlagsMutuallyExclusive("json", "svg", "perfetto", "width")
	cmd.MarkFlagsMutuallyExclusive("json", "most")
	cmd.MarkFlagsMutuallyExclusive("perfetto", "most")
	f.set = flags.Changed
	return cmd
}

// timelineFlags are the flags of timeline.
type timelineFlags struct {
	rules          rulesFlags
	locks, clients []string
	from, to       int64
	most, width    int64
	ascii, asJSON  bool
	svg, perfetto  string
	set            func(flag string) bool
}

// filter is which rows are wanted.
func (f *timelineFlags) filter() projection.Filter {
	filter := projection.Filter{Locks: f.locks, Clients: f.clients}
	if f.set("from") || f.set("to") {
		filter.From, filter.To = math.MinInt64, math.MaxInt64
		if f.set("from") {
			filter.From = f.from
		}
		if f.set("to") {
			filter.To = f.to
		}
	}
	return filter
}

func (f *timelineFlags) check() error {
	for flag, value := range map[string]string{"svg": f.svg, "perfetto": f.perfetto} {
		if f.set(flag) && value == "" {
			return fmt.Errorf("--%s takes the name of a file", flag)
		}
	}
	if f.set("from") && f.set("to") && f.from >= f.to {
		return fmt.Errorf("--from %d does not lie before --to %d", f.from, f.to)
	}
	return nil
}

func (f *timelineFlags) run(name string) error {
	if err := f.check(); err != nil {
		return err
	}
	files, err := draftFiles(f.svg, f.perfetto)
	if err != nil {
		return err
	}
	defer files.discard()
	history, err := f.rules.retell(name)
	if err != nil {
		return err
	}
	defer history.past.close()
	history.end, history.ends = f.to, f.set("to")
	switch {
	case f.set("svg"):
		return f.picture(history, files)
	case f.set("perfetto"):
		return f.trace(history, files)
	}
	out := newOutput()
	if f.asJSON {
		return flush(out, f.rows(history, out))
	}
	return flush(out, f.text(history, out))
}

// errNothing says that there is nothing to draw.
var errNothing = errors.New("nobody held or waited for a lock, and nothing was written, in what was asked for")

// board folds a history twice: to see what there is, and to keep what is drawn.
func (f *timelineFlags) board(history *retold, cells, most int) (*draw.Board, error) {
	filter := f.filter()
	var survey *draw.Survey
	err := history.fold(func(state fsm.State) projection.Projection {
		survey = draw.NewSurvey(state, filter)
		return survey
	})
	if err != nil {
		return nil, err
	}
	survey.Finish()
	span, any := survey.Span()
	if !any {
		return nil, errNothing
	}
	if f.set("from") {
		span.From = f.from
	}
	if f.set("to") {
		span.To = f.to
	}
	f.missed(survey)
	plan := draw.Plan{
		Title: history.title, Rules: history.rules, Filter: filter, Span: span.Proper(),
		Choice: survey.Busiest(f.mostLocks()), Cells: cells, Most: most,
	}
	var board *draw.Board
	err = history.fold(func(state fsm.State) projection.Projection {
		board = draw.NewBoard(state, plan)
		return board
	})
	if err != nil {
		return nil, err
	}
	board.Finish()
	return board, nil
}

// mostLocks is how many locks are drawn at most: all that were named, unless the
// caller says otherwise.
func (f *timelineFlags) mostLocks() int {
	most := int(min(f.most, math.MaxInt32))
	if !f.set("most") {
		most = max(most, len(f.locks))
	}
	return most
}

// missed warns of locks that were named, and of which there is nothing.
func (f *timelineFlags) missed(survey *draw.Survey) {
	for _, lock := range f.locks {
		if survey.Load(lock) == (draw.Load{}) {
			warn(fmt.Errorf("there is nothing of the lock %s to draw", view.Name(lock)))
		}
	}
}

// parseWidth parses how many columns a text has.
func parseWidth(text string) (int64, error) {
	n, err := parseInstant(text)
	if err != nil || n < draw.LeastWidth || n > draw.MostWidth {
		return 0, fmt.Errorf("this is not a number from %d to %d", draw.LeastWidth, draw.MostWidth)
	}
	return n, nil
}
