package pages

import "encoding/binary"

// bucketHeader is the length of a bucket's header: the root page of its tree
// (0 if the tree is one page that follows at once) and a counter that is not
// used here.
const bucketHeader = 16

// tree is where a bucket's tree begins: on a page of its own, or inline.
type tree struct {
	root   uint64
	inline page // if root is 0
}

// tree reads the bucket header that an element holds. An inline page is part
// of the element's value and as short-lived.
func (e Element) tree(limit uint64) (tree, error) {
	if len(e.Value) < bucketHeader {
		return tree{}, damaged(e.Offset, int64(len(e.Value)), "a bucket's header of %d bytes", len(e.Value))
	}
	root, counter := binary.LittleEndian.Uint64(e.Value), binary.LittleEndian.Uint64(e.Value[8:])
	switch {
	case counter != 0:
		return tree{}, damaged(e.Offset+8, 8, "bucket %q counts to %d", e.Key, counter)
	case root == 0:
		p, err := parsePage(0, e.Value[bucketHeader:], e.Offset+bucketHeader, limit)
		if err == nil && !p.leaf {
			err = damaged(p.at+flagsOffset, 2, "the inline page of bucket %q is no leaf", e.Key)
		}
		return tree{inline: p}, err
	case root == 1 || root >= limit || len(e.Value) != bucketHeader:
		return tree{}, damaged(e.Offset, int64(len(e.Value)), "bucket %q has its root on page %d", e.Key, root)
	}
	return tree{root: root}, nil
}
