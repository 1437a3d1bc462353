package load

import (
	"math/rand/v2"

	"github.com/leasekeeper/leasekeeper/events"
)

const (
	// meanTTL is the mean of the leases' ttls: 30 s. They spread evenly from a
	// half to one and a half of it.
	meanTTL = 30 * int64(events.Microsecond)
	// stepShare is the share of a mixed load's events that move the clock.
	stepShare = 0.06
)

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
// instant, so that leases lapse. Renews are spread evenly over the locks even
// in a Zipf load: whoever holds a lock keeps it alive, however few others want
// it.
//
// What comes of a stream of a million events, in percent of its events, and how
// many of the locks are held at its end, measured with seed 1:
//
//	                            uniform             Zipf
//	locks                   10k  100k    1M    10k  100k    1M
//	acquire granted         3.6   5.6   3.6    1.2   1.1   0.9
//	acquire queued         16.9  25.4  34.6   17.7  29.7  37.7
//	acquire refused        19.5   9.0   1.7   21.0   9.2   1.3
//	renew renewed          18.1  18.0  19.9   13.7  18.2  21.3
//	renew refused           3.9   4.0   2.1    8.3   3.8   0.8
//	release of a lease     13.0  12.9  14.2   14.4  15.1  15.4
//	release of a request    1.1   0.5   0.1    1.6   0.5   0.1
//	release refused         4.0   4.6   3.7    2.1   2.3   2.5
//	write accepted         13.5  13.8  14.0   13.4  13.5  13.6
//	write refused           0.5   0.2   0.0    0.6   0.5   0.5
//	leases that lapsed      4.5   4.9   9.3    1.1   2.3   4.9
//	held at the end          82    83    84     56    75    93
//	longest queue            16    12     6   3142 19558 28125
//
// A uniform load stays between 78 % and all of its locks held; a Zipf load of
// few locks slowly loses those that hardly anybody wants.
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
	scribe
	config Config
	random *rand.Rand
	zipf   *rand.Zipf
	rank   []int32 // the lock on each rank of the Zipf distribution
	step   int64   // mean step of time
}

// ttlEvents is how many events there are for each lock during the mean ttl: it
// sets how many leases lapse. With more of them hardly any would; with fewer,
// too few locks would stay held.
const ttlEvents, ttlEventsZipf = 6, 12

func newMixer(config Config) *mixer {
	m := &mixer{
		guess:  newGuess(begin, config.Locks, 4*config.Locks),
		config: config,
		random: rand.New(rand.NewPCG(config.Seed, uint64(config.Locks))),
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
		return events.Read{At: m.clock, Lock: m.lock(m.anyLock()), Key: m.any(keys)}
	}
}

func (m *mixer) acquire(client, lock int32, ttl int64) events.Event {
	m.guess.acquire(client, lock, ttl)
	return events.Acquire{
		At: m.clock, Client: m.client(client), Lock: m.lock(lock), TTL: ttl, Mode: events.Exclusive,
	}
}

func (m *mixer) renewal() events.Event {
	lock := m.uniformLock()
	client, ttl := m.userOf(lock), m.anyTTL()
	m.guess.renew(client, lock, ttl)
	return events.Renew{At: m.clock, Client: m.client(client), Lock: m.lock(lock), TTL: ttl}
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
	return events.Release{At: m.clock, Client: m.client(client), Lock: m.lock(lock)}
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
		At: m.clock, Lock: m.lock(lock), Key: m.any(keys), Value: m.any(values),
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

func (m *mixer) any(texts []string) string { return m.copied(texts[m.random.IntN(len(texts))]) }

var (
	keys   = []string{"part-0", "part-1", "part-2", "part-3"}
	values = []string{"rows 1-100", "rows 101-200", "rows 201-300", "done"}
)
