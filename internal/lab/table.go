package lab

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Table is what an experiment measured. A cell is a string, an int, a float64, a
// bool or a Range.
type Table struct {
	Columns []Column
	Rows    [][]any
}

// Column is a column of a Table.
type Column struct {
	Key    string // what programs call it, with its unit
	Title  string // what people call it
	Unit   string // what stands behind a number for people, such as "%"
	Digits int    // behind the decimal point, for people
	Left   bool   // aligned on the left
}

// Range is a cell for what a figure lies between in 99 % of all runs.
type Range struct{ Low, High float64 }

// Cell is a cell as people read it.
func (c Column) Cell(value any) string {
	switch v := value.(type) {
	case Range:
		return c.number(v.Low) + " – " + c.number(v.High) + c.unit()
	case float64:
		return c.number(v) + c.unit()
	case int:
		return strconv.Itoa(v) + c.unit()
	case bool:
		if v {
			return "yes"
		}
		return "no"
	}
	return fmt.Sprint(value)
}

func (c Column) number(v float64) string { return strconv.FormatFloat(v, 'f', c.Digits, 64) }

func (c Column) unit() string {
	if c.Unit == "" {
		return ""
	}
	return " " + c.Unit
}

// Lines are the table as text: a line of titles and one for each row, in columns
// of equal width.
func (t *Table) Lines() []string {
	lines := make([]string, len(t.Rows)+1)
	for i, c := range t.Columns {
		cells, width := []string{c.Title}, 0
		for _, row := range t.Rows {
			cells = append(cells, c.Cell(row[i]))
		}
		for _, cell := range cells {
			width = max(width, len([]rune(cell)))
		}
		for n, cell := range cells {
			pad := strings.Repeat(" ", width-len([]rune(cell)))
			if c.Left {
				cell += pad
			} else {
				cell = pad + cell
			}
			if lines[n] != "" {
				lines[n] += "  "
			}
			lines[n] += cell
		}
	}
	for n := range lines {
		lines[n] = strings.TrimRight(lines[n], " ")
	}
	return lines
}

// exactly is a number as programs read it: with two digits more than people see,
// so that it does not depend on the last bit of anybody's logarithm.
func (c Column) exactly(v float64) float64 {
	scale := math.Pow10(c.Digits + 2)
	return math.Round(v*scale) / scale
}
