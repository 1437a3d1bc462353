package load

import (
	"math/rand/v2"

	"github.com/leasekeeper/leasekeeper/events"
)

// Leases grants so many locks, each to a client of its own. It has no stream.
func Leases(count int) Load {
	var s still
	load := Load{Setup: make([]events.Event, count)}
	for i := range load.Setup {
		load.Setup[i] = s.acquire(int32(i), int32(i), events.Exclusive)
	}
	return load
}

// Ring is the setup of count clients, at least 2, that each hold a lock and
// await the next client's, all but the first; its stream is one event, by
// which the first does so too. The youngest client has to be aborted: the one
// that waits for the first. Thereafter there is no cycle any more.
func Ring(count int) Load {
	var s still
	setup := make([]events.Event, 0, 2*count-1)
	for i := range int32(count) {
		setup = append(setup, s.acquire(i, i, events.Exclusive))
	}
	for i := int32(1); i < int32(count); i++ {
		setup = append(setup, s.acquire(i, (i+1)%int32(count), events.Exclusive))
	}
	return Load{Setup: setup, Stream: []events.Event{s.acquire(0, 1, events.Exclusive)}}
}

// Cascade is the setup of a client that holds a lock for which count others
// queue, and that awaits a lock of the first client's; its stream is one event,
// by which the first client joins the queue. The cycle leads through the whole
// queue, and all who stand there are younger: they are aborted one by one, and
// with the last of them gone the holder, so that the first client has both.
func Cascade(count int) Load {
	var s still
	setup := []events.Event{
		s.acquire(0, beside, events.Exclusive),
		s.acquire(1, crowded, events.Exclusive),
	}
	for i := range int32(count) {
		setup = append(setup, s.acquire(2+i, crowded, events.Exclusive))
	}
	setup = append(setup, s.acquire(1, beside, events.Exclusive))
	return Load{Setup: setup, Stream: []events.Event{s.acquire(0, crowded, events.Exclusive)}}
}

// Cycle is a stream for a crowded lock. It leaves the crowd as it found it, so
// it may be given over and over.
type Cycle struct {
	Name   string
	Stream []events.Event
}

// Queue is a lock with a holder and so many waiters. The cycles:
//
//   - rejoin: a waiter, in random order each, takes its request back and makes
//     it anew.
//   - hand-over: the holder releases the lock, the next one has it, and the
//     former asks for it again.
//   - renew: by the holder.
//   - search: a client that another one waits for joins the queue, so that a
//     cycle has to be ruled out, and takes its request back.
func Queue(waiters int) (setup []events.Event, cycles []Cycle) {
	var s still
	for i := range int32(waiters + 1) {
		setup = append(setup, s.acquire(i, crowded, events.Exclusive))
	}
	var rejoin, handOver []events.Event
	for _, i := range shuffled(waiters) {
		rejoin = append(rejoin, s.release(1+i, crowded), s.acquire(1+i, crowded, events.Exclusive))
	}
	for i := range int32(waiters + 1) {
		handOver = append(handOver, s.release(i, crowded), s.acquire(i, crowded, events.Exclusive))
	}
	watcher := int32(waiters + 1)
	setup = append(setup, s.watched(watcher)...)
	return setup, []Cycle{
		{"rejoin", rejoin},
		{"hand-over", handOver},
		{"renew", []events.Event{s.renew(0, longest-1), s.renew(0, longest)}},
		{"search", []events.Event{s.acquire(watcher, crowded, events.Exclusive), s.release(watcher, crowded)}},
	}
}

// SharedHolders is a lock with so many shared holders. The cycles:
//
//   - rejoin: a holder, in random order each, releases and acquires again.
//   - renew: all holders, in random order.
//   - search: as in Queue, by a client that wants the lock for itself.
func SharedHolders(holders int) (setup []events.Event, cycles []Cycle) {
	var s still
	for i := range int32(holders) {
		setup = append(setup, s.acquire(i, crowded, events.Shared))
	}
	var rejoin, renew []events.Event
	for _, i := range shuffled(holders) {
		rejoin = append(rejoin, s.release(i, crowded), s.acquire(i, crowded, events.Shared))
	}
	for _, ttl := range []int64{longest - 1, longest} {
		for _, i := range shuffled(holders) {
			renew = append(renew, s.renew(i, ttl))
		}
	}
	watcher := int32(holders)
	setup = append(setup, s.watched(watcher)...)
	return setup, []Cycle{
		{"rejoin", rejoin},
		{"renew", renew},
		{"search", []events.Event{s.acquire(watcher, crowded, events.Exclusive), s.release(watcher, crowded)}},
	}
}

// The locks of Cascade, Queue and SharedHolders: the one in question, and one beside it.
const (
	crowded = int32(0)
	beside  = int32(1)
)

// longest is the ttl of all leases here: no lease lapses.
var longest = Rules.MaxTTL()

// watched gives the client a lease on the lock beside, and a waiter for it.
func (s *still) watched(client int32) []events.Event {
	return []events.Event{
		s.acquire(client, beside, events.Exclusive),
		s.acquire(client+1, beside, events.Exclusive),
	}
}

// still writes events of one instant.
type still struct{ scribe }

func (s *still) acquire(client, lock int32, mode events.Mode) events.Event {
	return events.Acquire{At: begin, Client: s.client(client), Lock: s.lock(lock), TTL: longest, Mode: mode}
}

func (s *still) release(client, lock int32) events.Event {
	return events.Release{At: begin, Client: s.client(client), Lock: s.lock(lock)}
}

func (s *still) renew(client int32, ttl int64) events.Event {
	return events.Renew{At: begin, Client: s.client(client), Lock: s.lock(crowded), TTL: ttl}
}

// shuffled is 0 to count-1 in an order that is always the same.
func shuffled(count int) []int32 {
	order := make([]int32, count)
	for i, n := range rand.New(rand.NewPCG(uint64(count), 0)).Perm(count) {
		order[i] = int32(n)
	}
	return order
}
