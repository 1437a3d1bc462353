package journal

import (
	"encoding/binary"
	"hash/crc32"
)

// chunkKey is the length of a chunk's key: its number, big-endian.
const chunkKey = 4

// chunkSeed is where the checksums of a snapshot's chunks begin: with the
// CRC-32C of its sequence, big-endian.
func chunkSeed(sequence uint64) uint32 {
	return crc32.Checksum(sequenceKey(sequence), castagnoli)
}

// appendChunk appends a chunk's entry as it is stored: its key, its bytes and
// their checksum, big-endian.
func appendChunk(dst []byte, seed, number uint32, data []byte) []byte {
	start := len(dst)
	dst = append(binary.BigEndian.AppendUint32(dst, number), data...)
	return binary.BigEndian.AppendUint32(dst, crc32.Update(seed, castagnoli, dst[start:]))
}

// cutChunk is the bytes of a chunk's entry, if its checksum is right.
func cutChunk(seed uint32, entry []byte) ([]byte, bool) {
	n := len(entry) - 4
	if n <= chunkKey || n > chunkKey+chunkSize || binary.BigEndian.Uint32(entry[n:]) != crc32.Update(seed, castagnoli, entry[:n]) {
		return nil, false
	}
	return entry[chunkKey:n], true
}
