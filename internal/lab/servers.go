package lab

import (
	"slices"

	"github.com/leasekeeper/leasekeeper/events"
)

// server is one of several machines that keep a lock.
type server struct {
	*stage
	dead  bool
	ahead int64 // how far its clock is ahead, in ticks
}

func newServers(fresh func() *stage, n int) []*server {
	list := make([]*server, n)
	for i := range list {
		list[i] = &server{stage: fresh()}
	}
	return list
}

// locking is a way to keep one lock on several servers.
type locking interface {
	// acquire is what a client learns: the number that it would show a fence,
	// and whether it holds the lock.
	acquire(at int64, client string, ttl int64) (token int64, ok bool)
	// kill stops the last so many servers.
	kill(n int)
	// reach says which servers the next clients can talk to.
	reach(servers ...int)
	// jump puts the clock of a server forward.
	jump(server int, by int64)
}

// oneLog is servers that all carry out the same operations in the same order, as
// Raft and ZooKeeper see to it: an operation counts once a majority has it. The
// first server stamps the instants. One server alone is the smallest such log.
type oneLog struct {
	servers []*server
	differ  bool // two servers have answered one operation differently
}

func (l *oneLog) acquire(at int64, client string, ttl int64) (token int64, ok bool) {
	stamp := at + l.servers[0].ahead // the others do not look at their clocks
	var first []byte
	alive := l.alive()
	if len(alive) < majority(len(l.servers)) {
		return 0, false
	}
	for i, s := range alive {
		a := s.apply(events.Acquire{At: stamp, Client: client, Lock: lock, TTL: ttl, Mode: events.Exclusive}).Answer
		text := a.AppendJSON(nil)
		if i == 0 {
			first = text
			if g, granted := a.(events.Granted); granted {
				token, ok = g.Token, true
			}
		}
		l.differ = l.differ || !slices.Equal(first, text)
	}
	return token, ok
}

func (l *oneLog) alive() (list []*server) {
	for _, s := range l.servers {
		if !s.dead {
			list = append(list, s)
		}
	}
	return list
}

func (l *oneLog) kill(n int)                { stop(l.servers, n) }
func (l *oneLog) reach(...int)              {} // the log reaches whom it has to
func (l *oneLog) jump(server int, by int64) { l.servers[server].ahead += by }

// apart is servers that know nothing of each other, as in Redlock: a client asks
// each for a lease, and holds the lock if a majority grants one.
type apart struct {
	servers   []*server
	reachable []int
	// number is what a client makes of the tokens of its majority.
	number func(tokens []int64) int64
}

func (a *apart) acquire(at int64, client string, ttl int64) (token int64, ok bool) {
	var tokens []int64
	for _, i := range a.reachable {
		s := a.servers[i]
		if s.dead {
			continue
		}
		if g, granted := s.stage.acquire(at+s.ahead, client, lock, ttl); granted {
			tokens = append(tokens, g.token)
		} else {
			s.release(at+s.ahead, client, lock) // it does not wait
		}
	}
	if len(tokens) < majority(len(a.servers)) {
		return 0, false
	}
	return a.number(tokens), true
}

func (a *apart) kill(n int)                { stop(a.servers, n) }
func (a *apart) reach(servers ...int)      { a.reachable = servers }
func (a *apart) jump(server int, by int64) { a.servers[server].ahead += by }

func majority(n int) int { return n/2 + 1 }

// stop stops the last n servers, so that the first, which stamps, is the last to
// go: a log would choose another.
func stop(servers []*server, n int) {
	for _, s := range servers[len(servers)-n:] {
		s.dead = true
	}
}

func highest(tokens []int64) int64 { return slices.Max(tokens) }
func lowest(tokens []int64) int64  { return slices.Min(tokens) }
