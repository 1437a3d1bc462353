package lab

import (
	"cmp"
	"fmt"
)

var sizing = Experiment{
	Name:     "sizing",
	Question: "How long should a lease be?",
	Story: `Operations of 0.5 s of work on average. Two in a hundred stall for 8 s on average,
the others for 0.05 s; one in a thousand crashes without giving the lock back. Another
client waits from the beginning. A zombie is a holder that writes when its lease is
over: the fenced resource refuses it. The wait is that of the clients behind a crash,
spread over all operations.`,
	Lesson: `A short lease makes zombies common, a long one makes every crash cost its whole
length. No length is good for both, and none brings the zombies down to nothing. With a
fence they do no harm: fence first, and then choose the length by the wait alone.`,
	Rules:      []string{"R2", "R3", "R6"},
	Seed:       11,
	HasPlot:    true,
	HasHistory: true,
	run:        runSizing,
}

var sizingLoad = load{seldom: 0.02, longStall: 8, crashing: 0.001}

// leaseLengths are the leases of the sweep, in seconds, with what the reference
// run gives: zombies, and the sum of all waits in seconds.
var leaseLengths = []struct{ ttl, zombies, waited int }{
	{1, 3306, 18}, {5, 226, 90}, {10, 102, 180}, {30, 9, 540}, {60, 2, 1080},
}

// sized is what a lease of one length brought about.
type sized struct {
	ttl              int
	zombies, crashes int
	waited           int64 // behind crashes, in ticks
}

func isZombie(e ended) bool { return e.refused }

func (r *sized) count(o operation, e ended) {
	if e.refused {
		r.zombies++
	}
	if o.crashes {
		r.crashes++
		r.waited += e.waited
	}
}

// wait is that behind crashes, spread over all operations, in milliseconds.
func (r sized) wait(operations int) float64 { return float64(r.waited) / 1000 / float64(operations) }

func runSizing(b *bench) (*Outcome, error) {
	list := make([]sized, len(leaseLengths))
	spoilt := make([]*Recording, len(list))
	err := concurrently(len(list), func(i int) (err error) {
		ttl := leaseLengths[i].ttl
		list[i].ttl = ttl
		d := design{name: fmt.Sprintf("a lease of %d s", ttl), ttl: int64(ttl) * second, fenced: true}
		spoilt[i], err = b.trials(d, sizingLoad, isZombie, list[i].count)
		return err
	})
	if err != nil {
		return nil, err
	}
	out := &Outcome{History: cmp.Or(spoilt...)}
	out.Table = sizingTable(list, b.Operations)
	out.Plot = sizingPlot(list, b)
	out.Claims = sizingClaims(list, b)
	return out, nil
}

func sizingTable(list []sized, n int) Table {
	t := Table{Columns: []Column{
		{Key: "ttl_s", Title: "lease", Unit: "s"},
		{Key: "zombies", Title: "zombies"},
		{Key: "zombies_percent", Title: "share", Unit: "%", Digits: 2},
		{Key: "zombies_percent_99", Title: "99 % of runs", Unit: "%", Digits: 2},
		{Key: "crashes", Title: "crashes"},
		{Key: "wait_ms", Title: "wait", Unit: "ms", Digits: 1},
		{Key: "wait_ms_99", Title: "99 % of runs", Unit: "ms", Digits: 1},
	}}
	for _, r := range list {
		zombies := binomialRange(n, sizingLoad.over(float64(r.ttl)), doubt)
		crashes := binomialRange(n, sizingLoad.crashing, doubt)
		t.Rows = append(t.Rows, []any{
			r.ttl, r.zombies, percent(r.zombies, n), zombies.times(100 / float64(n)),
			r.crashes, r.wait(n), crashes.times(1000 * float64(r.ttl) / float64(n)),
		})
	}
	return t
}

func percent(part, whole int) float64 { return 100 * float64(part) / float64(whole) }

func sizingClaims(list []sized, b *bench) []Claim {
	var c claims
	var counts []known
	for i, r := range list {
		counts = append(counts, known{
			text:    fmt.Sprintf("%d s: zombies in %d operations", r.ttl, b.Operations),
			exactly: leaseLengths[i].zombies, measured: r.zombies, probability: sizingLoad.over(float64(r.ttl)),
		})
	}
	counts = append(counts, known{"crashes", leaseLengths[0].waited, list[0].crashes, sizingLoad.crashing})
	c.figures(b, counts)
	fewer, longer := true, true
	for i, r := range list {
		c.equal(fmt.Sprintf("%d s: wait behind crashes, for each operation", r.ttl),
			fmt.Sprintf("%g ms", float64(r.crashes*r.ttl)*1000/float64(b.Operations)), fmt.Sprintf("%g ms", r.wait(b.Operations)))
		fewer = fewer && (i == 0 || r.zombies <= list[i-1].zombies)
		longer = longer && (i == 0 || r.waited >= list[i-1].waited)
	}
	c.equal("a longer lease never has more zombies, and never a shorter wait", true, fewer && longer)
	return c
}

// sizingPlot has the zombies above and the wait below, since the two have nothing
// in common but the lease.
func sizingPlot(list []sized, b *bench) *Plot {
	n := b.Operations
	zombies, wait := Series{Name: "zombies"}, Series{Name: "wait behind crashes"}
	scale := 100 / float64(n)
	for _, r := range list {
		zombies.Points = append(zombies.Points, Point{X: float64(r.ttl), Y: percent(r.zombies, n)})
		wait.Points = append(wait.Points, Point{X: float64(r.ttl), Y: r.wait(n)})
	}
	for _, ttl := range spread(1, 60, 60) {
		p := sizingLoad.over(ttl)
		r := binomialRange(n, p, doubt).times(scale)
		zombies.Curve = append(zombies.Curve, Point{ttl, 100 * p, r.Low, r.High})
		r = binomialRange(n, sizingLoad.crashing, doubt).times(1000 * ttl / float64(n))
		wait.Curve = append(wait.Curve, Point{ttl, 1000 * sizingLoad.crashing * ttl, r.Low, r.High})
	}
	return &Plot{
		Title: fmt.Sprintf("How long should a lease be? %d operations, seed %d", n, b.Seed),
		X:     Axis{Title: "length of the lease", Unit: "s", Log: true, Low: 0.9, High: 70, Ticks: []float64{1, 2, 5, 10, 20, 30, 60}},
		Panels: []Panel{
			{Y: Axis{Title: "zombies", Unit: "%", Log: true, Digits: 2, Low: 0.0008, High: 40, Ticks: []float64{0.001, 0.01, 0.1, 1, 10}}, Series: []Series{zombies}},
			{Y: Axis{Title: "wait behind crashes, for each operation", Unit: "ms", Log: true, Digits: 1, Low: 0.3, High: 200, Ticks: []float64{1, 10, 100}}, Series: []Series{wait}},
		},
	}
}
