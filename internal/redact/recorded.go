package redact

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/leasekeeper/leasekeeper/events"
)

// recorded is a recorded answer that is not the one by the rules, with its names
// read. It may be anything. What has the form of an answer keeps it; of the rest
// numbers stay, and all strings get pseudonyms.
func (n *names) recorded(r reader, of events.Event, text []byte) []byte {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var value any
	if d.Decode(&value) != nil {
		return []byte("null")
	}
	w := walker{names: n, reader: r, of: of}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	_ = e.Encode(w.whole(value)) // of what has been decoded
	return bytes.TrimSpace(out.Bytes())
}

// walker reads the names of one answer.
type walker struct {
	names  *names
	reader reader
	of     events.Event
}

// spelled are the strings of answers that name nobody.
var spelled = []string{
	"granted", "queued", "deadlock", "renewed", "released", "withdrawn", "ok", "exclusive", "shared",
}

// whole is an answer.
func (w *walker) whole(value any) any {
	switch v := value.(type) {
	case string:
		if _, read := w.of.(events.Read); read {
			return w.reader.name(w.names.value, v)
		}
		return w.text(w.names.other, v)
	case map[string]any:
		return w.object(v)
	}
	return w.inside(w.names.client, value) // whose victims are clients
}

// object is an answer with fields.
func (w *walker) object(fields map[string]any) any {
	changed := map[string]any{}
	for field, value := range fields {
		switch field {
		case "holders", "queue":
			changed[field] = w.inside(w.names.client, value)
		case "holds", "waiting":
			changed[field] = w.inside(w.names.lock, value)
		case "results":
			changed[field] = w.counts(value)
		case "age", "ops":
			changed[field] = w.inside(w.names.other, value)
		default:
			changed[w.text(w.names.other, field)] = w.inside(w.names.other, value)
		}
	}
	return changed
}

// counts are a tally's.
func (w *walker) counts(value any) any {
	fields, ok := value.(map[string]any)
	if !ok {
		return w.inside(w.names.other, value)
	}
	k := w.names.other
	if repeat, ok := w.of.(events.Repeat); ok && operationOf(repeat.Template) == "read" {
		k = w.names.value
	}
	changed := map[string]any{}
	for field, value := range fields {
		changed[w.text(k, field)] = w.inside(w.names.other, value)
	}
	return changed
}

// inside is a part of an answer in which names are of a kind.
func (w *walker) inside(k *kind, value any) any {
	switch v := value.(type) {
	case string:
		return w.text(k, v)
	case []any:
		for i := range v {
			v[i] = w.inside(k, v[i])
		}
		return v
	case map[string]any:
		changed := map[string]any{}
		for field, value := range v {
			changed[w.text(k, field)] = w.inside(k, value)
		}
		return changed
	}
	return value
}

// text is a string, unless it names nobody.
func (w *walker) text(k *kind, text string) string {
	if slices.Contains(spelled, text) || isWord(text) {
		return text
	}
	return w.reader.name(k, text)
}
