package main

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// statements changes the statements of a block as such.
func (f *finder) statements(list []ast.Stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.ExprStmt, *ast.DeferStmt:
			f.remove(s)
		case *ast.IncDecStmt:
			f.remove(s)
			f.replace("arithmetic", s, f.text(s.X)+instead[s.Tok][0].String())
		case *ast.AssignStmt:
			f.assignment(s)
		case *ast.BranchStmt:
			f.branch(s)
		case *ast.ReturnStmt:
			if len(s.Results) == 0 {
				f.remove(s)
			}
		}
	}
}

// remove takes a statement out. What only it used is used for nothing.
func (f *finder) remove(s ast.Stmt) { f.replace("removal", s, f.unused(s)) }

// unused is a statement that uses the local variables of a node.
func (f *finder) unused(s ast.Node) string {
	var names []string
	ast.Inspect(s, func(n ast.Node) bool {
		ident, _ := n.(*ast.Ident)
		v, ok := f.info.Uses[ident].(*types.Var)
		inside := ok && s.Pos() <= v.Pos() && v.Pos() < s.End()
		if ok && !inside && !v.IsField() && v.Parent() != f.pkg.Scope() && !slices.Contains(names, v.Name()) {
			names = append(names, v.Name())
		}
		return true
	})
	if len(names) == 0 {
		return ""
	}
	return strings.Repeat("_, ", len(names)-1) + "_ = " + strings.Join(names, ", ")
}

func (f *finder) assignment(s *ast.AssignStmt) {
	for _, op := range instead[s.Tok] {
		f.replace("arithmetic", s, f.text(s.Lhs[0])+" "+op.String()+" "+f.text(s.Rhs[0]))
	}
	if s.Tok == token.DEFINE {
		return
	}
	f.remove(s)
	if len(s.Lhs) < 2 || len(s.Lhs) != len(s.Rhs) {
		return
	}
	for i := range s.Lhs {
		left, right := f.texts(s.Lhs), f.texts(s.Rhs)
		left[i] = "_"
		f.replace("removal", s, strings.Join(left, ", ")+" = "+strings.Join(right, ", "))
	}
}

func (f *finder) texts(list []ast.Expr) []string {
	var texts []string
	for _, e := range list {
		texts = append(texts, f.text(e))
	}
	return texts
}

func (f *finder) branch(s *ast.BranchStmt) {
	f.remove(s)
	switch s.Tok {
	case token.BREAK:
		f.replace("branch", s, "continue")
	case token.CONTINUE:
		f.replace("branch", s, "break")
	}
}

// condition makes a condition always true and always false. It stays there,
// for what it uses.
func (f *finder) condition(n ast.Expr) {
	if n == nil {
		return
	}
	f.replace("condition", n, "true || ("+f.text(n)+")")
	f.replace("condition", n, "false && ("+f.text(n)+")")
}

// branches removes an else.
func (f *finder) branches(n *ast.IfStmt) {
	if n.Else == nil {
		return
	}
	f.edits = append(f.edits, edit{"branch", f.offset(n.Body.End()), f.offset(n.Else.End()), ""})
}

// cases removes the cases of a switch one by one, and the alternatives of each
// case; without a tag, a case is also taken always.
func (f *finder) cases(body *ast.BlockStmt, conditions bool) {
	for _, s := range body.List {
		clause := s.(*ast.CaseClause)
		f.replace("branch", clause, "")
		for i, e := range clause.List {
			if conditions {
				f.replace("condition", e, "true || ("+f.text(e)+")")
			}
			if len(clause.List) > 1 {
				rest := slices.Delete(f.texts(clause.List), i, i+1)
				f.edits = append(f.edits, edit{
					"branch", f.offset(clause.List[0].Pos()), f.offset(clause.List[len(clause.List)-1].End()), strings.Join(rest, ", "),
				})
			}
		}
	}
}

// once leaves a loop after its first round.
func (f *finder) once(body *ast.BlockStmt) {
	from, to := f.offset(body.Lbrace)+1, f.offset(body.Rbrace)
	f.edits = append(f.edits, edit{"loop", from, to, f.file.text[from:to] + "; break; "})
}

// bounds makes a loop over a number or a list a round longer or shorter.
func (f *finder) bounds(n *ast.RangeStmt) {
	text := f.text(n.X)
	switch t := f.info.TypeOf(n.X).Underlying().(type) {
	case *types.Basic:
		if t.Info()&types.IsInteger != 0 {
			f.replace("loop", n.X, text+" + 1")
			f.replace("loop", n.X, text+" - 1")
		}
	case *types.Slice:
		f.replace("loop", n.X, text+"[min(1, len("+text+")):]")
		f.replace("loop", n.X, text+"[:max(0, len("+text+")-1)]")
	}
}
