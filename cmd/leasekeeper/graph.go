package main

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/leasekeeper/leasekeeper/cmd/leasekeeper/internal/view"
	"github.com/leasekeeper/leasekeeper/internal/explain"
	"github.com/leasekeeper/leasekeeper/internal/explain/waitgraph"
	"github.com/spf13/cobra"
)

func newGraph() *cobra.Command {
	var f graphFlags
	cmd := &cobra.Command{
		Use:   "graph FILE|-",
		Short: "Show who waited for whom, as text, for Graphviz, or as a picture",
		Long: fmt.Sprintf(`Graph shows the wait-for graph (R16) at the end of a journal or of a history, at the
instant --at TS, or after the event --until SEQ. --op SEQ shows the same as --until, but
of an acquire for which somebody was aborted, the graph as it stood before the aborts, with the cycle and its
victims marked; of a repeat, that of its first run for which somebody was.

An edge leads to the one directly ahead in the queue, and from the head of the queue to
the holders. The other edges of R16 follow from these and are only counted.

--svg needs no Graphviz. A picture has at most %d clients, the victims and the longest
queues first, and says how many it leaves out; text and --dot leave nothing out.`, waitgraph.MostDrawn),
		Example: `  leasekeeper graph docs/incidents/inc-5127.json --at 12
  leasekeeper graph night.journal --op 31337 --svg cycle.svg`,
		Args: arguments(1, 1, "one FILE, or - for standard input"),
		RunE: func(_ *cobra.Command, args []string) error { return f.run(args[0]) },
	}
	f.look.register(cmd)
	addFlag(cmd, &f.op, "op", "SEQ", "after this event, or before the aborts that it brought", parseSequence)
	addFlag(cmd, &f.until, "until", "SEQ", "after this event and its aborts", parseSequence)
	addFlag(cmd, &f.at, "at", "TS", "at this instant, in ticks of the clock", parseInstant)
	cmd.Flags().BoolVar(&f.dot, "dot", false, "print it for Graphviz")
	cmd.Flags().StringVar(&f.svg, "svg", "", "write a picture to this new `FILE`")
	cmd.MarkFlagsMutuallyExclusive("op", "until", "at")
	cmd.MarkFlagsMutuallyExclusive("dot", "svg", "json")
	f.set = cmd.Flags().Changed
	return cmd
}

// graphFlags are the flags of graph.
type graphFlags struct {
	look      lookFlags
	op, until uint64
	at        int64
	dot       bool
	svg       string
	set       func(flag string) bool
}

// span is up to where a history has to be read.
func (f *graphFlags) span() *spanFlags {
	span := &spanFlags{until: f.until, at: f.at, set: f.set}
	if f.set("op") {
		span.until, span.set = f.op, func(flag string) bool { return flag == "until" }
	}
	return span
}

func (f *graphFlags) run(name string) error {
	if f.set("svg") && f.svg == "" {
		return errors.New("--svg takes the name of a file")
	}
	if f.set("op") && f.op == 0 {
		return errNoEvent
	}
	files, err := draftFiles(f.svg)
	if err != nil {
		return err
	}
	defer files.discard()
	return f.look.look(name, f.span(), func(source explain.Source, _ explain.Options) error {
		graph, title, err := f.graph(source)
		if err != nil {
			return err
		}
		switch {
		case f.set("svg"):
			return f.draw(files, graph, inputName(name)+" · "+title)
		case f.look.asJSON:
			return printJSON(graph)
		}
		out := newOutput()
		if f.dot {
			return flush(out, outputError(graph.WriteDOT(out)))
		}
		r := newReport(out)
		r.Title("wait-for graph · " + title)
		showGraph(r, graph)
		return flush(out, nil)
	})
}

// graph is the graph that was asked for, and what it is in words.
func (f *graphFlags) graph(source explain.Source) (*waitgraph.Graph, string, error) {
	if !f.set("op") {
		span := f.span()
		state, err := explain.State(source, placeOf(span))
		if err != nil {
			return nil, "", err
		}
		return waitgraph.Of(state), standing(state), nil
	}
	closed, after, err := explain.Closing(source, f.op)
	switch {
	case err != nil:
		return nil, "", err
	case closed == nil:
		return waitgraph.Of(after), standing(after), nil
	}
	title := fmt.Sprintf("at %d · in event %d, before its aborts", closed.Acquire.At, f.op)
	if closed.Run >= 0 {
		title = fmt.Sprintf("at %d · in run %d of event %d, before its aborts", closed.Acquire.At, closed.Run, f.op)
	}
	return waitgraph.Closing(closed.Before, closed.Acquire, closed.Victims), title, nil
}

// draw writes the picture.
func (f *graphFlags) draw(files *newFiles, graph *waitgraph.Graph, title string) error {
	var picture bytes.Buffer
	if err := graph.WriteSVG(&picture, title); err != nil {
		return err
	}
	files.write(f.svg, picture.Bytes())
	if err := files.publish(); err != nil {
		return err
	}
	out := newOutput()
	r := newReport(out)
	r.Line("picture", "%s", f.svg)
	if missing := graph.Part(waitgraph.MostDrawn).MissingNodes; missing > 0 {
		r.Alarm("left out", "%s", view.Count(int64(missing), "client", "clients"))
	}
	return flush(out, nil)
}

// showGraph prints a sentence for each edge, and the victims.
func showGraph(r *view.Report, g *waitgraph.Graph) {
	if len(g.Edges) == 0 {
		r.Line("edges", "none: nobody waits")
		return
	}
	label := "edges"
	for i := range g.Edges {
		r.Line(label, "%s", g.Edges[i].Sentence())
		label = ""
	}
	r.Line("all", "%s of R16", view.Count(g.All, "edge", "edges"))
	victims := map[int]*waitgraph.Node{}
	for i := range g.Nodes {
		victims[g.Nodes[i].Victim] = &g.Nodes[i]
	}
	label = "victims"
	for i := 1; victims[i] != nil; i++ {
		age := fmt.Sprintf("age %d", victims[i].Age)
		if victims[i].Age == 0 {
			age = "not registered" // before its own acquire
		}
		r.Alarm(label, "%d  %s, %s", i, view.Name(victims[i].Client), age)
		label = ""
	}
}
