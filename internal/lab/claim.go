package lab

import "fmt"

// Claim is a statement about an outcome that the run has checked.
type Claim struct {
	ID       string `json:"id"` // the experiment and a number, such as sizing.3
	Text     string `json:"text"`
	Expected string `json:"expected"`
	Measured string `json:"measured"`
	Holds    bool   `json:"holds"`
}

// claims gathers the claims of one experiment.
type claims []Claim

// equal claims that a thing is what it is expected to be, when both are written
// down.
func (c *claims) equal(text string, expected, measured any) {
	e, m := fmt.Sprint(expected), fmt.Sprint(measured)
	*c = append(*c, Claim{Text: text, Expected: e, Measured: m, Holds: e == m})
}

// within claims that a count lies in a range, its ends included.
func (c *claims) within(text string, r span, measured int) {
	if r.low == r.high {
		c.equal(text, r.low, measured)
		return
	}
	*c = append(*c, Claim{
		Text: text, Expected: fmt.Sprintf("%d to %d", r.low, r.high), Measured: fmt.Sprint(measured),
		Holds: r.low <= measured && measured <= r.high,
	})
}

// known is a count that the reference run gives exactly, and that has a
// probability in each operation of any other.
type known struct {
	text        string
	exactly     int
	measured    int
	probability float64
}

// figures claims counts: exactly in the reference run; in another, that all of
// them lie in the ranges that they leave, all together, in 1 % of all runs.
func (c *claims) figures(b *bench, list []known) {
	for _, k := range list {
		if b.exact {
			c.equal(k.text, k.exactly, k.measured)
		} else {
			c.within(k.text, binomialRange(b.Operations, k.probability, doubt/float64(len(list))), k.measured)
		}
	}
}
