package explore

import (
	"fmt"
	"slices"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
)

func lawBroken(law, got string) *trouble { return &trouble{Laws, law, got} }

// settle checks what must hold of a state for itself, and now and then what
// costs more.
func (j *judge) settle(p point) (t *trouble) {
	defer j.catch(&t)
	if err := fsm.Check(p.state); err != nil {
		return lawBroken("the invariants of fsm.State", err.Error())
	}
	j.reader.state(&j.before, p.state)
	if t := holdersAndQueues(&j.before); t != nil {
		return t
	}
	if t := noCircle(p.state); t != nil {
		return t
	}
	if t := lookingIsFree(p.state); t != nil {
		return t
	}
	if p.state.Fingerprint()[0]%sample != 0 {
		return nil
	}
	if t := oneForm(p.state); t != nil {
		return t
	}
	return j.tour(p)
}

// sample is how many states there are to one that is looked at more closely.
const sample = 16

// holdersAndQueues checks law 6 by what the rows say: a lock is held by one
// exclusive lease or by shared ones, none has lapsed, and whoever stands first in
// a queue cannot be granted (R2, R9, R11).
func holdersAndQueues(s *snapshot) *trouble {
	for n := range uint8(MaxLocks) {
		exclusive, shared := 0, 0
		for _, l := range s.leases {
			switch {
			case l.lock != n:
				continue
			case l.expires <= s.clock:
				return lawBroken("R2: no lease that has lapsed", s.String())
			case l.mode == events.Shared:
				shared++
			default:
				exclusive++
			}
		}
		if exclusive > 1 || exclusive == 1 && shared > 0 {
			return lawBroken("law 6: one exclusive lease or shared ones", s.String())
		}
		head := slices.IndexFunc(s.requests, func(r request) bool { return r.lock == n })
		free := exclusive+shared == 0
		if head >= 0 && (free || exclusive == 0 && s.requests[head].mode == events.Shared) {
			return lawBroken("law 6: the head of a queue is incompatible with the holders", s.String())
		}
	}
	return nil
}

// noCircle checks law 7 by the full graph of R16: taking away again and again
// whoever waits for nobody who is left leaves nobody.
func noCircle(s fsm.State) *trouble {
	waits := map[string][]string{}
	for _, client := range clientNames {
		if ahead := s.WaitsFor(client); len(ahead) > 0 {
			waits[client] = ahead
		}
	}
	for range clientNames {
		for client, ahead := range waits {
			if !slices.ContainsFunc(ahead, func(c string) bool { return waits[c] != nil }) {
				delete(waits, client)
			}
		}
	}
	if len(waits) > 0 {
		return lawBroken("law 7: nobody waits in a circle", fmt.Sprint(waits))
	}
	return nil
}

// lookingIsFree checks law 4: who looks at every end of a lease finds the same
// in the end as who looks once (R1, R3).
func lookingIsFree(s fsm.State) *trouble {
	often, last := s, int64(0)
	for ts, more := often.NextExpiry(); more; ts, more = often.NextExpiry() {
		often, last = often.At(ts), ts
	}
	if often.Fingerprint() == s.Fingerprint() {
		return nil // nobody holds anything
	}
	if once := s.At(last); once.Fingerprint() != often.Fingerprint() {
		return lawBroken(
			fmt.Sprintf("law 4: at %d the same, however often one looks before", last),
			fmt.Sprint(fsm.Diff(often, once)))
	}
	return nil
}

// oneForm checks law 9: a state made of the same rows by another way has the
// same fingerprint.
func oneForm(s fsm.State) *trouble {
	again, err := rebuild(s)
	if err != nil {
		return lawBroken("law 9: the rows make up a state", err.Error())
	}
	if again.Fingerprint() != s.Fingerprint() || len(fsm.Diff(s, again)) > 0 {
		return lawBroken("law 9: the same rows, the same fingerprint", fmt.Sprint(fsm.Diff(s, again)))
	}
	return nil
}

func rebuild(s fsm.State) (fsm.State, error) {
	r, err := fsm.NewRestorer(s.Whole())
	if err != nil {
		return fsm.State{}, err
	}
	for row := range s.Clients() {
		if err := r.Client(row); err != nil {
			return fsm.State{}, err
		}
	}
	for row := range s.Locks() {
		if err := r.Lock(row); err != nil {
			return fsm.State{}, err
		}
	}
	return r.Finish()
}

// tour makes all moves one after another: a Machine, which changes its state in
// place, does what as many Applies do.
func (j *judge) tour(p point) *trouble {
	machine, state := fsm.NewMachine(p.state), p.state
	for n := range j.moves {
		e, ok := j.moves[n].event(&j.before) // as of the first state, so that tokens go stale
		if !ok {
			continue
		}
		var once events.Result
		inPlace := machine.Apply(e)
		state, once = fsm.Apply(state, e)
		if t := compare(once, inPlace); t != nil {
			return lawBroken("a Machine is many Applies, on a tour of all moves: "+t.required, t.got)
		}
		if state.Fingerprint() != machine.Fingerprint() {
			return lawBroken("a Machine is many Applies, on a tour of all moves", fmt.Sprint(fsm.Diff(state, machine.State())))
		}
	}
	return nil
}
