package pages

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
)

// maxDepth bounds the levels of a tree. Real ones have two to five.
const maxDepth = 16

// Cursor goes through a bucket in the order of its keys. It is for one
// goroutine. When the file is written to meanwhile, it goes on in the newest
// tree, behind the last key that it returned.
type Cursor struct {
	file   *File
	path   []string
	reader reader
	fixed  bool // never moves to another view

	entered bool // reader and tree are of one view
	tree    tree
	placed  bool     // and so is the position
	stack   []branch // from the root down to the leaf's parent
	leaf    page
	index   int

	element Element // the last one returned
	started bool    // there is one
	last    []byte  // its key, once its leaf may be gone
	edge    []byte  // last key of the leaf before this one
	inline  []byte  // what tree.inline lies in
}

// branch is a branch page on the way to a leaf, and which of its children the
// way takes.
type branch struct {
	page
	index int
}

// Cursor is a cursor over the bucket that path leads to, from the root bucket
// down. A bucket that does not exist makes every call fail with an error that
// matches fs.ErrNotExist.
func (f *File) Cursor(path ...string) *Cursor { return &Cursor{file: f, path: path} }

// Seek moves to the first element whose key is not before key, in the newest
// tree. io.EOF says that there is none.
func (c *Cursor) Seek(key []byte) (*Element, error) {
	c.entered = c.entered && c.fixed
	return c.run(func() error { return c.seek(key) })
}

// Last moves to the last element of the newest tree. io.EOF says that there is
// none.
func (c *Cursor) Last() (*Element, error) {
	c.entered = c.entered && c.fixed
	return c.run(func() error { return c.descend(nil, true) })
}

// Next moves to the next element, at first to the first one. io.EOF says that
// there is none; Seek can make a new start then.
func (c *Cursor) Next() (*Element, error) {
	if c.placed && c.index+1 < c.leaf.count { // by far the most frequent
		c.index++
		c.leaf.read(c.index, &c.element)
		return &c.element, nil
	}
	return c.run(c.next)
}

// next is Next's step.
func (c *Cursor) next() error {
	switch {
	case !c.started:
		return c.seek(nil)
	case c.placed:
		return c.advance()
	}
	if err := c.seek(c.last); err != nil { // in a newer tree
		return err
	}
	if bytes.Equal(c.leaf.key(c.index), c.last) {
		return c.advance()
	}
	return nil
}

// moves is how often a cursor tries to read between two commits.
const moves = 10000

// run takes a step, again and again while the file moves under it, and
// returns the element it leads to.
func (c *Cursor) run(step func() error) (*Element, error) {
	if c.placed && c.started {
		c.last = append(c.last[:0], c.leaf.key(c.index)...) // the leaf may go
	}
	for range moves {
		err := c.enter()
		if err == nil {
			err = step()
		}
		if err == nil {
			c.started, c.placed = true, true
			c.leaf.read(c.index, &c.element)
			return &c.element, nil
		}
		if !errors.Is(err, io.EOF) {
			c.entered, c.placed = false, false
		}
		if c.fixed || !errors.Is(err, errMoved) {
			return nil, err
		}
	}
	return nil, ErrBusy
}

// enter takes the newest view and looks up the bucket in it, unless the
// cursor is in one already.
func (c *Cursor) enter() error {
	if c.entered {
		return nil
	}
	if !c.fixed {
		v, err := c.file.View()
		if err != nil {
			return err
		}
		c.reader.use(v)
	}
	limit := c.reader.view.meta.pages
	c.tree = tree{root: c.reader.view.meta.root}
	for _, name := range c.path {
		err := c.descend([]byte(name), false)
		if err == nil && c.index == c.leaf.count {
			err = io.EOF
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if err != nil || string(c.leaf.key(c.index)) != name {
			return fmt.Errorf("pages: no bucket %q: %w", name, fs.ErrNotExist)
		}
		var e Element
		c.leaf.read(c.index, &e)
		if !e.Bucket {
			return damaged(e.Offset, int64(len(e.Value)), "%q is no bucket", name)
		}
		c.inline = append(c.inline[:0], e.Value...) // the page it lies on will be gone
		e.Value = c.inline
		if c.tree, err = e.tree(limit); err != nil {
			return err
		}
	}
	c.entered = true
	return nil
}

// seek descends to key, and on to the next leaf if its own has none so high.
func (c *Cursor) seek(key []byte) error {
	if err := c.descend(key, false); err != nil {
		return err
	}
	if c.index < c.leaf.count {
		return nil
	}
	return c.advance()
}

// descend goes from the root to the leaf where key belongs, or to the last
// element. io.EOF says that the tree is empty.
func (c *Cursor) descend(key []byte, last bool) error {
	c.stack = c.stack[:0]
	if c.tree.root == 0 {
		c.leaf = c.tree.inline
	} else if err := c.down(c.tree.root, key, last, nil, 1); err != nil {
		return err
	}
	if c.leaf.count == 0 {
		return io.EOF
	}
	c.index = c.leaf.find(key)
	if last {
		c.index = c.leaf.count - 1
	}
	return nil
}

// down follows the way to key, or to the last element, from page id to a
// leaf. No key on the way may lie before lower.
func (c *Cursor) down(id uint64, key []byte, last bool, lower []byte, ahead uint64) error {
	for len(c.stack) < maxDepth {
		p, err := c.reader.page(id, ahead)
		if err != nil {
			return err
		}
		if lower != nil && (p.count == 0 || bytes.Compare(p.key(0), lower) < 0) {
			return pageDamaged(id, "does not begin with the key that led to it")
		}
		if p.leaf {
			c.leaf = p
			return nil
		}
		i := p.count - 1
		if !last {
			if i = p.find(key); i == p.count || i > 0 && !bytes.Equal(p.key(i), key) {
				i--
			}
		}
		b := c.push(p, i)
		id, lower = b.child(i), b.key(i)
	}
	return pageDamaged(id, "lies more than %d levels deep", maxDepth)
}

// push keeps a branch page on the stack, in memory of its own.
func (c *Cursor) push(p page, index int) *branch {
	var buffer []byte
	if n := len(c.stack); n < cap(c.stack) {
		buffer = c.stack[:n+1][n].data
	}
	p.data = append(buffer[:0], p.data...)
	c.stack = append(c.stack, branch{page: p, index: index})
	return &c.stack[len(c.stack)-1]
}

// advance goes to the next element, or, with io.EOF, stays behind the last.
func (c *Cursor) advance() error {
	if c.index+1 < c.leaf.count {
		c.index++
		return nil
	}
	level := len(c.stack) - 1
	for level >= 0 && c.stack[level].index+1 >= c.stack[level].count {
		level--
	}
	if level < 0 {
		c.index = c.leaf.count - 1
		return io.EOF
	}
	c.edge = append(c.edge[:0], c.leaf.key(c.leaf.count-1)...)
	c.stack = c.stack[:level+1]
	b := &c.stack[level]
	b.index++
	lower := b.key(b.index)
	if bytes.Compare(c.edge, lower) >= 0 {
		return damaged(b.at, int64(len(b.data)), "a branch leads from key %x back to %x", c.edge, lower)
	}
	if err := c.down(b.child(b.index), nil, false, lower, windowPages); err != nil {
		return err
	}
	c.index = 0
	return nil
}
