package lab

import (
	"cmp"
	"fmt"
	"slices"
)

var designs = Experiment{
	Name:     "designs",
	Question: "Four designs, the same operations: what is lost?",
	Story: `Operations of 0.5 s of work on average; one in twenty stalls for 12 s on average, the
others for 0.05 s. Leases are of 5 s. Another client wants the lock right after the
holder and writes once it has it. An update is lost if its write was taken and the
older value stands there in the end. Without expiry, a holder that stalls for more than
30 s is dead, and wedges the lock if the other still waits an hour later. The client's
check comes 2 ms before its write.`,
	Lesson: `Without expiry nothing is lost and work stops for good. With a lease alone work never
stops, and updates are lost in silence. The client's check makes the loss rare, which
is worse than it sounds: rare in a test, and there under load. The fence loses nothing,
whatever the figures are: no length, no latency and no share of stalls is part of it.`,
	Rules:      []string{"R2", "R3", "R4", "R6", "R21"},
	Seed:       23,
	HasHistory: true,
	run:        runDesigns,
}

var (
	stallLoad = load{seldom: 0.05, longStall: 12}
	// plainLease loses whatever a lease alone loses.
	plainLease = design{name: "lease only", ttl: 5 * second}
)

const (
	leaseSeconds = 5.0
	deadSeconds  = 30.0
	usualGap     = 2_000 // ticks
)

// fourDesigns are those that are compared, with what the reference run gives and
// how likely it is.
var fourDesigns = []struct {
	design
	lost, wedged             int
	likelyLost, likelyWedged float64
}{
	{design{name: "no expiry", ttl: 86_400 * second, dead: deadSeconds * second}, 0, 80, 0, stallLoad.stallOver(deadSeconds)},
	{plainLease, 641, 0, stallLoad.over(leaseSeconds), 0},
	{checking(usualGap, false), 12, 0, stallLoad.slips(leaseSeconds, usualGap/float64(second), false), 0},
	{design{name: "lease and fence", ttl: 5 * second, fenced: true}, 0, 0, 0, 0},
}

// checking is a client that checks, some ticks before its write.
func checking(gap int64, counted bool) design {
	d := plainLease
	d.name, d.checks, d.gap, d.counted = "lease and client check", true, gap, counted
	return d
}

// damage is what went wrong under one design.
type damage struct{ lost, wedged int }

func (d *damage) count(_ operation, e ended) {
	if e.lost {
		d.lost++
	}
	if e.wedged {
		d.wedged++
	}
}

func isLost(e ended) bool { return e.lost }

func runDesigns(b *bench) (*Outcome, error) {
	out := &Outcome{Table: Table{Columns: []Column{
		{Key: "design", Title: "design", Left: true},
		{Key: "lost", Title: "lost updates"},
		{Key: "lost_percent", Title: "share", Unit: "%", Digits: 3},
		{Key: "lost_99", Title: "99 % of runs"},
		{Key: "wedged", Title: "wedged"},
		{Key: "wedged_99", Title: "99 % of runs"},
	}}}
	runs := make([]damage, len(fourDesigns))
	spoilt := make([]*Recording, len(runs))
	err := concurrently(len(runs), func(i int) (err error) {
		spoilt[i], err = b.trials(fourDesigns[i].design, stallLoad, isLost, runs[i].count)
		return err
	})
	if err != nil {
		return nil, err
	}
	slices.Reverse(spoilt) // the check's loss is rarer than that of a lease alone
	out.History = cmp.Or(spoilt...)
	var counts []known
	for i, d := range fourDesigns {
		r := runs[i]
		out.Table.Rows = append(out.Table.Rows, []any{
			d.name, r.lost, percent(r.lost, b.Operations), binomialRange(b.Operations, d.likelyLost, doubt).times(1),
			r.wedged, binomialRange(b.Operations, d.likelyWedged, doubt).times(1),
		})
		counts = append(counts,
			known{fmt.Sprintf("%s: lost updates in %d operations", d.name, b.Operations), d.lost, r.lost, d.likelyLost},
			known{d.name + ": locks that are wedged", d.wedged, r.wedged, d.likelyWedged})
	}
	var c claims
	c.figures(b, counts)
	out.Claims = c
	return out, nil
}
