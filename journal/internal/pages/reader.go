package pages

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

const (
	// windowPages is how many pages are read at once where the next ones are
	// wanted soon.
	windowPages = 16
	// maxSpread bounds the pages that one page of a tree may take, and so the
	// memory for it: four of the largest values (bbolt never splits a page of
	// four elements or fewer).
	maxSpread = 4 * (16<<20/Size + 1)
)

// reader reads pages of one view through a window of neighbouring pages.
type reader struct {
	view   View
	window []byte
	first  uint64 // id of the window's first page
	large  []byte // a page that does not fit the window
}

// use makes the reader read from a view, and forget what it read from others.
func (r *reader) use(v View) {
	r.view = v
	r.window = r.window[:0]
}

// page reads and checks page id, which the caller knows to be in range; ahead
// is how many pages to read at once. The page is valid until the next call.
func (r *reader) page(id uint64, ahead uint64) (page, error) {
	data, err := r.bytes(id, ahead)
	if err != nil {
		return page{}, err
	}
	return parsePage(id, data, int64(id)*Size, r.view.meta.pages)
}

// bytes is page id with all the pages that it spreads over.
func (r *reader) bytes(id uint64, ahead uint64) ([]byte, error) {
	if held := uint64(len(r.window) / Size); id < r.first || id >= r.first+held {
		r.first = id - id%ahead
		n := int(min(ahead, r.view.meta.pages-r.first)) * Size
		var err error
		if r.window, err = r.read(r.window, r.first, n); err != nil {
			return nil, err
		}
	}
	start := int(id-r.first) * Size
	spread := uint64(binary.LittleEndian.Uint32(r.window[start+spreadOffset:]))
	if spread == 0 {
		return r.window[start : start+Size : start+Size], nil
	}
	if spread > maxSpread || id+spread >= r.view.meta.pages {
		return nil, damaged(int64(id)*Size+spreadOffset, 4, "page %d spreads over %d more pages", id, spread)
	}
	n := int(spread+1) * Size
	if start+n <= len(r.window) {
		return r.window[start : start+n : start+n], nil
	}
	var err error
	r.large, err = r.read(r.large, id, n)
	return r.large, err
}

// read reads n bytes from page id on, into buffer if it is large enough.
func (r *reader) read(buffer []byte, id uint64, n int) ([]byte, error) {
	if cap(buffer) < n {
		buffer = make([]byte, n)
	}
	buffer = buffer[:n]
	got, err := r.view.file.source.ReadAt(buffer, int64(id)*Size)
	if got == n {
		err = nil
	}
	if moved := r.view.current(); moved != nil {
		return buffer[:0], moved
	}
	if errors.Is(err, io.EOF) {
		end := int64(id)*Size + int64(got)
		return buffer[:0], damaged(end, int64(n-got), "the file ends here")
	}
	if err != nil {
		return buffer[:0], fmt.Errorf("pages: %w", err)
	}
	return buffer, nil
}
