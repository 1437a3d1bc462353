package main

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

func constantLess(x, y constant.Value) bool { return constant.Compare(x, token.LSS, y) }

// zero is an expression for the zero value of a type.
func (f *finder) zero(t types.Type) string {
	return "*new(" + types.TypeString(t, func(p *types.Package) string {
		if p == f.pkg {
			return ""
		}
		return p.Name()
	}) + ")"
}

// isZero tells whether an expression is a zero value on its face.
func (f *finder) isZero(e ast.Expr) bool {
	if literal, ok := ast.Unparen(e).(*ast.CompositeLit); ok && len(literal.Elts) == 0 {
		return true
	}
	value := f.info.Types[e]
	if value.IsNil() {
		return true
	}
	if value.Value == nil {
		return false
	}
	switch value.Value.Kind() {
	case constant.Bool:
		return !constant.BoolVal(value.Value)
	case constant.String:
		return constant.StringVal(value.Value) == ""
	case constant.Int:
		return constant.Sign(value.Value) == 0
	}
	return false
}

// results makes each value of a return zero, and a truth value also true.
func (f *finder) results(n *ast.ReturnStmt, stack []ast.Node) {
	results := f.signature(stack).Results()
	if len(n.Results) != results.Len() {
		return // a call of several values
	}
	for i, e := range n.Results {
		t := results.At(i).Type()
		if !f.isZero(e) {
			f.replace("result", e, f.zero(t))
		}
		if basic, ok := t.Underlying().(*types.Basic); ok && basic.Kind() == types.Bool && f.info.Types[e].Value == nil {
			f.replace("result", e, "true")
		}
	}
}

// signature is that of the function that a return leaves.
func (f *finder) signature(stack []ast.Node) *types.Signature {
	for i := len(stack) - 1; ; i-- {
		switch n := stack[i].(type) {
		case *ast.FuncLit:
			return f.info.TypeOf(n).(*types.Signature)
		case *ast.FuncDecl:
			return f.info.Defs[n.Name].Type().(*types.Signature)
		}
	}
}

// call swaps neighbouring arguments of one type, and puts an argument instead
// of a call that gives the same type. For an append that is nothing appended.
func (f *finder) call(n *ast.CallExpr) {
	if f.info.Types[n.Fun].IsType() {
		return // a conversion
	}
	f.swap(n.Args)
	result := f.info.TypeOf(n)
	for _, argument := range n.Args {
		if result != nil && types.Identical(f.info.TypeOf(argument), result) {
			f.replace("argument", n, f.text(argument))
			break
		}
	}
	if name := f.text(n.Fun); name == "min" || name == "max" {
		f.replace("arithmetic", n.Fun, map[string]string{"min": "max", "max": "min"}[name])
	}
}

// swap exchanges neighbours of one type.
func (f *finder) swap(list []ast.Expr) {
	for i := range len(list) - 1 {
		a, b := list[i], list[i+1]
		if types.Identical(f.info.TypeOf(a), f.info.TypeOf(b)) {
			f.exchange(a, b)
		}
	}
}

// exchange lets two expressions change places; a comes first.
func (f *finder) exchange(a, b ast.Expr) {
	between := f.file.text[f.offset(a.End()):f.offset(b.Pos())]
	f.edits = append(f.edits, edit{"argument", f.offset(a.Pos()), f.offset(b.End()), f.text(b) + between + f.text(a)})
}

// composite makes the fields of a struct zero one by one, and exchanges those
// of one type.
func (f *finder) composite(n *ast.CompositeLit) {
	structure, ok := f.info.TypeOf(n).Underlying().(*types.Struct)
	if !ok {
		return
	}
	var values []ast.Expr
	for i, element := range n.Elts {
		value, field := element, structure.Field(i%structure.NumFields())
		if pair, ok := element.(*ast.KeyValueExpr); ok {
			value = pair.Value
			field = f.info.Uses[pair.Key.(*ast.Ident)].(*types.Var)
		}
		if !f.isZero(value) {
			f.replace("field", value, f.zero(field.Type()))
		}
		for _, earlier := range values {
			if types.Identical(f.info.TypeOf(earlier), f.info.TypeOf(value)) {
				f.exchange(earlier, value)
				break
			}
		}
		values = append(values, value)
	}
}

// field takes another field of the same type.
func (f *finder) field(n *ast.SelectorExpr) {
	selection := f.info.Selections[n]
	if selection == nil || selection.Kind() != types.FieldVal {
		return
	}
	structure := structOf(selection)
	if structure == nil {
		return
	}
	index := selection.Index()
	own, count := index[len(index)-1], structure.NumFields()
	for step := 1; step < count; step++ {
		other := structure.Field((own + step) % count)
		if types.Identical(other.Type(), selection.Type()) && (other.Exported() || other.Pkg() == f.pkg) && !other.Embedded() {
			f.replace("field", n.Sel, other.Name())
			return
		}
	}
}

// structOf is the struct that a selected field stands in, past the embedded
// ones on the way to it.
func structOf(selection *types.Selection) *types.Struct {
	t := selection.Recv()
	index := selection.Index()
	for i := 0; ; i++ {
		if pointer, ok := t.Underlying().(*types.Pointer); ok {
			t = pointer.Elem()
		}
		structure, ok := t.Underlying().(*types.Struct)
		if !ok || i == len(index)-1 {
			return structure
		}
		t = structure.Field(index[i]).Type()
	}
}
