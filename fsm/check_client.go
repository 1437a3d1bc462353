package fsm

import (
	"slices"

	"github.com/leasekeeper/leasekeeper/events"
)

// clientsAndAges checks the other side of leases and queues (5, 6).
func (c *checker) clientsAndAges() {
	leases, waiters := 0, 0
	var ages []int64
	for number := uint32(1); number <= c.s.clients.len(); number++ {
		row := c.s.clients.at(number)
		busy := row.holds()
		leases += busy
		if row.waits != 0 {
			waiters++
			busy++
		}
		if busy > 1 && c.s.rules.Edition < events.Edition3 {
			c.broken(5, "client %q holds or awaits %d locks in edition %d", row.name, busy, c.s.rules.Edition)
		}
		if row.age < 0 || row.age > c.s.ages {
			c.broken(6, "client %q has age %d of %d", row.name, row.age, c.s.ages)
		}
		if row.age == 0 && busy > 0 {
			c.broken(6, "client %q is not registered but holds or waits", row.name)
		}
		if row.age != 0 {
			ages = append(ages, row.age)
			c.total.add(ageRow(row))
		}
	}
	if leases != c.leases {
		c.broken(5, "clients know of %d leases, locks of %d", leases, c.leases)
	}
	if waiters != c.waiters {
		c.broken(5, "%d clients wait, %d requests are queued", waiters, c.waiters)
	}
	if age, twice := duplicate(ages); twice {
		c.broken(6, "two clients have age %d", age)
	}
	if turn, twice := duplicate(c.turns); twice {
		c.broken(4, "two leases or requests have turn %d", turn)
	}
}

// duplicate finds a number that is there twice. It sorts the numbers.
func duplicate[T int64 | uint64](numbers []T) (number T, twice bool) {
	slices.Sort(numbers)
	for i := 1; i < len(numbers); i++ {
		if numbers[i] == numbers[i-1] {
			return numbers[i], true
		}
	}
	return 0, false
}

// waitForGraph checks that the graph has no cycle (7): it takes away, again
// and again, clients that wait for nobody who is left.
func (c *checker) waitForGraph() {
	m := NewMachine(c.s)
	left := c.waiters
	waitsFor, free := c.outgoing(m)
	for ; len(free) > 0; free = free[1:] {
		for at := (cursor{}); ; {
			who, more := m.blocked(free[0], &at)
			if !more {
				break
			}
			if who == 0 {
				continue
			}
			if waitsFor[who]--; waitsFor[who] == 0 {
				free = append(free, who)
				left--
			}
		}
	}
	if left != 0 {
		c.broken(7, "%d clients wait in a cycle or behind one", left)
	}
}

// outgoing counts the edges of each client, and lists those without any.
func (c *checker) outgoing(m *Machine) (edges []int, none []uint32) {
	edges = make([]int, c.s.clients.len()+1)
	for who := uint32(1); who <= c.s.clients.len(); who++ {
		for at := (cursor{}); ; edges[who]++ {
			if _, more := m.blockers(who, &at); !more {
				break
			}
		}
		if edges[who] == 0 {
			none = append(none, who)
		}
	}
	return edges, none
}
