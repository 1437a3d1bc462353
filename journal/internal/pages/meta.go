package pages

import (
	"encoding/binary"
	"hash/fnv"
)

// Size is the length of a page in bytes. Journals are created with it on
// every machine, whatever the pages of its memory are.
const Size = 4096

// The layout of a page's header: id, flags, count, overflow.
const (
	headerSize   = 16
	flagsOffset  = 8
	countOffset  = 10
	spreadOffset = 12 // bbolt calls it overflow: how many more pages it takes
)

// The flags of a page. Exactly one is set.
const (
	branchFlag   = 0x01
	leafFlag     = 0x02
	metaFlag     = 0x04
	freelistFlag = 0x10
)

// The layout of a meta page, after the page's header.
const (
	metaLength     = 64
	metaMagic      = 0xED0CDAED
	metaVersion    = 2
	metaChecksumed = 56         // bytes that the checksum covers
	noFreelist     = ^uint64(0) // a freelist that was not written
	metaEnd        = headerSize + metaLength
)

// meta is what one of the two meta pages says.
type meta struct {
	root     uint64 // page of the root bucket's tree
	freelist uint64 // page of the list of free pages, or noFreelist
	pages    uint64 // the first page id never used: no page has a higher one
	commit   uint64 // number of the commit that wrote it
}

// parseMeta reads the meta page id from the first metaEnd bytes of the page.
func parseMeta(id uint64, b []byte) (meta, error) {
	at := int64(id)*Size + headerSize
	m := b[headerSize:metaEnd]
	u32, u64 := binary.LittleEndian.Uint32, binary.LittleEndian.Uint64
	if u64(b) != id || u32(b[flagsOffset:]) != metaFlag || u32(b[spreadOffset:]) != 0 {
		return meta{}, damaged(at-headerSize, headerSize, "meta page %d does not begin like one", id)
	}
	if u32(m) != metaMagic {
		return meta{}, damaged(at, 4, "meta page %d does not begin with bbolt's magic number", id)
	}
	sum := fnv.New64a()
	sum.Write(m[:metaChecksumed])
	if sum.Sum64() != u64(m[metaChecksumed:]) {
		return meta{}, damaged(at, metaLength, "meta page %d fails its checksum", id)
	}
	if v := u32(m[4:]); v != metaVersion {
		return meta{}, damaged(at+4, 4, "bbolt format %d, not %d", v, metaVersion)
	}
	if s := u32(m[8:]); s != Size {
		return meta{}, damaged(at+8, 4, "pages of %d bytes, not %d", s, Size)
	}
	r := meta{root: u64(m[16:]), freelist: u64(m[32:]), pages: u64(m[40:]), commit: u64(m[48:])}
	switch {
	case u32(m[12:]) != 0 || u64(m[24:]) != 0:
		return meta{}, damaged(at+12, 20, "meta page %d uses a reserved field", id)
	case r.commit%2 != id:
		return meta{}, damaged(at+48, 8, "meta page %d holds commit %d, which belongs on the other", id, r.commit)
	case r.pages < 4 || r.pages > maxPages:
		return meta{}, damaged(at+40, 8, "meta page %d counts %d pages", id, r.pages)
	case r.root < 2 || r.root >= r.pages:
		return meta{}, damaged(at+16, 8, "meta page %d has its root on page %d of %d", id, r.root, r.pages)
	case r.freelist != noFreelist && (r.freelist < 2 || r.freelist >= r.pages):
		return meta{}, damaged(at+32, 8, "meta page %d has its freelist on page %d of %d", id, r.freelist, r.pages)
	}
	return r, nil
}

// maxPages bounds a file to 2^47 bytes, so that no offset overflows.
const maxPages = 1 << 35
