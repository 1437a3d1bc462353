package lab

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
)

// WriteCSV writes the table with a line of keys in front. A Range becomes two
// fields. The same table always gives the same bytes.
func (t *Table) WriteCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	var head []string
	for i, c := range t.Columns {
		if _, two := t.Rows[0][i].(Range); two {
			head = append(head, c.Key+"_low", c.Key+"_high")
		} else {
			head = append(head, c.Key)
		}
	}
	_ = out.Write(head) // Flush keeps the error
	for _, row := range t.Rows {
		var fields []string
		for i, cell := range row {
			fields = append(fields, t.Columns[i].fields(cell)...)
		}
		_ = out.Write(fields)
	}
	out.Flush()
	return out.Error()
}

func (c Column) fields(value any) []string {
	number := func(v float64) string { return strconv.FormatFloat(c.exactly(v), 'f', -1, 64) }
	switch v := value.(type) {
	case Range:
		return []string{number(v.Low), number(v.High)}
	case float64:
		return []string{number(v)}
	}
	return []string{fmt.Sprint(value)}
}

// report is an outcome as programs read it.
type report struct {
	Experiment string            `json:"experiment"`
	Question   string            `json:"question"`
	Seed       *uint64           `json:"seed,omitempty"`
	Operations int               `json:"operations,omitempty"`
	Rows       []json.RawMessage `json:"rows"`
	Notes      []string          `json:"notes"`
	Lesson     string            `json:"lesson"`
	Rules      []string          `json:"rules"`
	Claims     []Claim           `json:"claims"`
}

// WriteJSON writes an outcome of the experiment as one object, its rows as
// objects by the keys of the columns. The same outcome always gives the same
// bytes.
func (x Experiment) WriteJSON(w io.Writer, s Setting, o *Outcome) error {
	r := report{
		Experiment: x.Name, Question: x.Question, Notes: o.Notes, Lesson: x.Lesson, Rules: x.Rules, Claims: o.Claims,
	}
	if x.Seed != 0 {
		r.Seed, r.Operations = &s.Seed, s.Operations
	}
	if r.Notes == nil {
		r.Notes = []string{}
	}
	for _, row := range o.Table.Rows {
		r.Rows = append(r.Rows, o.Table.object(row))
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(r)
}

// object is a row with the columns' keys in their order, which a map would lose.
func (t *Table) object(row []any) json.RawMessage {
	var buf bytes.Buffer
	for i, cell := range row {
		c := t.Columns[i]
		switch v := cell.(type) {
		case float64:
			cell = c.exactly(v)
		case Range:
			cell = []float64{c.exactly(v.Low), c.exactly(v.High)}
		}
		value, err := json.Marshal(cell)
		if err != nil {
			panic(err) // no cell is of another type
		}
		fmt.Fprintf(&buf, "%c%q:%s", ",{"[btoi(i == 0)], c.Key, value)
	}
	buf.WriteByte('}')
	return buf.Bytes()
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}
