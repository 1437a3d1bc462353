package journal

import "slices"

// memoryWriter writes a snapshot of a Memory.
type memoryWriter struct {
	journal *Memory
	memorySnapshot
	done bool
}

// CreateSnapshot implements Journal.
func (m *Memory) CreateSnapshot(sequence uint64, fingerprint [FingerprintSize]byte) (SnapshotWriter, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return nil, ErrClosed
	}
	if m.writing {
		return nil, errSnapshotOpen
	}
	if _, ok := m.find(sequence); ok {
		return nil, haveSnapshot(sequence)
	}
	m.writing = true
	s := Snapshot{Sequence: sequence, Fingerprint: fingerprint}
	return &memoryWriter{journal: m, memorySnapshot: memorySnapshot{Snapshot: s}}, nil
}

// Write implements io.Writer.
func (w *memoryWriter) Write(p []byte) (int, error) {
	w.journal.mu.RLock()
	defer w.journal.mu.RUnlock()
	if w.done || w.journal.closed {
		return 0, ErrClosed
	}
	w.content = append(w.content, p...)
	return len(p), nil
}

// Commit implements SnapshotWriter.
func (w *memoryWriter) Commit() error {
	m := w.journal
	m.mu.Lock()
	defer m.mu.Unlock()
	if w.done || m.closed {
		return ErrClosed
	}
	if err := validSnapshot(w.Sequence, m.genesis, m.chain.sequence); err != nil {
		return err
	}
	w.done, m.writing = true, false
	w.Bytes = uint64(len(w.content))
	i, _ := m.find(w.Sequence)
	m.snapshots = slices.Insert(m.snapshots, i, w.memorySnapshot)
	return nil
}

// Close implements SnapshotWriter.
func (w *memoryWriter) Close() error {
	w.journal.mu.Lock()
	defer w.journal.mu.Unlock()
	if !w.done {
		w.done, w.journal.writing = true, false
	}
	return nil
}
