package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// suite is a part of the tests that judge a package: those whose names match
// one of the patterns, or, if except is set, none of them.
type suite struct {
	name     string
	dir      string // of the tests
	except   bool
	patterns []string
}

// judges lists, for each package that can be mutated, its suites in the order
// in which they are asked: the quickest first. What reads the source and does
// not run it is left out.
var judges = map[string][]suite{
	"fsm": {
		{"stories", "fsm", false, stories},
		{"cases", "fsm", true, slices.Concat(stories, sizes, largest, []string{"ReadsItsArgumentsOnly", "CitedRulesExist"})},
		{"laws", ".", false, laws},
		{"sizes", "fsm", false, sizes},
	},
	"internal/persist": {
		{"containers", "internal/persist", false, []string{"^Test"}},
		{"stories", "fsm", false, stories},
		{"laws", ".", false, laws},
		{"sizes", "fsm", false, sizes},
	},
}

var (
	stories = []string{"^TestScenarios$", "^Example"}
	// sizes are the tests of fsm that take a large state. The largest ones,
	// which hold how deep and how long a search goes, take too long to be asked.
	sizes   = []string{"TheSearchCosts", "Cascade", "CrowdsComeAndGo", "AsManyRounds"}
	largest = []string{"LongRing", "ChainOfAMillion"}
	// laws are the tests at the root that need nothing but fsm.
	laws = []string{"^TestLaw([24-9]|10)[A-Z]", "EffectsComeIn", "TheRulesAgree", "InvariantsHold", "MachineIsMany",
		"ExamplesOfTheRules", "IndependentlyDecided", "HistoriesKeep"}
)

// choice is the suite as flags of a test binary.
func (s *suite) choice() []string {
	pattern := strings.Join(s.patterns, "|")
	if s.except {
		return []string{"-test.skip=" + pattern}
	}
	return []string{"-test.run=" + pattern}
}

// fits checks that each pattern matches a test: one that matches none may have
// outlived its test.
func (s *suite) fits(tests string) error {
	for _, pattern := range s.patterns {
		if !regexp.MustCompile("(?m)" + pattern).MatchString(tests) {
			return fmt.Errorf("mutate: suite %s: no test in ./%s matches %q", s.name, s.dir, pattern)
		}
	}
	return nil
}

// bench is a suite that is built and can be asked.
type bench struct {
	suite
	binary string
	dir    string
	budget time.Duration // of processor time
}

// build makes the test binaries of the suites of a package.
func build(s *source, overlay, scratch string) ([]*bench, error) {
	var benches []*bench
	built := map[string]bool{}
	for _, suite := range judges[s.dir] {
		binary := filepath.Join(scratch, "tests-of-"+strings.ReplaceAll(suite.dir, "/", "-"))
		if !built[suite.dir] {
			cmd := exec.Command("go", "test", "-c", "-vet=off", "-overlay", overlay, "-o", binary, "./"+suite.dir)
			cmd.Dir = s.module
			if out, err := cmd.CombinedOutput(); err != nil {
				return nil, fmt.Errorf("mutate: go test -c ./%s: %w\n%s", suite.dir, err, out)
			}
			built[suite.dir] = true
		}
		tests, err := exec.Command(binary, "-test.list=.").Output()
		if err != nil {
			return nil, fmt.Errorf("mutate: %s -test.list: %w", binary, err)
		}
		if err := suite.fits(string(tests)); err != nil {
			return nil, err
		}
		benches = append(benches, &bench{suite: suite, binary: binary, dir: filepath.Join(s.module, suite.dir)})
	}
	return benches, nil
}

// verdict is what a suite says.
type verdict int

const (
	survived verdict = iota
	killed           // a test failed, or the process broke
	timedOut         // the time or the memory was used up
)

// ask runs a suite with a mutant in force, or with none for 0.
func (b *bench) ask(mutant int, scratch string) (v verdict, used time.Duration, output string, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute) // a machine that hangs
	defer cancel()
	cmd := exec.CommandContext(ctx, b.binary, append(b.choice(), "-test.failfast", "-test.timeout=0",
		"-rapid.seed=1", "-rapid.nofailfile", "-rapid.shrinktime=1ns")...)
	cmd.Dir = b.dir
	cmd.Env = append(os.Environ(), fmt.Sprint("MUTANT=", mutant), fmt.Sprint("MUTANT_TIME=", b.budget),
		"GOMAXPROCS=1", "GOGC=300", "TMPDIR="+scratch)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	switch {
	case err == nil:
		v = survived
	case !errors.As(err, &exit):
		return 0, 0, "", fmt.Errorf("mutate: %w", err)
	case exit.ExitCode() == 90 || exit.ExitCode() == 91 || ctx.Err() != nil:
		v = timedOut
	default:
		v = killed
	}
	return v, cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), string(out), nil
}

// leastBudget is the least time that a suite gets.
var leastBudget = time.Second

// calibrate asks a suite without a mutant, which it must let pass, and gives
// it ten times the processor time that this takes.
func (b *bench) calibrate(scratch string) error {
	v, used, output, err := b.ask(0, scratch)
	if err != nil {
		return err
	}
	if v != survived {
		return fmt.Errorf("mutate: the suite %s fails as it is:\n%s", b.name, output)
	}
	b.budget = max(leastBudget, 10*used)
	return nil
}
