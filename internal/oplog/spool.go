package oplog

import (
	"bytes"
	"fmt"
	"io"
	"os"
)

// spoolMemory is how much of an input is spooled to memory before a temporary
// file is made.
const spoolMemory = 4 << 20

// position tells whether r can be read twice, and where it stands. Terminals,
// pipes and sockets have the methods but refuse to seek.
func position(r io.Reader) (origin int64, replayable bool) {
	input, ok := r.(interface {
		io.ReaderAt
		io.Seeker
	})
	if !ok {
		return 0, false
	}
	origin, err := input.Seek(0, io.SeekCurrent)
	return origin, err == nil
}

// spoolObject takes in the rest of an input that cannot be read twice.
func (r *Reader) spoolObject(input io.Reader) error {
	read := bytes.NewReader(r.s.buf[r.s.pos:r.s.end])
	spooled, closer, err := spool(io.MultiReader(read, input))
	if err != nil {
		return fmt.Errorf("oplog: spooling %s: %w", r.s.name, err)
	}
	r.spooled = closer
	return r.openObject(spooled, -r.s.offset())
}

func spool(r io.Reader) (io.ReaderAt, io.Closer, error) {
	var memory bytes.Buffer
	_, err := io.CopyN(&memory, r, spoolMemory)
	if err == io.EOF {
		return bytes.NewReader(memory.Bytes()), nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	file, err := os.CreateTemp("", "leasekeeper-*.json")
	if err != nil {
		return nil, nil, err
	}
	// Where a file can be used without its name, it has none from here on, so
	// that nothing is left behind however the process ends.
	temporary := temporaryFile{file, os.Remove(file.Name()) == nil}
	if _, err := io.Copy(file, io.MultiReader(&memory, r)); err != nil {
		_ = temporary.Close()
		return nil, nil, err
	}
	return file, temporary, nil
}

// temporaryFile is a file that is removed at the latest when it is closed.
type temporaryFile struct {
	*os.File
	nameless bool
}

func (f temporaryFile) Close() error {
	err := f.File.Close()
	if f.nameless {
		return err
	}
	if removed := os.Remove(f.Name()); err == nil {
		err = removed
	}
	return err
}
