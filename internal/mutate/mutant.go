package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"slices"
	"strings"
)

// edit replaces a part of a file's text.
type edit struct {
	operator string // the kind of change
	from, to int
	text     string
}

// mutant is a function with one edit.
type mutant struct {
	edit
	number   int // from 1 on, in the order of the source
	file     *file
	function *ast.FuncDecl
	start    int // of the function in the file
	end      int
	line     int
	id       string // names it for as long as its line stays as it is
}

// mutants lists the mutants of a package that differ, by file and place. Some
// may not compile.
func (s *source) mutants() []*mutant {
	var all []*mutant
	for _, f := range s.files {
		for _, decl := range f.tree.Decls {
			if function, ok := decl.(*ast.FuncDecl); ok && function.Body != nil && callable(function) {
				all = append(all, s.mutantsOf(f, function)...)
			}
		}
	}
	return all
}

func (s *source) mutantsOf(f *file, function *ast.FuncDecl) []*mutant {
	finder := &finder{source: s, file: f}
	ast.PreorderStack(function.Body, []ast.Node{function}, finder.visit)
	slices.SortStableFunc(finder.edits, func(a, b edit) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to))
	})
	start, end := s.offset(function.Pos()), s.offset(function.End())
	seen := map[string]bool{f.text[start:end]: true}
	var list []*mutant
	for _, e := range finder.edits {
		m := &mutant{
			edit: e, file: f, function: function, start: start, end: end,
			line: 1 + strings.Count(f.text[:e.from], "\n"),
		}
		if mutated := m.mutated(""); !seen[mutated] {
			seen[mutated] = true
			list = append(list, m)
		}
	}
	return list
}

// mutated is the text of the function with the edit and a suffix to its name.
func (m *mutant) mutated(suffix string) string {
	name := m.start + int(m.function.Name.End()-m.function.Pos())
	return m.file.text[m.start:name] + suffix + m.file.text[name:m.from] + m.text + m.file.text[m.to:m.end]
}

// number gives the mutants their numbers and names.
func number(all []*mutant) {
	seen := map[string]int{}
	for i, m := range all {
		m.number = i + 1
		m.id = fmt.Sprintf("%s %s: %s", m.file.path, m.function.Name.Name, m.change())
		seen[m.id]++
		if n := seen[m.id]; n > 1 {
			m.id += fmt.Sprintf(" (%d)", n)
		}
	}
}

// change is the changed line as it was and as it is, in one line.
func (m *mutant) change() string {
	text := m.file.text
	from := strings.LastIndexByte(text[:m.from], '\n') + 1
	to := len(text)
	if n := strings.IndexByte(text[m.to:], '\n'); n >= 0 {
		to = m.to + n
	}
	before := text[from:to]
	after := text[from:m.from] + m.text + text[m.to:to]
	return short(before) + " => " + short(after)
}

// short brings text onto one line that is not too long.
func short(text string) string {
	const most = 160
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > most {
		text = string(runes[:most/2]) + " … " + string(runes[len(runes)-most/2:])
	}
	if text == "" {
		return "(nothing)"
	}
	return text
}
