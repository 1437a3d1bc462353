package transfer

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/leasekeeper/leasekeeper/internal/oplog"
)

// lines reads an input line by line and passes over those that are empty.
type lines struct {
	name   string
	r      *bufio.Reader
	number int   // of the last line, from 1
	offset int64 // behind it
	long   []byte
}

func newLines(name string, r io.Reader) *lines {
	return &lines{name: name, r: bufio.NewReaderSize(r, 64<<10)}
}

// next returns the next line without its end. It is valid until the call
// after. Behind the last line the error is io.EOF.
func (l *lines) next() ([]byte, error) {
	for {
		line, err := l.line()
		if err != nil {
			return nil, err
		}
		if l.number == 1 {
			line = bytes.TrimPrefix(line, []byte("\uFEFF")) // some editors write it in front
		}
		if line = bytes.TrimSpace(line); len(line) > 0 {
			return line, nil
		}
	}
}

// line reads one line. One that is too long is read to its end all the same,
// so that the next one can be read.
func (l *lines) line() ([]byte, error) {
	l.number++
	l.long = l.long[:0]
	for size := 0; ; {
		part, err := l.r.ReadSlice('\n')
		size += len(part)
		l.offset += int64(len(part))
		more := err == bufio.ErrBufferFull
		if size <= oplog.MaxEntry && (more || len(l.long) > 0) {
			l.long = append(l.long, part...)
		}
		switch {
		case more:
			continue
		case err == io.EOF && size == 0:
			return nil, io.EOF
		case err != nil && err != io.EOF:
			var path *fs.PathError // it has the name too
			if errors.As(err, &path) {
				err = path.Err
			}
			return nil, fmt.Errorf("reading %s: %w", l.name, err)
		case size > oplog.MaxEntry:
			return nil, l.fault(fmt.Sprintf("this line is longer than %d bytes, the most for one entry", oplog.MaxEntry))
		case len(l.long) > 0:
			return l.long, nil
		}
		return part, nil
	}
}

// fault says that the last line is at fault.
func (l *lines) fault(reason string) error {
	return &oplog.SyntaxError{Name: l.name, Line: l.number, Column: 1, Message: reason}
}
