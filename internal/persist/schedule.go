package persist

import "math"

// Due is when something is due: an instant, and a turn that tells apart what
// is due at the same instant.
type Due struct {
	At   int64
	Turn uint64
}

// never is later than every Due that is set.
var never = Due{math.MaxInt64, math.MaxUint64}

// Before orders dues by instant, then by turn.
func (d Due) Before(e Due) bool {
	return d.At < e.At || d.At == e.At && d.Turn < e.Turn
}

const (
	fanBits = 4
	fan     = 1 << fanBits
	fanMask = fan - 1
)

// Schedule keeps at most one Due for each number and finds the first of all: a
// persistent tournament tree over the numbers. Setting costs O(log of the
// largest number), and a level more than a comparison only where the earliest
// of its slots becomes later; finding the first walks down once. The zero
// Schedule is empty.
//
// It needs no deletion of keys and no balance, which makes it several times
// faster than an ordered tree of the same content, in place as well as after
// a fork.
type Schedule struct {
	root *round
	bits uint // of the numbers that fit below the root
}

// round is a node: the winners of its kids, or the dues of numbers in a leaf.
type round struct {
	owner *Owner
	kids  *[fan]*round // nil in a leaf
	first int          // the slot of the earliest of due
	due   [fan]Due
}

func newRound(o *Owner, leaf bool) *round {
	r := &round{owner: o}
	if !leaf {
		r.kids = new([fan]*round)
	}
	for i := range r.due {
		r.due[i] = never
	}
	return r
}

func (r *round) own(o *Owner) *round {
	if r.owner == o {
		return r
	}
	c := *r
	c.owner = o
	if r.kids != nil {
		kids := *r.kids
		c.kids = &kids
	}
	return &c
}

// First returns the number that is due first; ok is false if none is.
func (s *Schedule) First() (number uint32, due Due, ok bool) {
	r := s.root
	if r == nil || r.due[r.first] == never {
		return 0, Due{}, false
	}
	due = r.due[r.first]
	for {
		number = number<<fanBits | uint32(r.first)
		if r.kids == nil {
			return number, due, true
		}
		r = r.kids[r.first]
	}
}

// At returns when a number is due; ok is false if it is not.
func (s *Schedule) At(number uint32) (due Due, ok bool) {
	if s.root == nil || uint64(number)>>s.bits != 0 {
		return Due{}, false
	}
	r := s.root
	for shift := s.bits - fanBits; r.kids != nil; shift -= fanBits {
		if r = r.kids[number>>shift&fanMask]; r == nil {
			return Due{}, false
		}
	}
	if due = r.due[number&fanMask]; due == never {
		return Due{}, false
	}
	return due, true
}

// Set says when a number is due.
func (s *Schedule) Set(o *Owner, number uint32, due Due) {
	if s.root == nil {
		s.root, s.bits = newRound(o, true), fanBits
	}
	for uint64(number)>>s.bits != 0 {
		top := newRound(o, false)
		top.kids[0], top.due[0] = s.root, s.root.due[s.root.first]
		s.root, s.bits = top, s.bits+fanBits
	}
	s.root = s.root.own(o)
	s.root.set(o, s.bits-fanBits, number, due)
}

// Clear says that a number is not due.
func (s *Schedule) Clear(o *Owner, number uint32) { s.Set(o, number, never) }

// set changes the due of a number below r, which the owner owns.
func (r *round) set(o *Owner, shift uint, number uint32, due Due) {
	slot := int(number >> shift & fanMask)
	if r.kids != nil {
		kid := r.kids[slot]
		if kid == nil {
			kid = newRound(o, shift == fanBits)
		} else {
			kid = kid.own(o)
		}
		r.kids[slot] = kid
		kid.set(o, shift-fanBits, number, due)
		due = kid.due[kid.first]
	}
	later := r.due[slot].Before(due)
	r.due[slot] = due
	switch {
	case slot == r.first && later:
		r.play()
	case due.Before(r.due[r.first]):
		r.first = slot
	}
}

// play finds the earliest slot anew.
func (r *round) play() {
	first := 0
	for i := 1; i < fan; i++ {
		if r.due[i].Before(r.due[first]) {
			first = i
		}
	}
	r.first = first
}
