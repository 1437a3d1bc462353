package divergence

import (
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/journal"
)

// Parting is what Bisect has found.
type Parting struct {
	Result
	// Comparisons counts the fingerprints that were compared: at most the
	// logarithm, base 2, of one more than the events that both have, rounded up,
	// and one more where the beginnings lie in an archive.
	Comparisons int
}

// Bisect finds an event of two journals after which their states differ by
// their recorded fingerprints, and before which they are equal. If there is
// none, the states after the last event that both have are equal, and Differs is
// Length if only one of them ends there.
func Bisect(a, b journal.Journal, warn func(error)) (Parting, error) {
	p := Parting{Result: Result{From: max(a.Genesis().Base.Sequence, b.Genesis().Base.Sequence) + 1}}
	if a.Genesis().Rules != b.Genesis().Rules {
		p.Differs = Rules
		return p, nil
	}
	common := min(a.Last(), b.Last())
	// The states after event equal are equal, those after event differs are not,
	// or there is no such event.
	equal, differs := p.From-1, max(common, p.From-1)+1
	if p.From > 1 && p.From <= common { // nobody knows how they began
		same, err := p.compare(a, b, p.From)
		if err != nil {
			return p, err
		}
		if equal = p.From; !same {
			equal, differs = p.From-1, p.From
		}
	}
	for differs-equal > 1 {
		middle := equal + (differs-equal)/2
		same, err := p.compare(a, b, middle)
		if err != nil {
			return p, err
		}
		if same {
			equal = middle
		} else {
			differs = middle
		}
	}
	if differs > common {
		if a.Last() != b.Last() {
			p.Differs = Length
		}
		return p, p.beyond(a, b, common+1)
	}
	p.Differs = Fingerprint
	return p, p.tell(a, b, differs, warn)
}

// compare compares the fingerprints after an event.
func (p *Parting) compare(a, b journal.Journal, sequence uint64) (same bool, err error) {
	p.Comparisons++
	var found [2]fsm.Fingerprint
	for i, j := range []journal.Journal{a, b} {
		for record, err := range j.Scan(sequence, sequence) {
			if err != nil {
				return false, err
			}
			found[i] = record.Fingerprint
		}
	}
	return found[0] == found[1], nil
}

// tell tells the events at which the states part, and the states.
func (p *Parting) tell(a, b journal.Journal, sequence uint64, warn func(error)) error {
	sides := []*Journal{OfJournal(a, warn), OfJournal(b, warn)}
	for i, to := range []*Item{&p.A, &p.B} {
		defer sides[i].Close()
		sides[i].from = sequence
		item, err := sides[i].Next()
		if err != nil {
			return err
		}
		*to = item
	}
	p.rows(sides[0], sides[1])
	return nil
}

// beyond tells the event that only one journal has.
func (p *Parting) beyond(a, b journal.Journal, sequence uint64) error {
	for i, to := range []*Item{&p.A, &p.B} {
		j := []journal.Journal{a, b}[i]
		if sequence > j.Last() {
			continue
		}
		side := OfJournal(j, nil)
		defer side.Close()
		side.from = max(sequence, side.from)
		item, err := side.Next()
		if err != nil {
			return err
		}
		*to = item
	}
	return nil
}
