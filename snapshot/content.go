package snapshot

import "encoding/binary"

// content collects the canonical bytes of rows and hands them on in chunks:
// full ones, and what is left with the last call of pass. The first error of
// flush sticks.
type content struct {
	buf   []byte // shorter than ChunkBytes between calls
	flush func(chunk []byte) error
	err   error
}

// byte appends a byte.
func (c *content) byte(b byte) { c.settle(append(c.buf, b)) }

// uint appends an unsigned varint in its shortest form.
func (c *content) uint(n uint64) { c.settle(binary.AppendUvarint(c.buf, n)) }

// text appends a string after its length in bytes.
func (c *content) text(s string) {
	c.uint(uint64(len(s)))
	for len(s) > 0 {
		n := min(len(s), ChunkBytes-len(c.buf))
		c.settle(append(c.buf, s[:n]...))
		s = s[n:]
	}
}

// settle takes over the buffer with what was appended to it, a few bytes more
// than a chunk at most.
func (c *content) settle(buf []byte) {
	if c.buf = buf; len(buf) < ChunkBytes {
		return
	}
	rest := buf[ChunkBytes:]
	c.buf = buf[:ChunkBytes]
	c.pass()
	c.buf = append(c.buf, rest...)
}

// pass hands on what was collected.
func (c *content) pass() {
	if c.err == nil {
		c.err = c.flush(c.buf)
	}
	c.buf = c.buf[:0]
}
