package journal

import (
	"encoding/binary"
	"hash/crc32"
)

// castagnoli is the polynomial of all checksums: CRC-32C.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// checksumSize is the length of the checksum that ends a stored array: a
// uint 32, always in the long form, so that it is found from the end.
const checksumSize = 5

// appendChecksum appends the checksum of an entry, which is all of dst from
// start on: the key that the array is stored under, and the array so far.
func appendChecksum(dst []byte, start int) []byte {
	sum := crc32.Checksum(dst[start:], castagnoli)
	return binary.BigEndian.AppendUint32(append(dst, tagUint32), sum)
}

// checked is an entry without its checksum, if that is right.
func checked(entry []byte) ([]byte, bool) {
	n := len(entry) - checksumSize
	if n < 0 || entry[n] != tagUint32 || binary.BigEndian.Uint32(entry[n+1:]) != crc32.Checksum(entry[:n], castagnoli) {
		return nil, false
	}
	return entry[:n], true
}
