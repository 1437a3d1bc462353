package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"regexp"
	"sync"
	"sync/atomic"
	"time"
)

type options struct {
	dir    string
	sample int
	match  string
	list   bool
	jobs   int
}

func main() {
	var o options
	flag.StringVar(&o.dir, "package", "fsm", "the package to break, a directory below the module's")
	flag.IntVar(&o.sample, "sample", 1, "try every n-th mutant")
	flag.StringVar(&o.match, "match", "", "try the mutants whose names match this regular expression")
	flag.BoolVar(&o.list, "list", false, "list the mutants and run nothing")
	flag.IntVar(&o.jobs, "jobs", 1, "how many mutants to try at once")
	flag.Parse()
	good, err := run(o)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	if !good {
		os.Exit(1)
	}
}

// run tries the mutants that were chosen, and tells whether all is well.
func run(o options) (bool, error) {
	s, all, err := prepare(o.dir)
	if err != nil {
		return false, err
	}
	known, err := readEquivalents(s.dir)
	if err != nil {
		return false, err
	}
	chosen, err := choose(all, o)
	if err != nil {
		return false, err
	}
	if o.list {
		for _, m := range chosen {
			fmt.Printf("%s:%d %-10s %s\n", m.file.path, m.line, m.operator, m.id)
		}
		return true, nil
	}
	began := time.Now()
	trials, err := try(s, chosen, o)
	if err != nil {
		return false, err
	}
	r := judge(trials, all, known)
	r.print(os.Stdout, s, len(all))
	fmt.Printf("time: %d s\n", int(time.Since(began).Seconds()))
	return r.good(), nil
}

// prepare finds the mutants of a package.
func prepare(dir string) (*source, []*mutant, error) {
	s, err := load(dir)
	if err != nil {
		return nil, nil, err
	}
	if judges[s.dir] == nil {
		return nil, nil, fmt.Errorf("mutate: no suites are known for %q", s.dir)
	}
	all, err := s.compiling(s.mutants())
	return s, all, err
}

// choose takes a sample, or what matches.
func choose(all []*mutant, o options) ([]*mutant, error) {
	if o.sample < 1 || o.jobs < 1 {
		return nil, fmt.Errorf("mutate: -sample and -jobs are at least 1")
	}
	pattern, err := regexp.Compile(o.match)
	if err != nil {
		return nil, fmt.Errorf("mutate: -match: %w", err)
	}
	var chosen []*mutant
	for i, m := range all {
		if i%o.sample == 0 && pattern.MatchString(m.id) {
			chosen = append(chosen, m)
		}
	}
	return chosen, nil
}

// trial is what became of a mutant.
type trial struct {
	*mutant
	verdict verdict
	by      string // the suite that killed it
}

// try asks the suites about each mutant, one after another until one notices.
func try(s *source, chosen []*mutant, o options) ([]trial, error) {
	scratch, err := os.MkdirTemp("", "mutate-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(scratch)
	overlay, err := s.overlay(chosen, scratch)
	if err != nil {
		return nil, err
	}
	benches, err := build(s, overlay, scratch)
	if err != nil {
		return nil, err
	}
	for _, b := range benches {
		if err := b.calibrate(scratch); err != nil {
			return nil, err
		}
	}
	return all(benches, chosen, o.jobs, scratch)
}

// all tries mutants, several at once.
func all(benches []*bench, chosen []*mutant, jobs int, scratch string) ([]trial, error) {
	trials := make([]trial, len(chosen))
	failures := make([]error, jobs)
	var next atomic.Int64
	var group sync.WaitGroup
	for job := range jobs {
		group.Go(func() {
			for failures[job] == nil {
				i := int(next.Add(1)) - 1
				if i >= len(chosen) {
					return
				}
				trials[i], failures[job] = tryOne(benches, chosen[i], scratch)
				if trials[i].verdict == survived {
					fmt.Fprintln(os.Stderr, "survived:", chosen[i].id)
				}
				if (i+1)%100 == 0 {
					fmt.Fprintf(os.Stderr, "%d of %d\n", i+1, len(chosen))
				}
			}
		})
	}
	group.Wait()
	return trials, errors.Join(failures...)
}

func tryOne(benches []*bench, m *mutant, scratch string) (trial, error) {
	for _, b := range benches {
		v, _, _, err := b.ask(m.number, scratch)
		if err != nil || v != survived {
			return trial{m, v, b.name}, err
		}
	}
	return trial{mutant: m}, nil
}
