package lab

import (
	"fmt"

	"github.com/leasekeeper/leasekeeper/events"
)

var replication = Experiment{
	Name:     "replication",
	Question: "Do more servers make the fence unnecessary?",
	Story: `Three ways to keep a lock of 10 s: on one server; in one log that five servers carry
out together (Raft, ZooKeeper); on five servers that know nothing of each other, of
which a client needs three (Redlock). Servers die. A clock jumps forward by 11 s while
A's lease runs; of servers apart, A and B have reached three each, so one in common,
whose clock it is. And A is paused for 10.1 s, B writes, A writes.`,
	Lesson: `A log makes the service survive; it does nothing about the way from the service to the
resource, and that is where A is late. So every row needs the fence. Servers that know
nothing of each other need more: any one of their clocks can give the lock to two
clients, and the tokens of different servers have no common order, so that there is
nothing to compare at a fence. In a log only the clock that stamps the instants counts,
and there is one counter.`,
	Rules: []string{"R1", "R2", "R5", "R6"},
	run:   runReplication,
}

// kept is a way to keep a lock, and what is expected of it.
type kept struct {
	design  string
	make    func(fresh func() *stage) locking
	servers int
	jumping []int // the servers whose clocks jump, one at a time
	whose   string
	needs   string

	survives, two int // servers, clocks
	plain, fenced string
}

func logOf(n int) func(func() *stage) locking {
	return func(fresh func() *stage) locking { return &oneLog{servers: newServers(fresh, n)} }
}

func fiveApart(number func([]int64) int64) func(func() *stage) locking {
	return func(fresh func() *stage) locking {
		return &apart{servers: newServers(fresh, 5), reachable: []int{0, 1, 2, 3, 4}, number: number}
	}
}

var waysToKeep = []kept{
	{"one server", logOf(1), 1, []int{0}, "its own", "fence", 0, 1, valueOfA, valueOfB},
	{"log of 5 servers", logOf(5), 5, []int{1, 2, 3, 4}, "a follower's", "fence", 2, 0, valueOfA, valueOfB},
	{"log of 5 servers", logOf(5), 5, []int{0}, "the leader's", "fence", 2, 1, valueOfA, valueOfB},
	{"5 servers apart", fiveApart(highest), 5, []int{0, 1, 2, 3, 4}, "any", "fence and tokens", 2, 5, valueOfA, valueOfA},
}

func runReplication(b *bench) (*Outcome, error) {
	fresh, err := b.stages(events.Millisecond)
	if err != nil {
		return nil, err
	}
	out := &Outcome{Table: Table{Columns: []Column{
		{Key: "design", Title: "design", Left: true},
		{Key: "survives", Title: "survives", Left: true},
		{Key: "clock", Title: "clock", Left: true},
		{Key: "two_holders", Title: "two hold it", Left: true},
		{Key: "plain_keeps", Title: "plain"},
		{Key: "fenced_keeps", Title: "fenced"},
		{Key: "needs", Title: "needs", Left: true},
	}}, Notes: []string{
		"two hold it: of so many clocks that jump, one at a time, so many give the lock to B while A has 9 s left by its own.",
		"plain, fenced: the value that stays at such a resource after A's late write; B's 100 is the newer one.",
		"needs: servers apart need a fence too, and tokens that come from elsewhere, since their own have no common order.",
	}}
	var c claims
	for _, k := range waysToKeep {
		survives, two := k.mostDead(fresh), k.twoHolders(fresh)
		plain, fenced := k.lateWrite(fresh, false), k.lateWrite(fresh, true)
		out.Table.Rows = append(out.Table.Rows, []any{
			k.design, fmt.Sprintf("%d of %d", survives, k.servers), k.whose, fmt.Sprintf("%d of %d", two, len(k.jumping)), plain, fenced, k.needs,
		})
		about := fmt.Sprintf("%s, %s clock: ", k.design, k.whose)
		c.equal(about+"dead servers that it survives", k.survives, survives)
		c.equal(about+"jumps that give the lock to B while A's lease runs", k.two, two)
		c.equal(about+"what a plain and a fenced resource keep", k.plain+" "+k.fenced, plain+" "+fenced)
	}
	logClaims(&c, fresh)
	c.equal("servers apart: by the highest token of its servers, B comes before A", true, comesBefore(fresh, highest, unevenlyUsed, 4))
	c.equal("servers apart: by the lowest, with other leases before, it does too", true, comesBefore(fresh, lowest, oneSideUsed, 2))
	out.Claims = c
	return out, nil
}

// mostDead is how many servers may die during A's lease so that B still gets the
// lock when it is over. It is -1 for a way that does not work at all.
func (k kept) mostDead(fresh func() *stage) int {
	for dead := range k.servers + 1 {
		l := k.make(fresh)
		if _, ok := l.acquire(0, "A", leaseTTL); !ok {
			return dead - 1
		}
		l.kill(dead)
		if _, ok := l.acquire(leaseTTL, "B", leaseTTL); !ok {
			return dead - 1
		}
	}
	return k.servers
}

// twoHolders counts the clocks that give B the lock a second after A, if they jump
// in between. A has reached the server of the clock and the next two, B the same
// server and the others.
func (k kept) twoHolders(fresh func() *stage) (count int) {
	for _, i := range k.jumping {
		l := k.make(fresh)
		l.reach(i, (i+1)%5, (i+2)%5)
		_, first := l.acquire(0, "A", leaseTTL)
		l.jump(i, leaseTTL+1000)
		l.reach(i, (i+3)%5, (i+4)%5)
		if _, second := l.acquire(1000, "B", leaseTTL); first && second {
			count++
		}
	}
	return count
}

// grants are leases that others have had before, by the servers that gave them.
type grants [][]int

// unevenlyUsed leaves the counters of the servers at 2, 2, 1, 1 and 0.
var unevenlyUsed = grants{{0, 1, 2}, {0, 1, 3}}

// oneSideUsed leaves them at 2, 2, 2, 0 and 0.
var oneSideUsed = grants{{0, 1, 2}, {0, 1, 2}}

// after acts out the former leases, one a minute, and then lets A and B take the
// lock, each from three servers. It returns their numbers and the instant of B's.
func (g grants) after(l locking, ofA, ofB []int) (a, b, at int64) {
	const minute = 60_000
	for i, by := range g {
		l.reach(by...)
		l.acquire(at, fmt.Sprintf("former-%d", i), leaseTTL)
		at += minute
	}
	l.reach(ofA...)
	a, _ = l.acquire(at, "A", leaseTTL)
	at += 10_100
	l.reach(ofB...)
	b, _ = l.acquire(at, "B", leaseTTL)
	return a, b, at
}

// lateWrite is the value that stays if A is paused for 10.1 s, B gets the lock and
// writes, and then A does.
func (k kept) lateWrite(fresh func() *stage, fenced bool) (stays string) {
	store := fresh()
	target := resource{"bucket", fenced}
	a, b, at := unevenlyUsed.after(k.make(fresh), []int{0, 1, 4}, []int{2, 3, 4})
	store.write(at, target, valueOfB, b)
	store.write(at, target, valueOfA, a)
	return store.read(at, target)
}

// comesBefore tells whether B, which gets the lock after A, gets a smaller number.
// A has it from the first two servers and a third.
func comesBefore(fresh func() *stage, number func([]int64) int64, former grants, third int) bool {
	a, b, _ := former.after(fiveApart(number)(fresh), []int{0, 1, third}, []int{2, 3, 4})
	return 0 < b && b < a
}

// logClaims claims what makes a log one service: all servers answer alike, and
// its counter goes on when servers die.
func logClaims(c *claims, fresh func() *stage) {
	l := &oneLog{servers: newServers(fresh, 5)}
	var tokens []int64
	for i, dead := range []int{0, 1, 2} {
		l.kill(dead)
		token, _ := l.acquire(int64(i)*leaseTTL, fmt.Sprintf("client-%d", i), leaseTTL)
		tokens = append(tokens, token)
	}
	c.equal("one log: tokens while none, one and two of five servers are dead", []int64{1, 2, 3}, tokens)
	c.equal("one log: servers answered an operation differently", false, l.differ)
}
