package coordinator

import (
	"strconv"

	"github.com/leasekeeper/leasekeeper/fsm"
)

// pool lends client names. A client stays registered for ever (R15), so a name
// of its own for every lease would let the state grow without bound. A name is
// used again once the lease or the request that it stood for is over; there
// are as many as there ever were leases and requests at one time.
type pool struct {
	names    []string
	number   map[string]int  // the index of each name
	uses     []int           // leases and requests of each name
	free     []int           // lent last in, first out
	reserved map[string]bool // somebody else's names that look like ours
}

// newPool goes on from a state: names that hold or wait in it are lent.
func newPool(s fsm.State) *pool {
	p := &pool{number: map[string]int{}, reserved: map[string]bool{}}
	registered := map[string]bool{}
	for row := range s.Clients() {
		registered[row.Name] = true
	}
	for registered[poolName(len(p.names))] {
		p.add()
	}
	for row := range s.Locks() {
		for _, lease := range row.Leases {
			p.adopt(lease.Client)
		}
		for _, request := range row.Queue {
			p.adopt(request.Client)
		}
	}
	for i := len(p.uses) - 1; i >= 0; i-- {
		if p.uses[i] == 0 {
			p.free = append(p.free, i)
		}
	}
	return p
}

func poolName(index int) string { return "holder-" + strconv.Itoa(index+1) }

func (p *pool) add() int {
	index := len(p.names)
	p.names = append(p.names, poolName(index))
	p.uses = append(p.uses, 0)
	p.number[p.names[index]] = index
	return index
}

func (p *pool) adopt(name string) {
	if index, ours := p.number[name]; ours {
		p.uses[index]++
		return
	}
	p.reserved[name] = true
}

// take lends a name.
func (p *pool) take() string {
	var index int
	if n := len(p.free); n > 0 {
		index, p.free = p.free[n-1], p.free[:n-1]
	} else {
		index = p.add()
		for p.reserved[p.names[index]] {
			index = p.add()
		}
	}
	p.uses[index] = 1
	return p.names[index]
}

// give takes a name back. Names that are not the pool's are left alone.
func (p *pool) give(name string) {
	index, ours := p.number[name]
	if !ours {
		return
	}
	if p.uses[index]--; p.uses[index] == 0 {
		p.free = append(p.free, index)
	}
}
