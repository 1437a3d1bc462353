package lab

import (
	"fmt"

	"github.com/leasekeeper/leasekeeper/events"
)

// duel is a story of two clients. A takes a lease and is paused: by its garbage
// collector, by its host, by a disk. When the pause is over, B asks for the lock
// and works if it gets it; then A, which has not noticed the pause, writes.
type duel struct {
	pause  int64 // in ticks of a millisecond
	fenced bool
	check  check
	order  string // who writes, in which order; "" is "BA"
}

// check is when A asks the service whether it still holds the lock.
type check uint8

const (
	noCheck          check = iota
	checkBeforePause       // and is paused between the check and the write
	checkAfterPause
)

// fought is what came of a duel.
type fought struct {
	tokenA, tokenB int64 // 0 for a client that never held the lock
	writes         []attempt
	stays          string // the value that the resource has in the end
}

type attempt struct {
	client string
	taken  bool
}

const (
	leaseTTL = 10_000 // 10 s
	valueOfA = "200"
	valueOfB = "100"
)

// play acts out a duel on a lock of its own that nobody has used before.
func (d duel) play(s *stage, base int64, lock string) (f fought) {
	target := resource{name: lock, fenced: d.fenced}
	if !d.fenced {
		target.name = "store/" + lock
	}
	a, _ := s.acquire(base, "A", lock, leaseTTL)
	f.tokenA = a.token
	sure := true
	if d.check == checkBeforePause {
		_, sure, _ = s.look(base, "A", lock)
	}
	now := base + d.pause
	b, granted := s.acquire(now, "B", lock, leaseTTL)
	if granted {
		f.tokenB = b.token
	} else {
		s.release(now, "B", lock) // it does not wait (R13)
	}
	order := d.order
	if order == "" {
		order = "BA"
	}
	for _, client := range order {
		switch {
		case client == 'B' && granted:
			f.writes = append(f.writes, attempt{"B", s.write(now, target, valueOfB, b.token)})
		case client == 'A':
			if d.check == checkAfterPause {
				_, sure, _ = s.look(now, "A", lock)
			}
			if sure {
				f.writes = append(f.writes, attempt{"A", s.write(now, target, valueOfA, a.token)})
			}
		}
	}
	f.stays = s.read(now, target)
	return f
}

// writers are those whose writes the resource took, in their order.
func (f fought) writers() (names string) {
	for _, w := range f.writes {
		if w.taken {
			names += w.client
		}
	}
	return names
}

// tried is every write with its answer.
func (f fought) tried() (text string) {
	for i, w := range f.writes {
		if i > 0 {
			text += ", "
		}
		text += w.client + " " + map[bool]string{true: "ok", false: "REFUSED"}[w.taken]
	}
	return text
}

// verdict is safe if the resource ends with the value of the client that held
// the lock last.
func (f fought) verdict() string {
	if f.tokenB != 0 && f.stays != valueOfB {
		return "SPLIT BRAIN"
	}
	return "safe"
}

// token is a token as a cell.
func token(t int64) string {
	if t == 0 {
		return "–"
	}
	return fmt.Sprint(t)
}

// arena is the service on which the duels of one experiment are fought, a minute
// apart.
type arena struct {
	*stage
	fights int64
}

func newArena(b *bench, name string) (*arena, *Recording, error) {
	fresh, err := b.stages(events.Millisecond)
	if err != nil {
		return nil, nil, err
	}
	record := &Recording{Name: name, Rules: rulesIn(events.Millisecond)}
	s := fresh()
	s.record = record
	return &arena{stage: s}, record, nil
}

func (a *arena) fight(d duel, lock string) fought {
	const minute = 60_000
	base := a.fights * minute
	a.fights++
	return d.play(a.stage, base, lock)
}

// pauses are those of the duels, in ticks of a millisecond.
var pauses = []int64{2_000, 9_900, 10_100, 30_000}

func seconds(ticks int64) float64 { return float64(ticks) / 1000 }
