package pages

import (
	"encoding/binary"
	"errors"
	"slices"
)

// Check accounts for every page of the view: each belongs to exactly one tree,
// to the freelist, or is free. A writer that trusted a broken account would
// overwrite pages in use.
//
// Branches are read, leaves are not (a leaf is read where it seems to spread
// over more pages, and where nested tells that a top bucket holds buckets), so
// it takes about a hundredth of reading the file. Without a freelist it reads
// everything, because bbolt will. Memory is a bit a page and the freelist.
func (v View) Check(nested func(bucket string) bool) (Account, error) {
	c := checker{nested: nested, used: make([]uint64, v.meta.pages/64+1)}
	c.reader.use(v)
	c.mark(0, 2)
	if err := c.freelist(); err != nil {
		return Account{}, err
	}
	if err := c.tree(v.meta.root, true, true); err != nil {
		return Account{}, err
	}
	if err := c.gaps(); err != nil {
		return Account{}, err
	}
	return c.account, nil
}

// Account is what Check counts.
type Account struct {
	Pages uint64 // in all
	Free  uint64 // on the freelist
	// Listed is false if the file holds no freelist: the next writer finds the
	// free pages by going through the whole file.
	Listed bool
}

// checker is one run of Check.
type checker struct {
	reader  reader
	nested  func(bucket string) bool
	used    []uint64 // a bit a page
	account Account
}

// mark notes that n pages from id on are in use.
func (c *checker) mark(id, n uint64) error {
	for end := id + n; id < end; id++ {
		if c.marked(id) {
			return pageDamaged(id, "is used twice, or used and free")
		}
		c.used[id/64] |= 1 << (id % 64)
	}
	return nil
}

// marked tells whether a page is known to be in use.
func (c *checker) marked(id uint64) bool { return c.used[id/64]>>(id%64)&1 == 1 }

// freelist marks the free pages and the pages that list them.
func (c *checker) freelist() error {
	m := c.reader.view.meta
	c.account = Account{Pages: m.pages, Listed: m.freelist != noFreelist}
	if !c.account.Listed {
		return nil
	}
	ids, spread, err := c.reader.freelist(m.freelist)
	if err != nil {
		return err
	}
	if err := c.mark(m.freelist, spread+1); err != nil {
		return err
	}
	last := uint64(1)
	for i := 0; i < len(ids); i += 8 {
		id := binary.LittleEndian.Uint64(ids[i:])
		if id <= last || id >= m.pages {
			return pageDamaged(m.freelist, "lists page %d after %d as free, of %d pages", id, last, m.pages)
		}
		if err := c.mark(id, 1); err != nil {
			return err
		}
		last = id
	}
	c.account.Free = uint64(len(ids) / 8)
	return nil
}

// freelist reads the ids of the free pages, eight bytes each, and over how
// many further pages they spread.
func (r *reader) freelist(id uint64) (ids []byte, spread uint64, err error) {
	header, err := r.read(r.window, id, Size)
	if err != nil {
		return nil, 0, err
	}
	r.window = r.window[:0]
	spread = uint64(binary.LittleEndian.Uint32(header[spreadOffset:]))
	flags := binary.LittleEndian.Uint16(header[flagsOffset:])
	if binary.LittleEndian.Uint64(header) != id || flags != freelistFlag || id+spread >= r.view.meta.pages {
		return nil, 0, pageDamaged(id, "is not the freelist that it should be")
	}
	data, err := r.read(nil, id, int(spread+1)*Size)
	if err != nil {
		return nil, 0, err
	}
	count := uint64(binary.LittleEndian.Uint16(data[countOffset:]))
	data = data[headerSize:]
	if count == 0xFFFF { // the true count did not fit and comes first
		count, data = binary.LittleEndian.Uint64(data), data[8:]
	}
	if count > uint64(len(data)/8) {
		return nil, 0, pageDamaged(id, "lists %d free pages and has no room for them", count)
	}
	return data[:count*8], spread, nil
}

// tree marks the pages of a tree. Leaves are read only if they hold buckets.
func (c *checker) tree(root uint64, buckets, top bool) error {
	height := 0
	for id := root; ; height++ {
		p, err := c.reader.page(id, 1)
		if err != nil {
			return err
		}
		if p.leaf {
			break
		}
		if height == maxDepth {
			return pageDamaged(id, "lies more than %d levels deep", maxDepth)
		}
		id = p.child(0)
	}
	return c.walk(root, height, buckets, top)
}

// walk marks page id, which stands height levels above the leaves, and what
// hangs below it.
func (c *checker) walk(id uint64, height int, buckets, top bool) error {
	if height == 0 && !buckets && c.account.Listed {
		return c.mark(id, 1) // how far it spreads comes out in gaps
	}
	p, err := c.reader.page(id, 1)
	if err != nil {
		return err
	}
	if p.leaf != (height == 0) {
		return pageDamaged(id, "stands on the wrong level of its tree")
	}
	if err := c.mark(id, uint64(len(p.data)/Size)); err != nil {
		return err
	}
	if p.leaf && buckets {
		return c.buckets(p, top)
	}
	if p.leaf {
		return nil
	}
	children := make([]uint64, p.count) // the page will be gone
	for i := range children {
		children[i] = p.child(i)
	}
	for _, child := range children {
		if err := c.walk(child, height-1, buckets, top); err != nil {
			return err
		}
	}
	return nil
}

// buckets goes through the buckets whose headers are on a leaf.
func (c *checker) buckets(p page, top bool) error {
	p.data = slices.Clone(p.data)
	for i := range p.count {
		var e Element
		p.read(i, &e)
		if !e.Bucket {
			return damaged(e.Offset, int64(len(e.Value)), "%q is no bucket", e.Key)
		}
		t, err := e.tree(c.reader.view.meta.pages)
		if err != nil {
			return err
		}
		if t.root == 0 {
			continue
		}
		if err := c.tree(t.root, top && c.nested(string(e.Key)), false); err != nil {
			return err
		}
	}
	return nil
}

// gaps looks at the pages that nothing has marked: they have to be what the
// leaf before them spreads over.
func (c *checker) gaps() error {
	pages := c.reader.view.meta.pages
	for id := uint64(2); id < pages; id++ {
		if c.marked(id) {
			continue
		}
		end := id
		for end < pages && !c.marked(end) {
			end++
		}
		if c.account.Listed {
			if err := c.spreads(id-1, end-id); err != nil {
				return err
			}
		}
		id = end
	}
	return nil
}

// spreads checks that page id is a leaf that spreads over n more pages.
func (c *checker) spreads(id, n uint64) error {
	p, err := c.reader.page(id, 1)
	var damage *Damage
	if err != nil && !errors.As(err, &damage) {
		return err
	}
	if err != nil || !p.leaf || len(p.data) != int(n+1)*Size {
		return damaged(int64(id+1)*Size, int64(n)*Size, "pages %d to %d are neither used nor free", id+1, id+n)
	}
	return nil
}
