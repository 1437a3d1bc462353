package main

import (
	"bufio"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/leasekeeper/leasekeeper"
	"github.com/leasekeeper/leasekeeper/cmd/leasekeeper/internal/view"
	"github.com/leasekeeper/leasekeeper/journal"
)

// replayJournal shows a journal, or proves that it is the one that the rules
// give, and reports errDiffers if it is not.
func replayJournal(name string, f *replayFlags, out *bufio.Writer) error {
	j, err := openFallback(name, f.proof.fallback)
	if err != nil {
		return err
	}
	defer j.Close()
	if err := f.rules.agree(name, j.Genesis().Rules); err != nil {
		return err
	}
	if err := f.span.within(j.Genesis().Rules); err != nil {
		return err
	}
	until, err := f.span.last(j)
	if err != nil {
		return err
	}
	starts, err := f.proof.starts(j, until)
	if err != nil {
		return err
	}
	title := name + " · " + rulesText(j.Genesis().Rules)
	if f.proof.show || f.asJSON {
		return showJournal(j, title, starts[0], until, f, out)
	}
	p := proving{j: j, flags: f, starts: starts, until: until}
	return p.report(title, newReport(out))
}

// proving is the replay of a journal from one or more starts.
type proving struct {
	j      *journal.File
	flags  *replayFlags
	starts []uint64
	until  uint64
	took   time.Duration
}

// prove replays the journal behind a progress bar.
func (p *proving) prove() (leasekeeper.Proof, error) {
	total := uint64(0)
	for _, start := range p.starts {
		total += p.until - start
	}
	bar := newCount(int64(total))
	defer bar.finish()
	var mu sync.Mutex
	begin := time.Now()
	proof, err := leasekeeper.Prove(p.j, leasekeeper.ProofOptions{
		Starts: p.starts, Until: p.until, Foreign: !p.flags.proof.own, Jobs: int(p.flags.proof.jobs),
		Progress: func(events uint64) {
			mu.Lock()
			defer mu.Unlock()
			bar.at(int64(events))
		},
	})
	p.took = time.Since(begin)
	begun := proof.Final.Sequence() > 0 || proof.First != nil
	if errors.Is(err, leasekeeper.ErrSnapshot) && begun { // at others
		if len(proof.BadSnapshots) == 0 {
			proof.BadSnapshots = append(proof.BadSnapshots, err)
		}
		err = nil
	}
	return proof, journalError(err)
}

// report prints what was replayed and the verdict.
func (p *proving) report(title string, r *view.Report) error {
	if p.until == p.starts[0] {
		r.Title(title)
		r.Line("replayed", "no event: there is none after %s", p.start(p.starts[0]))
		return nil
	}
	proof, err := p.prove()
	if err != nil && proof.First == nil {
		return err
	}
	r.Title(title)
	label := "replayed"
	for _, start := range p.starts {
		events := fmt.Sprintf("events %d to %d", start+1, p.until)
		if start+1 == p.until {
			events = fmt.Sprintf("event %d", p.until)
		}
		r.Line(label, "%s, from %s", events, p.start(start))
		label = ""
	}
	r.Line("speed", "%s in %v, %s a second", view.Count(proof.Events, "event", "events"),
		p.took.Round(100*time.Microsecond), thousands(float64(proof.Events)/p.took.Seconds()))
	if err != nil {
		warn(err)
	}
	return p.verdict(r, &proof)
}

// verdict prints what was found, and reports errDiffers unless that is nothing.
func (p *proving) verdict(r *view.Report, proof *leasekeeper.Proof) error {
	for _, err := range proof.BadSnapshots {
		r.Line("unreadable", "%s", untagged(err))
	}
	if proof.First != nil {
		p.difference(r, proof)
		return errDiffers
	}
	final := proof.Final
	if p.flags.span.set("at") {
		final = final.At(p.flags.span.at)
	}
	r.Line("state", "%s, %s", final.Fingerprint(), standing(final))
	if bad := len(proof.BadSnapshots); bad > 0 {
		r.Alarm("verdict", "%s, but %s cannot be read", p.compared(), view.Count(bad, "snapshot", "snapshots"))
		return errDiffers
	}
	r.Good("verdict", "%s", p.compared())
	return nil
}

func (p *proving) start(sequence uint64) string {
	if sequence == 0 {
		return "the genesis"
	}
	return fmt.Sprintf("the snapshot at %d", sequence)
}

// compared is what was compared, where nothing differs.
func (p *proving) compared() string {
	if p.flags.proof.own {
		return "no difference in any fingerprint, nor in any answer that is our own"
	}
	return "no difference in any answer or fingerprint"
}

// thousands is a number with its digits in groups of three.
func thousands(n float64) string {
	digits := strconv.FormatFloat(n, 'f', 0, 64)
	var groups []string
	for len(digits) > 3 {
		groups = append(groups, digits[len(digits)-3:])
		digits = digits[:len(digits)-3]
	}
	groups = append(groups, digits)
	slices.Reverse(groups)
	return strings.Join(groups, ",")
}
