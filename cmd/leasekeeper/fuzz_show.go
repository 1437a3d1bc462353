package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/google/renameio/v2"
	"github.com/leasekeeper/leasekeeper/cmd/leasekeeper/internal/view"
	"github.com/leasekeeper/leasekeeper/internal/campaign"
	"github.com/leasekeeper/leasekeeper/internal/conformance"
	"github.com/schollz/progressbar/v3"
)

// fuzzed is what a campaign has come to.
type fuzzed struct {
	*conformance.Report
	outcome campaign.Outcome
	flags   *fuzzFlags
	subject string
}

// foundFault is the error of a campaign that has printed what it found. It
// carries the exit code.
type foundFault int

func (foundFault) Error() string { return "a fault was found" }

// tell prints what was found and writes the report, and returns a foundFault if
// there is a fault.
func (f *fuzzFlags) tell(z fuzzed, out *bufio.Writer) error {
	if f.asJSON {
		var text bytes.Buffer
		if err := z.WriteJSON(&text); err != nil {
			return err
		}
		_, _ = out.Write(forTerminals()(text.Bytes()))
	} else {
		z.print(newReport(out), out)
	}
	if f.junit != "" {
		if err := z.writeJUnit(f.junit); err != nil {
			return err
		}
	}
	if len(z.Failures) > 0 {
		return foundFault(z.ExitCode())
	}
	return nil
}

// writeJUnit writes the report to a file. CI systems keep one name for it, so it
// takes the place of an older one, also behind a link.
func (z fuzzed) writeJUnit(name string) error {
	if target, err := filepath.EvalSymlinks(name); err == nil {
		name = target
	}
	var text bytes.Buffer
	if err := z.WriteJUnit(&text); err != nil {
		return err
	}
	if err := renameio.WriteFile(name, text.Bytes(), 0o644); err != nil {
		return failure{err}
	}
	return nil
}

// print tells what was tried, and each fault.
func (z fuzzed) print(r *view.Report, out *bufio.Writer) {
	r.Title("fuzz · " + z.subject)
	for _, failure := range z.Failures {
		z.printFailure(r, failure, out)
	}
	if len(z.Failures) == 0 {
		r.Good("verdict", "no fault found")
	}
	if z.flags.against != "" {
		r.Line("protocol", "%s", z.Protocol)
	}
	seconds := max(z.Elapsed.Seconds(), 0.001)
	r.Line("tried", "%s of %d operations in %s, %.0f a second",
		view.Count(z.outcome.Histories, "history", "histories"), z.flags.operations,
		z.Elapsed.Round(100*time.Millisecond), float64(z.outcome.Histories)/seconds)
	r.Line("profile", "%s: %s", z.flags.profile.Name, z.flags.profile.Description)
	r.Line("seeds", "from %d; --seed %d goes on", z.flags.seed, z.outcome.Next)
}

func (z fuzzed) printFailure(r *view.Report, failure conformance.Failure, out *bufio.Writer) {
	r.Alarm(failure.Verdict.Kind().String(), "%s, made %s", failure.Title, view.Count(len(failure.History.Events), "operation", "operations"))
	if failure.Story != "" {
		_, _ = out.WriteString("\n" + indented(failure.Story) + "\n")
	}
	if failure.Unfinished {
		r.Line("", "it may not be the simplest: there was no more time; --shrink, now %s, gives more", z.flags.shrink)
	}
	if _, wrong := failure.Verdict.(conformance.WrongAnswer); !wrong {
		r.Line("", "%s", failure.Verdict)
	}
	for _, line := range strings.Split(strings.TrimRight(conformance.Stderr(failure.Verdict), "\n"), "\n") {
		if line != "" {
			r.Line("stderr", "%s", line)
		}
	}
	if failure.Trials.Flaky() {
		r.Alarm("flaky", "the same history ended so in %d of %d runs", failure.Trials.Same, failure.Trials.Times)
	}
	if len(failure.Explanation.Rules) > 0 {
		r.Line("rules", "%s", strings.Join(failure.Explanation.Rules, ", "))
	}
	z.printExplanation(r, failure.Explanation)
	if failure.Saved != "" {
		r.Line("saved", "%s", failure.Saved)
	}
}

// printExplanation names the deviations that give the same answers.
func (z fuzzed) printExplanation(r *view.Report, explanation conformance.Explanation) {
	label := "explained by"
	for i, candidate := range explanation.Candidates {
		if i == mostCandidates {
			r.Line("", "or one of %d more (--json lists them)", len(explanation.Candidates)-i)
			return
		}
		for _, deviation := range candidate {
			r.Line(label, "%s", described(deviation))
			label = "with"
		}
		label = "or"
	}
}

// indented is a text with each line moved to the right.
func indented(text string) string {
	return "  " + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n  ") + "\n"
}

// listed joins words: a, b and c.
func listed(words []string) string {
	last := len(words) - 1
	if last == 0 {
		return words[0]
	}
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

// progressOfHistories is how a campaign shows how far it is.
func progressOfHistories() []progressbar.Option {
	return []progressbar.Option{
		progressbar.OptionShowCount(), progressbar.OptionShowIts(), progressbar.OptionSetItsString("histories"),
		progressbar.OptionSetDescription(fmt.Sprintf("fuzzing (%d)", os.Getpid())),
	}
}
