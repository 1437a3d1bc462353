package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"unicode/utf8"

	"github.com/leasekeeper/leasekeeper/cmd/leasekeeper/internal/transfer"
	"github.com/leasekeeper/leasekeeper/internal/oplog"
)

// trim leaves out the beginning of a character at the input's end.
func (in *auditInput) trim() error {
	tail := make([]byte, min(in.size, utf8.UTFMax))
	if _, err := in.file.ReadAt(tail, in.size-int64(len(tail))); err != nil && err != io.EOF {
		return failure{err}
	}
	for n := 1; n < utf8.UTFMax && n <= len(tail); n++ {
		if last := tail[len(tail)-n:]; utf8.RuneStart(last[0]) && !utf8.FullRune(last) {
			in.size -= int64(n)
			in.cut = errors.New("the input ends in the middle of a character")
			break
		}
	}
	in.text = io.NewSectionReader(in.file, 0, in.size)
	return nil
}

// source opens the input as what it is. An object that is cut off cannot be read
// as one, but its first operations and answers can.
func (in *auditInput) source() (*entries, error) {
	_, _ = in.text.Seek(0, io.SeekStart) // which cannot fail
	source, err := readEntries(in.name, in.text, in.how)
	var fault *oplog.SyntaxError
	if err == nil || !errors.As(err, &fault) {
		return source, err
	}
	rest, ok := readCutObject(io.NewSectionReader(in.file, 0, in.size))
	if !ok {
		if line, first := in.lastLine(); !first || !isBegun(line) {
			return nil, err
		}
		rest = &cutObject{header: map[string]json.RawMessage{}}
	}
	in.cut = errors.New("the input ends in the middle of a value")
	in.unsure = (rest.header["edition"] == nil && !in.flags.set("edition")) || (rest.header["unit"] == nil && !in.flags.set("unit"))
	source, err = readEntries(in.name, bytes.NewReader(rest.lines()), transfer.Reading{})
	if err != nil {
		return nil, err
	}
	source.header.Header, err = rest.asHeader(in.name)
	return source, err
}

// endsWithin tells whether an input is at fault because it has been cut off: all
// of it has been used. One that is read line by line is used up by its last line
// in any case; that has to be the beginning of something.
func (in *auditInput) endsWithin(err error, offset int64, lined bool) bool {
	var fault *oplog.SyntaxError
	if !errors.As(err, &fault) || offset < in.size {
		return false
	}
	line, _ := in.lastLine()
	return !lined || isBegun(line)
}

// lastLine is the input's last line that is not empty, and whether it is the
// first as well.
func (in *auditInput) lastLine() (line []byte, first bool) {
	tail := make([]byte, min(in.size, oplog.MaxEntry))
	n, _ := in.file.ReadAt(tail, in.size-int64(len(tail)))
	tail = bytes.TrimRight(tail[:n], " \t\r\n")
	end := bytes.LastIndexByte(tail, '\n')
	return bytes.TrimPrefix(tail[end+1:], []byte("\uFEFF")), end < 0
}

// isBegun tells whether a text is a JSON value without its end.
func isBegun(text []byte) bool {
	err := json.NewDecoder(bytes.NewReader(text)).Decode(new(json.RawMessage))
	return errors.Is(err, io.ErrUnexpectedEOF) && utf8.Valid(text)
}

// cutObject is what is left of a history in the form of an object.
type cutObject struct {
	header              map[string]json.RawMessage
	operations, results []json.RawMessage
}

// readCutObject reads an object up to where it is cut off; ok is false if it is
// no object, or is at fault in another way.
func readCutObject(r io.Reader) (o *cutObject, ok bool) {
	d := json.NewDecoder(r)
	if first, err := d.Token(); err != nil || first != json.Delim('{') {
		return nil, false
	}
	o = &cutObject{header: map[string]json.RawMessage{}}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return o, isCutOff(err)
		}
		switch key {
		case "operations":
			err = elements(d, &o.operations)
		case "results":
			err = elements(d, &o.results)
		case "name", "edition", "unit":
			var value json.RawMessage
			if err = d.Decode(&value); err == nil {
				o.header[key.(string)] = value
			}
		default:
			return nil, false
		}
		if err != nil {
			return o, isCutOff(err) && len(o.results) <= len(o.operations)
		}
	}
	_, err := d.Token()
	return o, isCutOff(err)
}

// isCutOff tells an end that came too early from other faults.
func isCutOff(err error) bool { return errors.Is(err, io.ErrUnexpectedEOF) || err == io.EOF }

// elements reads an array, as far as it goes.
func elements(d *json.Decoder, list *[]json.RawMessage) error {
	if first, err := d.Token(); err != nil || first != json.Delim('[') {
		if err == nil {
			err = errors.New("this is no array")
		}
		return err
	}
	for d.More() {
		var element json.RawMessage
		if err := d.Decode(&element); err != nil {
			return err
		}
		*list = append(*list, element)
	}
	_, err := d.Token()
	return err
}

// lines are the operations, with the answers that there are, as lines.
func (o *cutObject) lines() []byte {
	var b bytes.Buffer
	for i, operation := range o.operations {
		b.WriteString(`{"op":`)
		b.Write(operation)
		if i < len(o.results) {
			b.WriteString(`,"result":`)
			b.Write(o.results[i])
		}
		b.WriteString("}\n")
	}
	return b.Bytes()
}

// asHeader reads the header as if nothing were missing.
func (o *cutObject) asHeader(name string) (oplog.Header, error) {
	o.header["operations"] = json.RawMessage("[]")
	text, err := json.Marshal(o.header)
	if err != nil {
		return oplog.Header{}, err
	}
	r, err := oplog.Open(name, bytes.NewReader(text))
	if err != nil {
		return oplog.Header{}, err
	}
	defer r.Close()
	return r.Header(), nil
}
