package main

import (
	"bufio"
	"bytes"
	"errors"
	"os"

	"github.com/leasekeeper/leasekeeper/cmd/leasekeeper/internal/view"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/internal/draw"
	"github.com/leasekeeper/leasekeeper/projection"
)

// picture writes an SVG file.
func (f *timelineFlags) picture(history *retold, files *newFiles) error {
	board, err := f.board(history, draw.SVGCells, draw.MostSVGRows)
	if err != nil {
		return err
	}
	var svg bytes.Buffer
	if err := board.WriteSVG(&svg); err != nil {
		return err
	}
	files.write(f.svg, svg.Bytes())
	if err := files.publish(); err != nil {
		return err
	}
	out := newOutput()
	r := newReport(out)
	r.Line("picture", "%s", f.svg)
	if others := board.Choice.Others; others > 0 {
		r.Alarm("not shown", "%s; --most N shows more, --lock LOCK others", view.Count(others, "lock", "locks"))
	}
	return flush(out, nil)
}

// ending is a projection that is written out while it is folded.
type ending interface {
	projection.Projection
	Err() error
	Finish() (rows uint64, err error)
}

// through folds a history through what writes it, and gives up when that fails.
func through(history *retold, begin func(fsm.State) ending) (uint64, error) {
	var p ending
	history.failed = func() error { return p.Err() }
	err := history.fold(func(state fsm.State) projection.Projection {
		p = begin(state)
		return p
	})
	if err != nil {
		return 0, err
	}
	return p.Finish()
}

// trace writes a file for Perfetto, as it comes.
func (f *timelineFlags) trace(history *retold, files *newFiles) error {
	draft := files.drafts[f.perfetto]
	file, err := os.OpenFile(draft.Path(), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return failure{draft.Named(err)}
	}
	buffer := bufio.NewWriterSize(file, 1<<20)
	rows, err := through(history, func(state fsm.State) ending {
		return draw.NewTrace(buffer, state, history.rules, f.filter(), history.title)
	})
	if err == nil && rows == 0 {
		err = errNothing
	}
	if err == nil {
		err = buffer.Flush()
	}
	if err == nil {
		err = file.Sync()
	}
	if closed := file.Close(); err == nil {
		err = closed
	}
	var path *os.PathError
	if errors.As(err, &path) {
		return failure{draft.Named(err)}
	}
	if err != nil {
		return err
	}
	if err := files.publish(); err != nil {
		return err
	}
	out := newOutput()
	r := newReport(out)
	r.Line("trace", "%s", f.perfetto)
	r.Line("rows", "%d: leases, waits, renewals and writes", rows)
	return flush(out, nil)
}

// rows prints a line of JSON for each row.
func (f *timelineFlags) rows(history *retold, out *bufio.Writer) error {
	lost := &remembering{Writer: visibly{out, forTerminals()}}
	_, err := through(history, func(state fsm.State) ending { return draw.NewRows(lost, state, f.filter()) })
	if lost.err != nil {
		return outputError(lost.err)
	}
	return err
}
