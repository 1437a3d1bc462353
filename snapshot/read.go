package snapshot

import (
	"io"

	"github.com/leasekeeper/leasekeeper/fsm"
)

// Read reads a state from r, to its end. The state keeps every invariant, and
// its fingerprint is the one in the header.
//
// Errors match ErrCorrupt or ErrVersion if the bytes are not what Write makes,
// and otherwise are r's. O(n log n) for n rows; whatever the bytes, memory is
// in proportion to their number.
func Read(r io.Reader) (fsm.State, error) {
	s, info, err := open(r)
	if err != nil {
		return fsm.State{}, err
	}
	defer s.close()
	into, err := fsm.NewRestorer(info.Whole)
	if err != nil {
		return fsm.State{}, s.damaged("a header that cannot be", err)
	}
	rows := rowReader{decoder: decoder{source: s, flows: true}, info: info, into: into}
	if err := rows.all(); err != nil {
		return fsm.State{}, err
	}
	if err := s.end(&info); err != nil {
		return fsm.State{}, err
	}
	if info.Rows != rows.count {
		return fsm.State{}, whole(info, "the end counts other rows than there are", nil)
	}
	state, err := into.Finish()
	if err != nil {
		return fsm.State{}, whole(info, "the rows do not make up a state", err)
	}
	if state.Fingerprint() != info.Fingerprint {
		return fsm.State{}, whole(info, "the state's fingerprint is "+state.Fingerprint().String()+
			", the header says "+info.Fingerprint.String(), nil)
	}
	if !info.Started || info.Sequence == 0 {
		empty, err := fsm.New(info.Rules)
		if err == nil && info.Started { // somebody asked for a state before the first event
			empty = empty.At(info.Clock)
		}
		if err != nil || empty.Fingerprint() != info.Fingerprint {
			return fsm.State{}, whole(info, "a state that no event has led to is not empty", err)
		}
	}
	return state, nil
}

// ReadHeader reads the header of a snapshot and no more of r. It knows nothing
// of the rest, which may be damaged.
func ReadHeader(r io.Reader) (Info, error) {
	s, info, err := open(r)
	if err != nil {
		return Info{}, err
	}
	s.close()
	return info, nil
}

// Verify reads a snapshot to its end and makes sure that no bit of it has
// changed since it was written, in constant memory. Whether the rows make up a
// state only Read can tell. Errors are those of Read.
func Verify(r io.Reader) (Info, error) {
	s, info, err := open(r)
	if err != nil {
		return Info{}, err
	}
	defer s.close()
	for s.at.kind != frameEnd {
		if err := s.next(); err != nil {
			return Info{}, err
		}
	}
	if err := s.end(&info); err != nil {
		return Info{}, err
	}
	return info, nil
}

// open reads a stream up to its header.
func open(r io.Reader) (*source, Info, error) {
	s, err := newSource(r)
	if err != nil {
		return nil, Info{}, err
	}
	if err := s.next(); err != nil {
		return nil, Info{}, err
	}
	info := Info{Version: Version}
	d := decoder{source: s}
	d.load()
	info.readHeader(&d)
	if err := d.finish(); err != nil {
		return nil, Info{}, err
	}
	if _, err := fsm.NewRestorer(info.Whole); err != nil {
		return nil, Info{}, s.damaged("a header that cannot be", err)
	}
	return s, info, nil
}

// end reads the end, the source's last frame, and compares it with what came
// before.
func (s *source) end(info *Info) error {
	d := decoder{source: s}
	d.load()
	info.readEnd(&d)
	if err := d.finish(); err != nil {
		return err
	}
	if info.Content != s.content || info.Digest != s.digest.Sum128().Bytes() {
		return s.damaged("the digest of the content does not match", nil)
	}
	info.Size = s.offset
	return s.finish()
}

// whole blames a stream that was read to its end.
func whole(info Info, reason string, cause error) error {
	return &Damage{-1, 0, info.Size, reason, cause}
}
