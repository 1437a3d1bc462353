package coordinator

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/leasekeeper/leasekeeper"
	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
)

// Coordinator gives out leases on keys. Any number of goroutines may use it.
//
// One mutex serializes the decisions, and in the same step hands their events
// to the journal. What is waited for is waited for outside of it.
type Coordinator struct {
	clock  Clock
	alarms AlarmClock
	keeper *leasekeeper.Keeper // nil in memory
	margin time.Duration       // where none is given

	mu       sync.Mutex
	machine  *fsm.Machine
	keys     map[string]*key
	pool     *pool
	waiters  map[string]*waiter // those in a queue, by client
	schedule schedule
	alarm    *alarm // nil if none is set

	held     int64 // the clock's last good reading
	wentBack uint64

	news     news      // of the event that is being applied
	untold   []*commit // not known to be durable, oldest first
	closing  bool
	stopped  error // why no more is done
	stopping chan struct{}
}

// New makes a Coordinator. Over a journal it goes on from its state: leases
// that are in force stay so, under the same IDs, and requests that an earlier
// process left in a queue are withdrawn, since nobody waits for them. The error
// matches ErrOptions or ErrInvalidMargin, or is the Keeper's.
func New(list ...Option) (*Coordinator, error) {
	o := options{clock: newSystemClock(), margin: DefaultMargin}
	for _, option := range list {
		if err := option(&o); err != nil {
			return nil, err
		}
	}
	if o.keeper != nil {
		return newCoordinator(o, o.keeper.State())
	}
	state, err := fsm.New(rules)
	if err != nil {
		return nil, fmt.Errorf("coordinator: %w", err)
	}
	return newCoordinator(o, state)
}

// newCoordinator is New from any state.
func newCoordinator(o options, state fsm.State) (*Coordinator, error) {
	held, ok := ticks(o.clock.Now())
	if !ok {
		return nil, fmt.Errorf("%w: the clock shows %v, which nanoseconds cannot count", ErrOptions, o.clock.Now())
	}
	if clock, started := state.Clock(); started {
		held = max(held, clock)
	}
	c := &Coordinator{
		clock: o.clock, keeper: o.keeper, margin: o.margin, held: held,
		machine: fsm.NewMachine(state), keys: map[string]*key{}, pool: newPool(state),
		waiters: map[string]*waiter{}, stopping: make(chan struct{}),
	}
	if c.alarms, ok = o.clock.(AlarmClock); !ok {
		c.alarms = timers{o.clock}
	}
	left, err := c.remember(state)
	if err != nil {
		return nil, err
	}
	cm, err := c.withdraw(left) // nobody else has c yet
	if err == nil {
		err = c.settle(context.Background(), cm)
	}
	if err != nil {
		return nil, err
	}
	return c, nil
}

// remember takes the keys over from a state, and returns the requests in their
// queues, the youngest of each first.
func (c *Coordinator) remember(state fsm.State) (left []events.Release, err error) {
	for row := range state.Locks() {
		k := c.key(row.Name)
		k.highest, k.waiting = row.Counter, len(row.Queue)
		for _, lease := range row.Leases {
			if lease.Mode != events.Exclusive {
				return nil, fmt.Errorf("%w: the journal has shared leases on %s", ErrOptions, quoted(row.Name))
			}
			k.last = epoch{
				phase: inForce, client: lease.Client,
				id: leaseID(lease.Client, lease.Token), expires: lease.ExpiresAt,
			}
		}
		for _, request := range slices.Backward(row.Queue) {
			left = append(left, events.Release{Client: request.Client, Lock: row.Name})
		}
	}
	return left, nil
}

// withdraw takes back requests that nobody waits for any more, and ends the
// leases that they have become meanwhile. The youngest go first, so that a
// lease that is ended is not handed on to the next request. c.mu is
// held.
func (c *Coordinator) withdraw(list []events.Release) (last *commit, err error) {
	for _, e := range list {
		e.At = c.now()
		if _, last, err = c.apply(context.Background(), e); err != nil {
			return nil, err
		}
	}
	return last, nil
}

// Close withdraws the requests of all that wait, who get ErrClosed, ends the
// watches, and stops the alarm. Leases stay as they are in the journal. It does
// not close the Keeper, and may be called more than once.
func (c *Coordinator) Close() error {
	cm, last, err := c.withdrawAll()
	if err == nil {
		err = c.settle(context.Background(), cm)
	}
	if last != nil { // a lease on its way to its waiter arrives
		select {
		case <-last.told:
		case <-c.stopping:
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stop(ErrClosed)
	return err
}

// withdrawAll takes no more requests and withdraws those that wait. It returns
// its own last commit and the last one on its way.
func (c *Coordinator) withdrawAll() (own, last *commit, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closing || c.stopped != nil {
		return nil, nil, nil
	}
	c.closing = true
	var left []events.Release
	for _, client := range slices.Sorted(maps.Keys(c.waiters)) {
		left = append(left, events.Release{Client: client, Lock: c.waiters[client].key})
	}
	own, err = c.withdraw(left)
	if len(c.untold) > 0 {
		last = c.untold[len(c.untold)-1]
	}
	return own, last, err
}
