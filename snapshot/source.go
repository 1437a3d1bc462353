package snapshot

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/klauspost/compress/zstd"
	"github.com/zeebo/xxh3"
)

// source reads the frames of a stream and makes sure that they are whole and
// in their order.
type source struct {
	r       io.Reader
	offset  int64 // bytes read
	content int64 // canonical bytes seen
	digest  *xxh3.Hasher
	at      frame // the last frame read
	short   bool  // a chunk was not full, so it must be the last
	input   []byte
	unzip   *zstd.Decoder // made when first needed
	output  []byte
}

// frame is one frame as it was read. The content is good until the next one.
type frame struct {
	kind, method byte
	number       int // -1 before the first
	offset       int64
	content      []byte
}

// newSource reads what comes before the first frame.
func newSource(r io.Reader) (*source, error) {
	s := &source{r: r, digest: xxh3.New(), at: frame{number: -1}}
	start, err := s.read(len(magic) + 1)
	if err != nil {
		return nil, s.broken(err)
	}
	if string(start[:len(magic)]) != magic {
		return nil, s.damaged("does not begin like a snapshot", nil)
	}
	if start[len(magic)] != Version {
		return nil, fmt.Errorf("%w: %d (this is %d)", ErrVersion, start[len(magic)], Version)
	}
	return s, nil
}

func (s *source) close() {
	if s.unzip != nil {
		s.unzip.Close()
	}
}

// damaged blames the last frame, as far as it was read.
func (s *source) damaged(reason string, cause error) error {
	return &Damage{s.at.number, s.at.offset, s.offset - s.at.offset, reason, cause}
}

// broken is the error for a read that failed.
func (s *source) broken(err error) error {
	if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
		return s.damaged("the stream ends early", io.ErrUnexpectedEOF)
	}
	return fmt.Errorf("snapshot: read chunk %d: %w", s.at.number, err)
}

// read appends n bytes, at most a frame's, to the input and returns them.
func (s *source) read(n int) ([]byte, error) {
	begin := len(s.input)
	s.input = append(s.input, make([]byte, n)...)
	got, err := io.ReadFull(s.r, s.input[begin:])
	s.offset += int64(got)
	return s.input[begin:], err
}

// next reads the next frame.
func (s *source) next() error {
	s.at = frame{number: s.at.number + 1, offset: s.offset}
	s.input = s.input[:0]
	head, err := s.read(headBytes)
	if err != nil {
		return s.broken(err)
	}
	number := binary.BigEndian.Uint32(head[2:])
	length := binary.BigEndian.Uint32(head[6:])
	stored := binary.BigEndian.Uint32(head[10:])
	s.at.kind, s.at.method = head[0], head[1]
	if stored > ChunkBytes {
		return s.damaged("the frame is longer than any", nil)
	}
	if _, err := s.read(int(stored) + sumBytes); err != nil {
		return s.broken(err)
	}
	end := headBytes + int(stored)
	if crc32.Checksum(s.input[:end], castagnoli) != binary.BigEndian.Uint32(s.input[end:]) {
		return s.damaged("the checksum does not match", nil)
	}
	if int64(number) != int64(s.at.number) {
		return s.damaged(fmt.Sprintf("the frame is number %d", number), nil)
	}
	if err := s.order(int(length)); err != nil {
		return err
	}
	return s.unpack(s.input[headBytes:end], int(length))
}

// order checks that a frame with a content of such a length may come here.
func (s *source) order(length int) error {
	first, rows := s.at.kind == frameHeader, s.at.kind == frameRows
	switch {
	case first != (s.at.number == 0) || !first && !rows && s.at.kind != frameEnd:
		return s.damaged(fmt.Sprintf("a frame of kind %d does not belong here", s.at.kind), nil)
	case length == 0 || length > ChunkBytes:
		return s.damaged("the content has an impossible length", nil)
	case rows && s.short:
		return s.damaged("the chunk before was not full", nil)
	}
	s.short = rows && length < ChunkBytes
	return nil
}

// unpack makes the content from the payload.
func (s *source) unpack(payload []byte, length int) error {
	switch {
	case s.at.method == methodPlain && length == len(payload):
		s.at.content = payload
	case s.at.method == methodZstd && s.at.kind == frameRows && length <= maxRatio*len(payload):
		if err := s.decompress(payload, length); err != nil {
			return s.damaged("the payload does not decompress to its content", err)
		}
	default:
		return s.damaged("a content of this length is not stored in this way", nil)
	}
	if s.at.kind != frameEnd {
		s.content += int64(length)
		s.digest.Write(s.at.content) // never fails
	}
	return nil
}

func (s *source) decompress(payload []byte, length int) (err error) {
	if s.unzip == nil {
		s.unzip, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecodeAllCapLimit(true),
			zstd.WithDecoderMaxMemory(ChunkBytes))
		if err != nil {
			return err
		}
	}
	if cap(s.output) < length {
		s.output = make([]byte, 0, length)
	}
	s.at.content, err = s.unzip.DecodeAll(payload, s.output[:0:length])
	if err == nil && len(s.at.content) != length {
		err = fmt.Errorf("%d bytes of %d", len(s.at.content), length)
	}
	return err
}

// finish makes sure that nothing follows the end.
func (s *source) finish() error {
	s.at = frame{number: s.at.number + 1, offset: s.offset}
	s.input = s.input[:0]
	switch _, err := s.read(1); err {
	case io.EOF:
		return nil
	case nil:
		return s.damaged("bytes follow the end", nil)
	default:
		return s.broken(err)
	}
}
