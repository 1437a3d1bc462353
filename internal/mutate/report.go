package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
)

// report is what came of a run.
type report struct {
	trials  []trial
	tally   map[string]map[string]int // by file, then by column
	timeout []*mutant
	missed  []*mutant // survived and are not listed
	refuted []*mutant // listed and killed
	gone    []string  // listed, and no mutant has that name
}

// judge compares the trials with the list of equivalent mutants.
func judge(trials []trial, all []*mutant, known map[string]string) *report {
	r := &report{trials: trials, tally: map[string]map[string]int{}}
	for _, t := range trials {
		_, listed := known[t.id]
		column := t.by
		switch {
		case t.verdict == survived && listed:
			column = "equivalent"
		case t.verdict == survived:
			column = "survived"
			r.missed = append(r.missed, t.mutant)
		case listed:
			r.refuted = append(r.refuted, t.mutant)
		case t.verdict == timedOut:
			column = "time"
			r.timeout = append(r.timeout, t.mutant)
		}
		for _, file := range []string{t.file.path, "all"} {
			if r.tally[file] == nil {
				r.tally[file] = map[string]int{}
			}
			r.tally[file][column]++
			r.tally[file]["mutants"]++
		}
	}
	exists := map[string]bool{}
	for _, m := range all {
		exists[m.id] = true
	}
	for _, id := range slices.Sorted(maps.Keys(known)) {
		if !exists[id] {
			r.gone = append(r.gone, id)
		}
	}
	return r
}

func (r *report) good() bool { return len(r.missed)+len(r.refuted)+len(r.gone) == 0 }

func (r *report) print(w io.Writer, s *source, all int) {
	show := func(title string, list []*mutant) {
		if len(list) > 0 {
			fmt.Fprintf(w, "%s:\n", title)
		}
		for _, m := range list {
			fmt.Fprintf(w, "  %s:%d %s\n    %s\n", m.file.path, m.line, m.operator, m.id)
		}
	}
	show("killed by the end of their time", r.timeout)
	show("SURVIVED", r.missed)
	show("LISTED as equivalent, and killed", r.refuted)
	for _, id := range r.gone {
		fmt.Fprintf(w, "LISTED as equivalent, and gone: %s\n", id)
	}
	columns := []string{"mutants"}
	for _, suite := range judges[s.dir] {
		columns = append(columns, suite.name)
	}
	columns = append(columns, "time", "equivalent", "survived")
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(table, "file\t%s\t\n", strings.Join(columns, "\t"))
	files := slices.Sorted(maps.Keys(r.tally))
	files = append(slices.DeleteFunc(files, func(f string) bool { return f == "all" }), "all")
	for _, file := range files {
		fmt.Fprint(table, file)
		for _, column := range columns {
			fmt.Fprintf(table, "\t%d", r.tally[file][column])
		}
		fmt.Fprint(table, "\t\n")
	}
	table.Flush()
	total := r.tally["all"]
	real := total["mutants"] - total["equivalent"]
	fmt.Fprintf(w, "killed: %d of %d that are not equivalent, %.1f %%; %d of %d mutants were tried\n",
		real-total["survived"], real, 100*float64(real-total["survived"])/float64(max(1, real)), len(r.trials), all)
}
