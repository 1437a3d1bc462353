package main

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// finder finds what can be changed in a function.
type finder struct {
	*source
	file  *file
	edits []edit
}

// replace records an edit of a node.
func (f *finder) replace(operator string, n ast.Node, text string) {
	f.edits = append(f.edits, edit{operator, f.offset(n.Pos()), f.offset(n.End()), text})
}

// text is a node's source.
func (f *finder) text(n ast.Node) string {
	return f.file.text[f.offset(n.Pos()):f.offset(n.End())]
}

func (f *finder) visit(n ast.Node, stack []ast.Node) bool {
	switch n := n.(type) {
	case *ast.BlockStmt:
		f.statements(n.List)
	case *ast.CaseClause:
		f.statements(n.Body)
	case *ast.IfStmt:
		f.condition(n.Cond)
		f.branches(n)
	case *ast.ForStmt:
		f.condition(n.Cond)
		f.once(n.Body)
	case *ast.RangeStmt:
		f.bounds(n)
		f.once(n.Body)
	case *ast.SwitchStmt:
		f.cases(n.Body, n.Tag == nil)
	case *ast.TypeSwitchStmt:
		f.cases(n.Body, false)
	case *ast.BinaryExpr:
		f.binary(n)
	case *ast.UnaryExpr:
		if n.Op == token.NOT || n.Op == token.SUB {
			f.replace("sign", n, f.text(n.X))
		}
	case *ast.BasicLit:
		f.literal(n)
	case *ast.Ident:
		f.constant(n, n)
	case *ast.SelectorExpr:
		f.constant(n, n.Sel)
		f.field(n)
		ast.PreorderStack(n.X, append(stack, n), f.visit)
		return false // the selected name is no name of its own
	case *ast.ReturnStmt:
		f.results(n, stack)
	case *ast.CallExpr:
		if f.isMessage(n) {
			f.numbers(n.Args)
			return false // its words may change freely
		}
		f.call(n)
	case *ast.CompositeLit:
		f.composite(n)
	}
	return true
}

// instead lists what is put instead of a binary operator.
var instead = map[token.Token][]token.Token{
	token.LSS: {token.LEQ, token.GEQ}, token.LEQ: {token.LSS, token.GTR},
	token.GTR: {token.GEQ, token.LEQ}, token.GEQ: {token.GTR, token.LSS},
	token.EQL: {token.NEQ}, token.NEQ: {token.EQL},
	token.ADD: {token.SUB}, token.SUB: {token.ADD}, token.MUL: {token.QUO}, token.QUO: {token.MUL}, token.REM: {token.MUL},
	token.AND: {token.OR}, token.OR: {token.AND}, token.SHL: {token.SHR}, token.SHR: {token.SHL},
	token.LAND: {token.LOR}, token.LOR: {token.LAND},
	token.ADD_ASSIGN: {token.SUB_ASSIGN}, token.SUB_ASSIGN: {token.ADD_ASSIGN},
	token.INC: {token.DEC}, token.DEC: {token.INC},
}

// kind names the operator that changes a token.
func kind(op token.Token) string {
	switch op {
	case token.LSS, token.LEQ, token.GTR, token.GEQ, token.EQL, token.NEQ:
		return "comparison"
	case token.LAND, token.LOR:
		return "connective"
	}
	return "arithmetic"
}

func (f *finder) binary(n *ast.BinaryExpr) {
	for _, op := range instead[n.Op] {
		f.replace(kind(n.Op), n, f.text(n.X)+" "+op.String()+" "+f.text(n.Y))
	}
	if n.Op == token.LAND || n.Op == token.LOR {
		f.replace("connective", n, f.text(n.X))
		f.replace("connective", n, f.text(n.Y))
	}
}

// literal changes a number by one, and a text by a letter.
func (f *finder) literal(n *ast.BasicLit) {
	switch n.Kind {
	case token.INT:
		f.replace("constant", n, "("+n.Value+" + 1)")
		f.replace("constant", n, "("+n.Value+" - 1)")
	case token.STRING:
		f.replace("constant", n, "("+n.Value+` + "?")`)
	}
}

// numbers changes the numbers of a list by one.
func (f *finder) numbers(list []ast.Expr) {
	for _, e := range list {
		if n, ok := e.(*ast.BasicLit); ok && n.Kind == token.INT {
			f.literal(n)
		}
	}
}

// isMessage tells whether a call writes to people: an error, a panic, or a
// function of the package's own that takes anything at its end.
func (f *finder) isMessage(call *ast.CallExpr) bool {
	if name := f.text(call.Fun); name == "panic" || name == "fmt.Errorf" || name == "errors.New" {
		return true
	}
	name, ok := call.Fun.(*ast.Ident)
	if selector, is := call.Fun.(*ast.SelectorExpr); is {
		name, ok = selector.Sel, true
	}
	if !ok || f.info.Uses[name] == nil || f.info.Uses[name].Pkg() != f.pkg {
		return false
	}
	signature, ok := f.info.TypeOf(call.Fun).(*types.Signature)
	return ok && signature.Variadic() && types.IsInterface(signature.Params().At(signature.Params().Len()-1).Type().(*types.Slice).Elem())
}

// constant changes a named constant: true and false, a number of the package's
// own by one, one of a list of names to the next in the list.
func (f *finder) constant(n ast.Expr, name *ast.Ident) {
	object, ok := f.info.Uses[name].(*types.Const)
	if !ok {
		return
	}
	if object.Pkg() == nil {
		if other := map[string]string{"true": "false", "false": "true"}[object.Name()]; other != "" {
			f.replace("constant", n, other)
		}
		return
	}
	if sibling := nextSibling(object); sibling != "" {
		f.replace("constant", n, strings.TrimSuffix(f.text(n), object.Name())+sibling)
		return
	}
	if basic, ok := object.Type().Underlying().(*types.Basic); ok && basic.Info()&types.IsInteger != 0 && object.Pkg() == f.pkg {
		f.replace("constant", n, "("+f.text(n)+" + 1)")
		f.replace("constant", n, "("+f.text(n)+" - 1)")
	}
}

// nextSibling is the constant of the same named type that is declared after a
// constant, or the first one after the last, or "".
func nextSibling(c *types.Const) string {
	if _, named := types.Unalias(c.Type()).(*types.Named); !named {
		return ""
	}
	var next, first types.Object
	for _, name := range c.Pkg().Scope().Names() {
		other, ok := c.Pkg().Scope().Lookup(name).(*types.Const)
		if !ok || other == c || !types.Identical(other.Type(), c.Type()) || !reachable(other, c) {
			continue
		}
		if first == nil || less(other, first) {
			first = other
		}
		if less(c, other) && (next == nil || less(other, next)) {
			next = other
		}
	}
	switch {
	case next != nil:
		return next.Name()
	case first != nil:
		return first.Name()
	}
	return ""
}

// reachable tells whether a constant can stand where c does.
func reachable(other, c *types.Const) bool { return other.Exported() || !c.Exported() }

// less orders constants by value, which is how lists of names are declared.
func less(a, b types.Object) bool {
	x, y := a.(*types.Const).Val(), b.(*types.Const).Val()
	if x.Kind() != y.Kind() {
		return a.Name() < b.Name()
	}
	return constantLess(x, y)
}
