package snapshot

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/klauspost/compress/zstd"
	"github.com/zeebo/xxh3"
)

const (
	// Version is the version of the format that Write makes. Read reads it and
	// all versions before.
	Version = 1
	// ChunkBytes is the length of a chunk's content: that of one block of zstd.
	ChunkBytes = 128 << 10
	// MaxFrameBytes is the length of the longest frame, and of the longest
	// call of w.Write that Write makes.
	MaxFrameBytes = headBytes + ChunkBytes + sumBytes

	headBytes = 14
	sumBytes  = 4

	magic = "LKSNAP\x00"

	// maxRatio is how many times longer than its payload a content may be. It
	// bounds what a small input can make a reader do. Most states pack 3:1;
	// what packs better than maxRatio is padded.
	maxRatio = 32
)

// The kinds of frames.
const (
	frameHeader = iota + 1
	frameRows
	frameEnd
)

// The methods by which a payload is made from its content.
const (
	methodPlain = iota
	methodZstd
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// frames writes contents as frames, each with one call of w.Write.
type frames struct {
	w       io.Writer
	number  uint32 // of the next frame
	size    int64  // bytes written
	content int64  // canonical bytes seen
	digest  *xxh3.Hasher
	zip     *zstd.Encoder
	zipped  []byte
	frame   []byte
}

func newFrames(w io.Writer) (*frames, error) {
	// One goroutine, one level, no checksum beside our own: for one release of
	// the library, equal contents give equal payloads.
	zip, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest),
		zstd.WithWindowSize(ChunkBytes), zstd.WithEncoderCRC(false))
	if err != nil {
		return nil, fmt.Errorf("snapshot: %w", err)
	}
	return &frames{w: w, digest: xxh3.New(), zip: zip, frame: append([]byte(magic), Version)}, nil
}

// put writes one frame. The first one has the magic in front.
func (f *frames) put(kind byte, content []byte) error {
	if kind != frameEnd {
		f.content += int64(len(content))
		f.digest.Write(content) // never fails
	}
	method, payload := f.pack(kind, content)
	begin := len(f.frame)
	b := append(f.frame, kind, method)
	b = binary.BigEndian.AppendUint32(b, f.number)
	b = binary.BigEndian.AppendUint32(b, uint32(len(content)))
	b = binary.BigEndian.AppendUint32(b, uint32(len(payload)))
	b = append(b, payload...)
	b = binary.BigEndian.AppendUint32(b, crc32.Checksum(b[begin:], castagnoli))
	if _, err := f.w.Write(b); err != nil {
		return fmt.Errorf("snapshot: write chunk %d: %w", f.number, err)
	}
	f.number++
	f.size += int64(len(b))
	f.frame = b[:0]
	return nil
}

func (f *frames) pack(kind byte, content []byte) (method byte, payload []byte) {
	if kind != frameRows {
		return methodPlain, content
	}
	f.zipped = f.zip.EncodeAll(content, f.zipped[:0])
	if len(f.zipped) >= len(content) {
		return methodPlain, content
	}
	f.zipped = pad(f.zipped, (len(content)+maxRatio-1)/maxRatio)
	return methodZstd, f.zipped
}

// pad makes zstd data at least so long with a frame that decoders skip.
func pad(zipped []byte, length int) []byte {
	const skippable, skippableHead = 0x184D2A50, 8
	missing := length - len(zipped)
	if missing <= 0 {
		return zipped
	}
	missing = max(missing-skippableHead, 0)
	zipped = binary.LittleEndian.AppendUint32(zipped, skippable)
	zipped = binary.LittleEndian.AppendUint32(zipped, uint32(missing))
	return append(zipped, make([]byte, missing)...)
}
