package load

import (
	"math/rand/v2"

	"github.com/leasekeeper/leasekeeper/events"
)

// Rules is what every load is judged by: edition 3, in microseconds.
var Rules = events.Rules{Edition: events.Edition3, Unit: events.Microsecond}

const (
	// begin is the instant of a load's setup: some day in 2023.
	begin = int64(1_700_000_000) * int64(events.Microsecond)
	// meanTTL is the mean of the leases' ttls: 30 s. They spread evenly from a
	// half to one and a half of it.
	meanTTL = 30 * int64(events.Microsecond)
	// stepShare is the share of a mixed load's events that move the clock.
	stepShare = 0.06
)

// Load is a history in two parts.
type Load struct {
	Setup  []events.Event // brings the service to the size to be measured
	Stream []events.Event // is measured
}

// Config says which mixed load is wanted.
type Config struct {
	Locks  int    // number of locks; there are four times as many clients
	Events int    // length of the stream
	Zipf   bool   // locks are picked by Zipf's law with exponent 1.1, not uniformly
	Single bool   // clients hold or await one lock at a time
	Seed   uint64 // other seeds give other loads of the same kind
}

// Mixed is the load that speed is quoted for. Setup grants every lock to some
// client. Of the stream, 40 % are acquires of exclusive leases, 22 % renews,
// 18 % releases, 14 % writes, and 6 % are reads that move the clock to a later
// instant, so that leases lapse.
//
// Renews are spread evenly over the locks even in a Zipf load: whoever holds a
// lock keeps it alive, however few others want it.
func Mixed(config Config) Load {
	m := newMixer(config)
	load := Load{
		Setup:  make([]events.Event, config.Locks),
		Stream: make([]events.Event, config.Events),
	}
	for lock := range int32(config.Locks) {
		// In a running service the leases are of all ages: let the first ones
		// end at any instant up to the longest ttl.
		load.Setup[lock] = m.acquire(m.asker(), lock, 1+m.random.Int64N(meanTTL*3/2))
	}
	for i := range load.Stream {
		load.Stream[i] = m.next()
	}
	return load
}

type mixer struct {
	*guess
	config         Config
	random         *rand.Rand
	zipf           *rand.Zipf
	rank           []int32 // the lock on each rank of the Zipf distribution
	step           int64   // mean step of time
	clients, locks names
}

// ttlEvents is how many events a lock there are in the mean ttl. It sets how
// many leases lapse: with more, too few; with less, too few locks stay held.
const ttlEvents, ttlEventsZipf = 6, 12

func newMixer(config Config) *mixer {
	clients := 4 * config.Locks
	m := &mixer{
		guess:   newGuess(begin, config.Locks, clients),
		config:  config,
		random:  rand.New(rand.NewPCG(config.Seed, uint64(config.Locks))),
		clients: newNames("client", clients),
		locks:   newNames("lock", config.Locks),
	}
	ttlInEvents := float64(ttlEvents * config.Locks)
	if config.Zipf {
		ttlInEvents = float64(ttlEventsZipf * config.Locks)
		m.zipf = rand.NewZipf(m.random, 1.1, 1, uint64(config.Locks-1))
		m.rank = make([]int32, config.Locks)
		for rank, lock := range m.random.Perm(config.Locks) {
			m.rank[rank] = int32(lock)
		}
	}
	m.step = max(1, int64(float64(meanTTL)/(ttlInEvents*stepShare)))
	return m
}

func (m *mixer) next() events.Event {
	switch dice := m.random.Float64(); {
	case dice < 0.40:
		return m.acquire(m.asker(), m.anyLock(), m.anyTTL())
	case dice < 0.62:
		return m.renewal()
	case dice < 0.80:
		return m.endOfUse()
	case dice < 1-stepShare:
		return m.write()
	default:
		m.clock += 1 + m.random.Int64N(2*m.step)
		return events.Read{At: m.clock, Lock: m.locks.at(m.anyLock()), Key: m.anyKey()}
	}
}

func (m *mixer) acquire(client, lock int32, ttl int64) events.Event {
	m.guess.acquire(client, lock, ttl)
	return events.Acquire{
		At: m.clock, Client: m.clients.at(client), Lock: m.locks.at(lock), TTL: ttl, Mode: events.Exclusive,
	}
}

func (m *mixer) renewal() events.Event {
	lock := m.uniformLock()
	client, ttl := m.userOf(lock), m.anyTTL()
	m.guess.renew(client, lock, ttl)
	return events.Renew{At: m.clock, Client: m.clients.at(client), Lock: m.locks.at(lock), TTL: ttl}
}

// endOfUse is a release by the holder, or now and then a waiting client's
// withdrawal.
func (m *mixer) endOfUse() events.Event {
	lock := m.anyLock()
	client := m.userOf(lock)
	if m.random.IntN(8) == 0 {
		client = m.anyClient()
		if awaited := m.awaitedBy(client); awaited != none {
			lock = awaited
		}
	}
	m.guess.release(client, lock)
	return events.Release{At: m.clock, Client: m.clients.at(client), Lock: m.locks.at(lock)}
}

// write carries the lock's newest token, or one time in ten an older one.
func (m *mixer) write() events.Event {
	lock := m.anyLock()
	m.holderOf(lock)
	token := m.tokens[lock]
	if m.random.IntN(10) == 0 {
		token--
	}
	return events.Write{
		At: m.clock, Lock: m.locks.at(lock), Key: m.anyKey(), Value: values[m.random.IntN(len(values))],
		Token: max(1, token),
	}
}

// userOf is the lock's holder, or somebody if nobody holds it.
func (m *mixer) userOf(lock int32) int32 {
	if holder := m.holderOf(lock); holder != none {
		return holder
	}
	return m.anyClient()
}

// asker is a client that asks for a lock: any, or in a Single load any that
// holds none; if it waits for one, it will be told that it is busy.
func (m *mixer) asker() int32 {
	for {
		client := m.anyClient()
		if !m.config.Single {
			return client
		}
		m.awaitedBy(client)
		if m.leases[client] == 0 {
			return client
		}
	}
}

func (m *mixer) anyClient() int32 { return m.random.Int32N(int32(4 * m.config.Locks)) }

func (m *mixer) anyLock() int32 {
	if m.config.Zipf {
		return m.rank[m.zipf.Uint64()]
	}
	return m.uniformLock()
}

func (m *mixer) uniformLock() int32 { return m.random.Int32N(int32(m.config.Locks)) }

func (m *mixer) anyTTL() int64 { return meanTTL/2 + m.random.Int64N(meanTTL) }

func (m *mixer) anyKey() string { return keys[m.random.IntN(len(keys))] }

var (
	keys   = []string{"part-0", "part-1", "part-2", "part-3"}
	values = []string{"rows 1-100", "rows 101-200", "rows 201-300", "done"}
)
