package main

import (
	"fmt"
	"go/ast"
	"strconv"
	"strings"
)

// A woven file has, after its own text, every mutated function under its name
// and the suffix _mutant with the mutant's number; and each function begins by
// calling the one of its mutants that is in force, if any is.
const suffix = "_mutant"

// weave returns the text of a file with its mutants.
func (s *source) weave(f *file, all []*mutant) string {
	var text, added strings.Builder
	done := 0
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].function == all[0].function {
			n++
		}
		group := all[:n]
		all = all[n:]
		if group[0].file != f {
			continue
		}
		body := s.offset(group[0].function.Body.Lbrace) + 1
		text.WriteString(f.text[done:body])
		text.WriteString(dispatch(group))
		done = body
		for _, m := range group {
			fmt.Fprintf(&added, "\n%s\n", m.mutated(suffix+strconv.Itoa(m.number)))
		}
	}
	return text.String() + f.text[done:] + added.String()
}

// dispatch is the statement that calls the mutant in force.
func dispatch(group []*mutant) string {
	function := group[0].function
	var b strings.Builder
	fmt.Fprintf(&b, "\nif %d <= mutantInForce && mutantInForce <= %d {\nswitch mutantInForce {\n",
		group[0].number, group[len(group)-1].number)
	for _, m := range group {
		call := callOf(function, suffix+strconv.Itoa(m.number))
		if function.Type.Results == nil {
			fmt.Fprintf(&b, "case %d:\n%s\nreturn\n", m.number, call)
		} else {
			fmt.Fprintf(&b, "case %d:\nreturn %s\n", m.number, call)
		}
	}
	b.WriteString("}\n}\n")
	return b.String()
}

// callOf calls a function, under its name with a suffix, with what it was
// given itself.
func callOf(function *ast.FuncDecl, suffix string) string {
	var b strings.Builder
	if function.Recv != nil {
		b.WriteString(function.Recv.List[0].Names[0].Name + ".")
	}
	b.WriteString(function.Name.Name + suffix)
	if parameters := function.Type.TypeParams; parameters != nil {
		b.WriteString("[" + strings.Join(names(parameters), ", ") + "]")
	}
	parameters := function.Type.Params
	b.WriteString("(" + strings.Join(names(parameters), ", "))
	if n := len(parameters.List); n > 0 {
		if _, variadic := parameters.List[n-1].Type.(*ast.Ellipsis); variadic {
			b.WriteString("...")
		}
	}
	return b.String() + ")"
}

func names(fields *ast.FieldList) []string {
	var list []string
	for _, field := range fields.List {
		for _, name := range field.Names {
			list = append(list, name.Name)
		}
	}
	return list
}

// callable tells whether a function can hand on what it is given: all of that
// has a name.
func callable(function *ast.FuncDecl) bool {
	lists := []*ast.FieldList{function.Type.Params}
	if function.Recv != nil {
		lists = append(lists, function.Recv)
	}
	for _, list := range lists {
		for _, field := range list.List {
			if len(field.Names) == 0 || field.Names[0].Name == "_" {
				return false
			}
		}
	}
	return true
}
