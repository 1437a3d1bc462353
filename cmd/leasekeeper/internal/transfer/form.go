package transfer

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/internal/oplog"
	"github.com/leasekeeper/leasekeeper/journal"
)

// The form of an exported journal: a first line that says what it is,
//
//	{"journal":1,"edition":3,"unit":"second"}
//
// and a line for each event,
//
//	{"seq":1,"op":["read",5,"L","k"],"result":null,"fingerprint":"…","marks":["foreign"]}
//
// in which marks are left out if there are none, and of an answer that the
// journal keeps as its hash only, "result_sha256":"…" stands for "result".
// Always the same bytes for the same events.

// version of the form; the value of "journal" in its first line.
const version = 1

// appendHeader appends the first line.
func appendHeader(dst []byte, rules events.Rules) []byte {
	return fmt.Appendf(dst, "{\"journal\":%d,\"edition\":%d,\"unit\":%q}\n", version, rules.Edition, rules.Unit.String())
}

// parseHeader reads what appendHeader writes.
func parseHeader(line []byte) (events.Rules, error) {
	var header struct {
		Journal int
		Edition int
		Unit    string
	}
	fields := map[string]any{"journal": &header.Journal, "edition": &header.Edition, "unit": &header.Unit}
	if err := strictly(line, fields); err != nil {
		return events.Rules{}, err
	}
	if header.Journal != version {
		return events.Rules{}, fmt.Errorf("this is version %d of the form of exported journals; version %d is known", header.Journal, version)
	}
	edition, ok := oplog.ParseEdition(strconv.Itoa(header.Edition))
	if !ok {
		return events.Rules{}, errors.New("edition has to be 1, 2 or 3")
	}
	unit, err := events.ParseUnit(header.Unit)
	if err != nil {
		return events.Rules{}, fmt.Errorf("there is no clock unit %q", header.Unit)
	}
	return events.Rules{Edition: edition, Unit: unit}, nil
}

// appendRecord appends the line of a record whose event has been decoded.
func appendRecord(dst []byte, e events.Event, r *journal.Record) []byte {
	dst = strconv.AppendUint(append(dst, `{"seq":`...), r.Sequence, 10)
	dst = events.AppendJSON(append(dst, `,"op":`...), e)
	if text, ok := r.Answer.JSON(); ok {
		dst = append(append(dst, `,"result":`...), text...)
	} else {
		hash := r.Answer.Hash()
		dst = append(hex.AppendEncode(append(dst, `,"result_sha256":"`...), hash[:]), '"')
	}
	dst = append(hex.AppendEncode(append(dst, `,"fingerprint":"`...), r.Fingerprint[:]), '"')
	if r.Marks != 0 {
		marks, _ := json.Marshal(MarkNames(r.Marks))
		dst = append(append(dst, `,"marks":`...), marks...)
	}
	return append(dst, "}\n"...)
}

// markNames are the marks in the order in which they are written.
var markNames = []struct {
	mark journal.Mark
	name string
}{{journal.Clamped, "clamped"}, {journal.Foreign, "foreign"}}

// MarkNames are the marks of a record as the forms have them.
func MarkNames(marks journal.Mark) (names []string) {
	for _, m := range markNames {
		if marks&m.mark != 0 {
			names = append(names, m.name)
		}
	}
	return names
}

// parseRecord reads what appendRecord writes. Everything but the operation may
// be missing.
func parseRecord(line []byte) (item Item, err error) {
	var fields struct {
		Seq          uint64
		Op, Result   json.RawMessage
		ResultSHA256 string
		Fingerprint  string
		Marks        []string
	}
	err = strictly(line, map[string]any{
		"seq": &fields.Seq, "op": &fields.Op, "result": &fields.Result, "result_sha256": &fields.ResultSHA256,
		"fingerprint": &fields.Fingerprint, "marks": &fields.Marks,
	})
	if err != nil {
		return item, err
	}
	if fields.Op == nil {
		return item, errors.New(`this line has no field "op"`)
	}
	own := &Own{Sequence: fields.Seq}
	item = Item{Operation: fields.Op, Recorded: fields.Result, Own: own}
	for _, name := range fields.Marks {
		mark, ok := parseMark(name)
		if !ok {
			return item, fmt.Errorf("there is no mark %s", strconv.QuoteToASCII(name))
		}
		own.Marks |= mark
	}
	if fields.Fingerprint != "" {
		own.Fingerprint = new([journal.FingerprintSize]byte)
		if !unhex(own.Fingerprint[:], fields.Fingerprint) {
			return item, fmt.Errorf("a fingerprint has %d hexadecimal digits", 2*len(own.Fingerprint))
		}
	}
	if fields.ResultSHA256 != "" {
		own.Hash = new([32]byte)
		if fields.Result != nil || !unhex(own.Hash[:], fields.ResultSHA256) {
			return item, errors.New("result_sha256 has 64 hexadecimal digits and stands for result")
		}
	}
	return item, nil
}

func parseMark(name string) (journal.Mark, bool) {
	for _, m := range markNames {
		if m.name == name {
			return m.mark, true
		}
	}
	return 0, false
}

// unhex fills dst from exactly as many digits as it has room for.
func unhex(dst []byte, digits string) bool {
	if len(digits) != hex.EncodedLen(len(dst)) {
		return false
	}
	_, err := hex.Decode(dst, []byte(digits))
	return err == nil
}

// strictly reads one JSON object, each of whose fields is one of those given,
// in that spelling and once, into what they point to.
func strictly(line []byte, fields map[string]any) error {
	d := json.NewDecoder(bytes.NewReader(line))
	if begin, err := d.Token(); err != nil {
		return err
	} else if begin != json.Delim('{') {
		return errors.New("this is no object")
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return err
		}
		name, _ := key.(string)
		to, known := fields[name]
		if !known {
			return fmt.Errorf("the field %s does not belong here, or is there twice", strconv.QuoteToASCII(name))
		}
		delete(fields, name)
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return err
		}
		if json.Unmarshal(value, to) != nil {
			return fmt.Errorf("the field %q cannot have the value %s", name, strconv.QuoteToASCII(string(value[:min(len(value), 40)])))
		}
	}
	if _, err := d.Token(); err != nil {
		return err
	}
	if !json.Valid(line) {
		return errors.New("there is more behind the end of the object")
	}
	return nil
}
