package pages

import (
	"bytes"
	"encoding/binary"
)

// bucketFlag marks an element of a leaf whose value is a bucket.
const bucketFlag = 1

// The lengths of an element in a page's table: flags, position, key and value
// lengths on a leaf; position, key length and child on a branch.
const elementSize = 16

// page is a page of a tree whose table has been checked: elements can be
// taken from it without another thought.
type page struct {
	data  []byte // whole, with the pages it spreads over
	at    int64  // file offset of data
	leaf  bool
	count int
}

// Element is a key and its value on a leaf. They are valid until the cursor
// that returned them moves on.
type Element struct {
	Key, Value []byte
	// Entry is both, which lie one after the other in the file.
	Entry []byte
	// Bucket says that the value is a nested bucket's header.
	Bucket bool
	// Offset is the file offset of Value.
	Offset int64
}

// parsePage checks the page that data holds: a header of the right id, a
// table within bounds, its keys and values one after another without a gap,
// keys ascending, and no more pages than it needs. limit is the first page id
// out of range; an inline page (id 0) may take any number of bytes, but must
// take them all.
func parsePage(id uint64, data []byte, at int64, limit uint64) (page, error) {
	p := page{data: data, at: at}
	if len(data) < headerSize {
		return p, damaged(at, int64(len(data)), "a page of %d bytes has no room for its header", len(data))
	}
	if got := binary.LittleEndian.Uint64(data); got != id {
		return p, damaged(at, 8, "page %d says that it is page %d", id, got)
	}
	switch flags := binary.LittleEndian.Uint16(data[flagsOffset:]); flags {
	case leafFlag:
		p.leaf = true
	case branchFlag:
	default:
		return p, damaged(at+flagsOffset, 2, "page %d has flags %#x, neither a leaf's nor a branch's", id, flags)
	}
	p.count = int(binary.LittleEndian.Uint16(data[countOffset:]))
	next := headerSize + p.count*elementSize // where the next key has to begin
	if next > len(data) || p.count == 0 && !p.leaf {
		return p, damaged(at+countOffset, 2, "page %d counts %d elements", id, p.count)
	}
	var last []byte
	for i := range p.count {
		middle, end, ok := p.checkRow(i, next, limit)
		if !ok {
			return p, damaged(at+int64(headerSize+i*elementSize), elementSize, "row %d of the table of page %d cannot be right", i, id)
		}
		key := data[next:middle]
		if bytes.Compare(last, key) >= 0 {
			return p, damaged(at+int64(next), int64(end-next), "page %d: key %d does not come after the one before it", id, i)
		}
		next, last = end, key
	}
	spread := binary.LittleEndian.Uint32(data[spreadOffset:])
	if id == 0 && (next != len(data) || spread != 0) || id != 0 && (next+Size-1)/Size != len(data)/Size {
		return p, damaged(at+spreadOffset, 4, "page %d takes %d bytes, but its elements %d", id, len(data), next)
	}
	return p, nil
}

// checkRow checks row i of the table, whose key has to begin at start, and
// returns where the key and the value end.
func (p *page) checkRow(i, start int, limit uint64) (middle, end int, ok bool) {
	row := headerSize + i*elementSize
	e := p.data[row : row+elementSize : row+elementSize]
	u32 := binary.LittleEndian.Uint32
	var position, keyLength, valueLength uint32
	if p.leaf {
		position, keyLength, valueLength = u32(e[4:]), u32(e[8:]), u32(e[12:])
		ok = u32(e) <= bucketFlag
	} else {
		position, keyLength = u32(e), u32(e[4:])
		child := binary.LittleEndian.Uint64(e[8:])
		ok = child >= 2 && child < limit
	}
	size := uint64(len(p.data))
	m := uint64(start) + uint64(keyLength)
	n := m + uint64(valueLength)
	ok = ok && uint64(row)+uint64(position) == uint64(start) && keyLength > 0 && n <= size
	return int(m), int(n), ok
}

// key is the key of element i.
func (p *page) key(i int) []byte {
	row := headerSize + i*elementSize
	field := row
	if p.leaf {
		field += 4
	}
	start := row + int(binary.LittleEndian.Uint32(p.data[field:]))
	return p.data[start : start+int(binary.LittleEndian.Uint32(p.data[field+4:]))]
}

// child is the page that element i of a branch leads to.
func (p *page) child(i int) uint64 {
	return binary.LittleEndian.Uint64(p.data[headerSize+i*elementSize+8:])
}

// read makes e element i of a leaf.
func (p *page) read(i int, e *Element) {
	row := headerSize + i*elementSize
	u32 := binary.LittleEndian.Uint32
	start := row + int(u32(p.data[row+4:]))
	middle := start + int(u32(p.data[row+8:]))
	end := middle + int(u32(p.data[row+12:]))
	e.Key = p.data[start:middle:middle]
	e.Value = p.data[middle:end:end]
	e.Entry = p.data[start:end:end]
	e.Bucket = u32(p.data[row:]) == bucketFlag
	e.Offset = p.at + int64(middle)
}

// find is the first element whose key is not before key, or count.
func (p *page) find(key []byte) int {
	low, high := 0, p.count
	for low < high {
		middle := (low + high) / 2
		if bytes.Compare(p.key(middle), key) < 0 {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low
}
