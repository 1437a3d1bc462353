package leasekeeper

import (
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/journal"
)

// ProofOptions says what Prove covers.
type ProofOptions struct {
	// Starts are the events after which to begin, each a snapshot's sequence,
	// or 0 for the genesis. The default is the genesis alone; a compacted
	// journal's is its oldest snapshot.
	Starts []uint64
	// Until is the last event; 0 is the last one there is.
	Until uint64
	// Foreign compares also the answers that another service gave.
	Foreign bool
	// Jobs is how many starts are replayed at once; the default is the number
	// of processors.
	Jobs int
	// Progress is called now and then with the number of events replayed so
	// far, over all starts. It may be called from several goroutines.
	Progress func(events uint64)
}

// Proof is what Prove found.
type Proof struct {
	// Events is how many events were replayed, over all starts.
	Events uint64
	// Final is the state after the last event, as derived from the first of the
	// starts. It is the zero State if there is a difference.
	Final fsm.State
	// First is the first difference in the order of sequences; nil if every
	// answer, every fingerprint and every snapshot is the derived one.
	First *Mismatch
	// BadSnapshots says which snapshots could not be read, and why.
	BadSnapshots []error
	// Rows are the rows in which a snapshot differs from the state that the
	// events give, if that is the first difference: A is the snapshot's side.
	Rows []fsm.Difference
}

// progressEvery is how many events pass between two calls of Progress.
const progressEvery = 1 << 14

// Prove replays a journal from the given starts and compares answers and
// fingerprints after every event, and each snapshot on the way, row by row,
// with the state that the events give. The error is for a journal that cannot
// be read; a difference is part of the Proof.
func Prove(j journal.Journal, options ProofOptions) (Proof, error) {
	p := prover{j: j, options: options}
	snapshots, err := j.Snapshots()
	if errors.Is(err, journal.ErrClosed) {
		return Proof{}, err
	}
	if err != nil { // those that are listed all the same can be read
		p.proof.BadSnapshots = append(p.proof.BadSnapshots, err)
	}
	p.snapshots = snapshots
	starts := options.Starts
	if len(starts) == 0 {
		starts = []uint64{0}
		if j.Genesis().Base.Sequence > 0 && len(snapshots) > 0 {
			starts[0] = snapshots[0].Sequence
		}
	}
	jobs := options.Jobs
	if jobs < 1 {
		jobs = runtime.GOMAXPROCS(0)
	}
	var group sync.WaitGroup
	free := make(chan struct{}, jobs)
	errs := make([]error, len(starts))
	for i, start := range starts {
		free <- struct{}{}
		group.Go(func() {
			errs[i] = p.from(start, start == slices.Min(starts))
			<-free
		})
	}
	group.Wait()
	p.proof.Events = p.events.Load()
	return p.proof, errors.Join(errs...)
}

type prover struct {
	j         journal.Journal
	options   ProofOptions
	snapshots []journal.Snapshot
	events    atomic.Uint64

	mu    sync.Mutex
	proof Proof
}

// from replays from one start to the end, or to the first difference.
func (p *prover) from(start uint64, first bool) error {
	var state *fsm.State
	if start > 0 {
		s, err := p.snapshot(start)
		if err != nil {
			return err
		}
		state = &s
	}
	final, err := Replay(p.j, ReplayOptions{
		From: state, Until: p.options.Until, Foreign: p.options.Foreign, Each: p.each(start),
	})
	if errors.Is(err, errDiffers) {
		return nil
	}
	if err != nil {
		return err
	}
	if first {
		p.proof.Final = final
	}
	return nil
}

// each returns what is done after every event of the replay from one start.
func (p *prover) each(start uint64) func(*Step) error {
	next := slices.IndexFunc(p.snapshots, func(s journal.Snapshot) bool { return s.Sequence > start })
	return func(s *Step) error {
		if total := p.events.Add(1); total%progressEvery == 0 && p.options.Progress != nil {
			p.options.Progress(total)
		}
		if s.Differs != nil {
			return p.differs(s.Differs, nil)
		}
		if next < 0 || next == len(p.snapshots) || p.snapshots[next].Sequence != s.Result.Sequence {
			return nil
		}
		info := p.snapshots[next]
		next++
		return p.compare(info, s.State())
	}
}

// compare holds a snapshot against the state that the events give.
func (p *prover) compare(info journal.Snapshot, derived fsm.State) error {
	kept, err := readSnapshot(p.j, info)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // a newer one has replaced it meanwhile
	}
	if errors.Is(err, journal.ErrClosed) {
		return err
	}
	if err != nil {
		p.mu.Lock()
		defer p.mu.Unlock()
		if !slices.ContainsFunc(p.proof.BadSnapshots, func(old error) bool { return old.Error() == err.Error() }) {
			p.proof.BadSnapshots = append(p.proof.BadSnapshots, err)
		}
		return nil
	}
	if kept.Fingerprint() == derived.Fingerprint() {
		return nil
	}
	return p.differs(&Mismatch{
		Sequence: info.Sequence, What: "snapshot",
		Recorded: kept.Fingerprint().String(), Derived: derived.Fingerprint().String(),
	}, fsm.Diff(kept, derived))
}

// snapshot reads the state that a replay begins with.
func (p *prover) snapshot(sequence uint64) (fsm.State, error) {
	at := slices.IndexFunc(p.snapshots, func(s journal.Snapshot) bool { return s.Sequence == sequence })
	if at < 0 {
		return fsm.State{}, fmt.Errorf("%w: there is none at event %d", ErrSnapshot, sequence)
	}
	return ReadSnapshot(p.j, p.snapshots[at])
}

// errDiffers ends a replay at a difference.
var errDiffers = errors.New("differs")

// differs keeps a difference if it is the first so far.
func (p *prover) differs(m *Mismatch, rows []fsm.Difference) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.proof.First == nil || m.Sequence < p.proof.First.Sequence {
		p.proof.First, p.proof.Rows = m, rows
	}
	return errDiffers
}
