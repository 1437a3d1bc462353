package journal

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"slices"
	"sync"
)

// Memory is a Journal that is gone when the process ends. It behaves like a
// File in everything else, down to its heads.
type Memory struct {
	genesis Genesis

	mu        sync.RWMutex
	entries   [][]byte // the records as they would be stored
	chain     *chain
	snapshots []memorySnapshot // by sequence
	writing   bool
	closed    bool
}

// memorySnapshot is a complete snapshot.
type memorySnapshot struct {
	Snapshot
	content []byte
}

// NewMemory is an empty journal in memory.
func NewMemory(genesis Genesis) (*Memory, error) {
	if err := genesis.Validate(); err != nil {
		return nil, err
	}
	return &Memory{genesis: genesis, chain: chainOf(genesis)}, nil
}

// Genesis implements Journal.
func (m *Memory) Genesis() Genesis { return m.genesis }

// Last implements Journal.
func (m *Memory) Last() uint64 {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.chain.sequence
}

// Head implements Journal.
func (m *Memory) Head() Head {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.chain.head()
}

// Append implements Journal.
func (m *Memory) Append(records ...Record) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return ErrClosed
	}
	if err := checkSequence(records, m.chain.sequence); err != nil {
		return err
	}
	for i := range records {
		entry := records[i].append(nil)
		m.entries = append(m.entries, entry)
		m.chain.add(entry[keySize:])
	}
	return nil
}

// Scan implements Journal.
func (m *Memory) Scan(from, to uint64) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		first, last, err := span(from, to, m.genesis, m.Last())
		if err != nil {
			yield(Record{}, err)
			return
		}
		for sequence := first; sequence <= last; sequence++ {
			entry, err := m.entry(sequence)
			var r Record
			if err == nil {
				r, _ = decodeRecord(entry)
			}
			if !yield(r, err) || err != nil {
				return
			}
		}
	}
}

// entry is a record as it would be stored.
func (m *Memory) entry(sequence uint64) ([]byte, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	if m.closed {
		return nil, ErrClosed
	}
	return m.entries[sequence-m.genesis.Base.Sequence-1], nil
}

// Snapshots implements Journal.
func (m *Memory) Snapshots() ([]Snapshot, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	if m.closed {
		return nil, ErrClosed
	}
	var list []Snapshot
	for _, s := range m.snapshots {
		list = append(list, s.Snapshot)
	}
	return list, nil
}

// find is where the snapshot of a sequence is, or would be.
func (m *Memory) find(sequence uint64) (int, bool) {
	return slices.BinarySearchFunc(m.snapshots, sequence, func(s memorySnapshot, sequence uint64) int {
		switch {
		case s.Sequence < sequence:
			return -1
		case s.Sequence > sequence:
			return 1
		}
		return 0
	})
}

// OpenSnapshot implements Journal.
func (m *Memory) OpenSnapshot(sequence uint64) (io.ReadCloser, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	if m.closed {
		return nil, ErrClosed
	}
	i, ok := m.find(sequence)
	if !ok {
		return nil, noSnapshot(sequence)
	}
	return io.NopCloser(bytes.NewReader(m.snapshots[i].content)), nil
}

// DeleteSnapshot implements Journal.
func (m *Memory) DeleteSnapshot(sequence uint64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return ErrClosed
	}
	i, ok := m.find(sequence)
	if !ok {
		return noSnapshot(sequence)
	}
	m.snapshots = slices.Delete(m.snapshots, i, i+1)
	return nil
}

// Close implements Journal.
func (m *Memory) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed = true
	return nil
}

// noSnapshot says that there is no snapshot at a sequence.
func noSnapshot(sequence uint64) error {
	return fmt.Errorf("journal: no snapshot at %d: %w", sequence, fs.ErrNotExist)
}

// haveSnapshot says that there is one already.
func haveSnapshot(sequence uint64) error {
	return fmt.Errorf("journal: a snapshot at %d: %w", sequence, fs.ErrExist)
}

// span is what Scan has to yield: from and to with their defaults, within the
// records that there are.
func span(from, to uint64, g Genesis, last uint64) (first, end uint64, err error) {
	first = g.Base.Sequence + 1
	if from > 0 && from < first {
		return 0, 0, fmt.Errorf("%w: record %d, of a journal that begins with %d", ErrArchived, from, first)
	}
	if to == 0 || to > last {
		to = last
	}
	return max(from, first), to, nil
}
