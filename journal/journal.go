package journal

import (
	"errors"
	"io"
	"iter"
)

// Journal is a sequence of records that only grows, and snapshots beside it.
type Journal interface {
	// Genesis is what the journal was created with.
	Genesis() Genesis

	// Last is the sequence of the last record, and the Genesis's Base if there
	// is none yet. Only durable records count.
	Last() uint64

	// Head is the hash of the genesis and all records up to Last.
	Head() Head

	// Append adds records and returns once they are durable: all of them, or,
	// if it returns an error, none that Last counts. The first must have the
	// sequence after Last, each other the one after its predecessor
	// (ErrSequence). The records' bytes are not kept. After an error that
	// matches ErrFailed the records may or may not turn out to be there when
	// the journal is opened again.
	Append(records ...Record) error

	// Scan yields the records from one sequence to another, both included, in
	// order; from 0 is the first record kept, to 0 the last. It ends at Last as
	// it is when the iteration begins. A record's bytes are valid until the
	// next one is asked for. An error ends the iteration: a Damage, or
	// ErrArchived if from lies before the first record that is kept.
	Scan(from, to uint64) iter.Seq2[Record, error]

	// Snapshots lists the complete snapshots by ascending sequence. Where the
	// list is damaged, it returns what can still be read, and a Damage.
	Snapshots() ([]Snapshot, error)

	// CreateSnapshot begins a snapshot of the state after the record of that
	// sequence. It replaces nothing: if there is one already, the error matches
	// fs.ErrExist. One snapshot can be written at a time.
	CreateSnapshot(sequence uint64, fingerprint [FingerprintSize]byte) (SnapshotWriter, error)

	// OpenSnapshot reads a complete snapshot. If there is none at that
	// sequence, the error matches fs.ErrNotExist, as may that of a Read after
	// the snapshot has been deleted. A Read never returns a byte whose checksum
	// does not match.
	OpenSnapshot(sequence uint64) (io.ReadCloser, error)

	// DeleteSnapshot removes a complete snapshot. If there is none at that
	// sequence, the error matches fs.ErrNotExist.
	DeleteSnapshot(sequence uint64) error

	// Close lets go of the journal. It does not wait for iterations and
	// snapshot readers or writers: they fail with ErrClosed.
	Close() error
}

// Snapshot describes a complete snapshot of the state after one record.
type Snapshot struct {
	Sequence    uint64
	Fingerprint [FingerprintSize]byte // of the state
	Bytes       uint64                // its length
}

// SnapshotWriter takes the bytes of one snapshot, which stays invisible until
// Commit. It is for one goroutine.
type SnapshotWriter interface {
	io.Writer
	// Commit makes the snapshot durable and visible. Its record must be
	// durable by then (ErrSequence).
	Commit() error
	// Close gives the snapshot up, unless it has been committed.
	Close() error
}

// Errors to match with errors.Is.
var (
	// ErrLocked: another process, or another File of this one, writes to the
	// file.
	ErrLocked = errors.New("journal: the file is being written by someone else")
	// ErrFailed: a commit has failed; the journal must be opened again.
	ErrFailed = errors.New("journal: a commit has failed, open the journal again")
	// ErrClosed: the journal was closed.
	ErrClosed = errors.New("journal: closed")
	// ErrReadOnly: the journal was opened for reading.
	ErrReadOnly = errors.New("journal: opened for reading only")
	// ErrSequence: a record, or a snapshot, does not stand where it claims to.
	ErrSequence = errors.New("journal: sequence out of order")
	// ErrArchived: the record lies before the journal's base.
	ErrArchived = errors.New("journal: the record is in an archive")
	// ErrRecord: the record's parts are too long, empty or not of their form.
	ErrRecord = errors.New("journal: malformed record")
	// ErrFormat: the file is of a newer format than this program knows.
	ErrFormat = errors.New("journal: unknown format")
	// ErrDamaged is matched by every Damage.
	ErrDamaged = errors.New("journal: damaged")
	// ErrHead: the journal is intact, but not the one whose head was noted.
	ErrHead = errors.New("journal: not the journal of this head")
	// ErrJoin: a journal and an archive do not belong together.
	ErrJoin = errors.New("journal: not an archive of this journal")
	// ErrNothingToCut: Compact would leave no record out.
	ErrNothingToCut = errors.New("journal: nothing to cut")
	// errSnapshotOpen: one snapshot at a time.
	errSnapshotOpen = errors.New("journal: another snapshot is being written")
)
