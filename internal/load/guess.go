package load

// none stands for no client and for no lock.
const none = int32(-1)

// guess follows who holds and awaits which lock, so that most renews and
// releases of a load come from real holders. It knows exclusive leases and
// queues, looks for lapses only where it is asked, and has never heard of
// deadlocks: after one it errs until the leases concerned have lapsed.
type guess struct {
	clock int64

	// By lock.
	holder     []int32
	ends       []int64
	tokens     []int64
	head, tail []int32

	// By client: the lock it awaits, its neighbours in the queue, what it asked
	// for, and how many leases it has.
	awaits     []int32
	prev, next []int32
	ttl        []int64
	leases     []int32
}

func newGuess(clock int64, locks, clients int) *guess {
	return &guess{
		clock:  clock,
		holder: filled(locks), ends: make([]int64, locks), tokens: make([]int64, locks),
		head: filled(locks), tail: filled(locks),
		awaits: filled(clients), prev: filled(clients), next: filled(clients),
		ttl: make([]int64, clients), leases: make([]int32, clients),
	}
}

func filled(count int) []int32 {
	list := make([]int32, count)
	for i := range list {
		list[i] = none
	}
	return list
}

// holderOf is the client that holds the lock now, or none.
func (g *guess) holderOf(lock int32) int32 {
	for g.holder[lock] != none && g.ends[lock] <= g.clock {
		g.end(lock, g.ends[lock])
	}
	return g.holder[lock]
}

// awaitedBy is the lock that the client waits for now, or none.
func (g *guess) awaitedBy(client int32) int32 {
	if lock := g.awaits[client]; lock != none {
		g.holderOf(lock)
	}
	return g.awaits[client]
}

func (g *guess) acquire(client, lock int32, ttl int64) {
	holder := g.holderOf(lock)
	if holder == client || g.awaitedBy(client) != none {
		return
	}
	if holder == none {
		g.grant(client, lock, g.clock+ttl)
		return
	}
	g.ttl[client], g.awaits[client] = ttl, lock
	g.prev[client], g.next[client] = g.tail[lock], none
	if g.tail[lock] == none {
		g.head[lock] = client
	} else {
		g.next[g.tail[lock]] = client
	}
	g.tail[lock] = client
}

func (g *guess) renew(client, lock int32, ttl int64) {
	if g.holderOf(lock) == client {
		g.ends[lock] = g.clock + ttl
	}
}

func (g *guess) release(client, lock int32) {
	switch {
	case g.holderOf(lock) == client:
		g.end(lock, g.clock)
	case g.awaits[client] == lock:
		g.leave(client, lock)
	}
}

// end ends the lock's lease at an instant and hands the lock over.
func (g *guess) end(lock int32, instant int64) {
	g.leases[g.holder[lock]]--
	g.holder[lock] = none
	if heir := g.head[lock]; heir != none {
		g.leave(heir, lock)
		g.grant(heir, lock, instant+g.ttl[heir])
	}
}

func (g *guess) grant(client, lock int32, ends int64) {
	g.holder[lock], g.ends[lock] = client, ends
	g.tokens[lock]++
	g.leases[client]++
}

// leave takes a waiting client out of the lock's queue.
func (g *guess) leave(client, lock int32) {
	before, after := g.prev[client], g.next[client]
	if before == none {
		g.head[lock] = after
	} else {
		g.next[before] = after
	}
	if after == none {
		g.tail[lock] = before
	} else {
		g.prev[after] = before
	}
	g.awaits[client] = none
}
