package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/internal/oplog"
	"github.com/leasekeeper/leasekeeper/internal/redact"
)

// redactLog is a history in a file that is written anew.
type redactLog struct {
	flags  *redactFlags
	name   string
	header oplog.Header
	judged events.Rules
}

func (f *redactFlags) openRedactLog(name string) (redactSource, error) {
	if info, err := os.Stat(name); err == nil && !info.IsDir() && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("redact reads its input twice, and %s is not a regular file", name)
	}
	h, err := f.rules.openHistory(name, noWait)
	if err != nil {
		return nil, err
	}
	defer h.close()
	if h.header.Exported {
		return nil, fmt.Errorf("%s is an exported journal, whose fingerprints would be wrong; leasekeeper import makes a journal of it, which redact takes", name)
	}
	return &redactLog{flags: f, name: name, header: h.Header(), judged: h.rules}, nil
}

func (s *redactLog) rules() events.Rules { return s.judged }
func (s *redactLog) close()              {}

// passed tells the end that a function asks for from its errors.
func passed(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}

func (s *redactLog) each(pass func(*redact.Item) error) error {
	h, err := s.flags.rules.openHistory(s.name, noWait)
	if err != nil {
		return err
	}
	defer h.close()
	for {
		entry, event, err := h.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		item := redact.Item{Event: event, Answer: entry.Recorded}
		if err := pass(&item); err != nil {
			return passed(err)
		}
	}
}

func (s *redactLog) create(path string) (redactTarget, error) {
	t := &redactedLog{form: s.header.Form, header: s.header, out: &fileWriter{}}
	if err := t.out.create(path); err != nil {
		return nil, failure{err}
	}
	if t.form == oplog.Object { // whose answers come behind all operations
		t.results = &fileWriter{}
		if err := t.results.create(path + ".results"); err != nil {
			return nil, failure{errors.Join(err, t.out.close())}
		}
	}
	return t, nil
}

// fileWriter is a file with a buffer in front.
type fileWriter struct {
	*bufio.Writer
	file *os.File
}

func (w *fileWriter) create(path string) (err error) {
	w.file, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
	w.Writer = bufio.NewWriter(w.file)
	return err
}

func (w *fileWriter) close() error { return w.file.Close() }

// redactedLog is the history that is made, in the form of the one that is read.
type redactedLog struct {
	form    oplog.Form
	header  oplog.Header
	out     *fileWriter
	results *fileWriter // of the object form
	events  int
	answers int
}

func (t *redactedLog) add(item *redact.Item) error {
	operation := events.AppendJSON(nil, item.Event)
	if t.form == oplog.Lines {
		return t.write(append(entryText(operation, item.Answer), '\n'))
	}
	text := []byte(",\n  ")
	if t.events == 0 {
		text = append(t.beginning(), "\n  "...)
	}
	t.events++
	if t.form == oplog.Array {
		return t.write(append(text, entryText(operation, item.Answer)...))
	}
	if item.Answer != nil {
		before := ",\n  "
		if t.answers == 0 {
			before = "\n  "
		}
		t.answers++
		if _, err := t.results.Write(append([]byte(before), item.Answer...)); err != nil {
			return failure{err}
		}
	}
	return t.write(append(text, operation...))
}

// beginning is what stands in front of all operations. A name of the history is
// a name too.
func (t *redactedLog) beginning() []byte {
	if t.form == oplog.Array {
		return []byte("[")
	}
	text := []byte("{")
	if t.header.Edition != 0 {
		text = fmt.Appendf(text, "\"edition\": %d,\n ", t.header.Edition)
	}
	if t.header.Unit != 0 {
		text = fmt.Appendf(text, "\"unit\": %q,\n ", t.header.Unit)
	}
	return append(text, `"operations": [`...)
}

// entryText is an operation, with its answer if it has one.
func entryText(operation, answer []byte) []byte {
	if answer == nil {
		return operation
	}
	return fmt.Appendf(nil, `{"op": %s, "result": %s}`, operation, answer)
}

func (t *redactedLog) write(text []byte) error {
	if _, err := t.out.Write(text); err != nil {
		return failure{err}
	}
	return nil
}

func (t *redactedLog) end() error {
	if t.form != oplog.Lines {
		if t.events == 0 {
			_, _ = t.out.Write(t.beginning()) // an error comes with Flush
		}
		_, _ = t.out.WriteString("\n]")
	}
	if t.form == oplog.Object {
		if err := t.endObject(); err != nil {
			return failure{err}
		}
	}
	if t.form != oplog.Lines {
		_, _ = t.out.WriteString("\n")
	}
	if err := t.out.Flush(); err != nil {
		return failure{err}
	}
	if err := t.out.file.Sync(); err != nil {
		return failure{err}
	}
	return nil
}

// endObject copies the answers behind the operations.
func (t *redactedLog) endObject() error {
	if t.answers > 0 {
		_, _ = t.out.WriteString(",\n \"results\": [")
		if err := t.results.Flush(); err != nil {
			return err
		}
		if _, err := t.results.file.Seek(0, io.SeekStart); err != nil {
			return err
		}
		if _, err := io.Copy(t.out, t.results.file); err != nil {
			return err
		}
		_, _ = t.out.WriteString("\n]")
	}
	_, err := t.out.WriteString("}")
	return err
}

func (t *redactedLog) close() error {
	err := t.out.close()
	if t.results != nil {
		err = errors.Join(err, t.results.close())
	}
	return err
}
