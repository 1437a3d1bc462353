package redact

import (
	"regexp"
	"strconv"
	"strings"
)

// shape is a name, or a pattern of a template, taken apart at its numbers:
// literals[0] runs[0] literals[1] … Runs are as long as they can be, so no
// literal begins or ends with a digit, and only the first and the last may be
// empty.
type shape struct {
	literals []string
	runs     []string // digits, in a pattern also placeholders
}

var (
	numbers      = regexp.MustCompile(`[0-9]+`)
	placeholders = regexp.MustCompile(`\{i(?:\+[0-9]+)?(?:%[0-9]+)?\}`)
	counting     = regexp.MustCompile(`(?:[0-9]|\{i(?:\+[0-9]+)?(?:%[0-9]+)?\})+`)
)

func shapeOf(text string, runs *regexp.Regexp) (s shape) {
	end := 0
	for _, found := range runs.FindAllStringIndex(text, -1) {
		s.literals = append(s.literals, text[end:found[0]])
		s.runs = append(s.runs, text[found[0]:found[1]])
		end = found[1]
	}
	s.literals = append(s.literals, text[end:])
	return s
}

// skeleton is the same for all names that differ in their numbers only.
func (s *shape) skeleton() string {
	var b strings.Builder
	for _, literal := range s.literals {
		b.WriteString(strconv.Quote(literal))
	}
	return b.String()
}

// slot is the same for all names of a family, whose templates count at the
// given runs.
func (s *shape) slot(counted []bool) string {
	var b strings.Builder
	for i, literal := range s.literals {
		b.WriteString(strconv.Quote(literal))
		if i < len(s.runs) && !counted[i] {
			b.WriteString(s.runs[i])
		}
	}
	return "family " + b.String()
}

// first is where a family stands among all names: every name of it begins so,
// but for the number, none of which is less.
func (s *shape) first(counted []bool) string {
	text := ""
	for i, literal := range s.literals {
		text += literal
		if i == len(s.runs) || counted[i] {
			break
		}
		text += s.runs[i]
	}
	return text + "0"
}

// numbered is what a name of a family keeps of itself: the numbers at which its
// templates count. Between two names of a family the first number that differs
// decides their order, by its digits or by what follows the shorter one; so what
// stands for that is below or above the digits as it was.
func (s *shape) numbered(counted []bool) string {
	text := ""
	for i, run := range s.runs {
		if !counted[i] {
			continue
		}
		text += run
		if follows := s.literals[i+1]; follows == "" {
			continue
		} else if follows[0] < '0' {
			text += "-"
		} else {
			text += "x"
		}
	}
	return text
}
