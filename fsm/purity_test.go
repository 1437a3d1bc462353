package fsm_test

import (
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// mayImport has the packages whose results may depend on nothing but their
// arguments, and what each may import: nothing that tells the time, draws a
// number, waits, logs, or looks at the machine.
var mayImport = map[string][]string{
	"fsm": {
		"cmp", "encoding/binary", "encoding/hex", "errors", "fmt", "iter", "maps", "math/bits", "slices", "strconv", "strings", "unicode/utf8",
		"github.com/zeebo/xxh3",
		"github.com/leasekeeper/leasekeeper/events",
		"github.com/leasekeeper/leasekeeper/internal/persist",
	},
	"internal/persist": {"iter", "math", "math/bits", "slices", "github.com/zeebo/xxh3"},
	"events": {
		"bytes", "encoding/binary", "encoding/json", "errors", "fmt", "math", "math/big", "math/bits", "slices", "strconv",
		"strings", "unicode", "unicode/utf16", "unicode/utf8",
	},
}

// Law 1: Apply reads its two arguments and nothing else.
func TestLaw1ApplyReadsItsArgumentsOnly(t *testing.T) {
	fset := token.NewFileSet()
	imports := importer.ForCompiler(fset, "source", nil) // reads each package once
	for dir, allowed := range mayImport {
		t.Run(dir, func(t *testing.T) {
			s := readSource(t, fset, imports, filepath.Join(repository, filepath.FromSlash(dir)))
			for _, file := range s.files {
				for _, spec := range file.Imports {
					require.Contains(t, allowed, strings.Trim(spec.Path.Value, `"`), s.at(spec))
				}
				for _, group := range file.Comments {
					require.NotContains(t, group.List[0].Text, "//go:", s.at(group))
				}
				ast.Inspect(file, func(n ast.Node) bool {
					if why := s.impure(n); why != "" {
						t.Errorf("%s: %s", s.at(n), why)
					}
					return true
				})
			}
		})
	}
}

// source is a package without its tests.
type source struct {
	fset  *token.FileSet
	files []*ast.File
	info  types.Info
	scope *types.Scope
}

func readSource(t *testing.T, fset *token.FileSet, imports types.Importer, dir string) *source {
	s := &source{
		fset: fset,
		info: types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}},
	}
	listed, err := build.ImportDir(dir, 0)
	require.NoError(t, err)
	for _, name := range listed.GoFiles {
		file, err := parser.ParseFile(s.fset, filepath.Join(dir, name), nil, parser.ParseComments)
		require.NoError(t, err)
		s.files = append(s.files, file)
	}
	config := types.Config{Importer: imports}
	checked, err := config.Check(listed.Name, s.fset, s.files, &s.info)
	require.NoError(t, err)
	s.scope = checked.Scope()
	return s
}

func (s *source) at(n ast.Node) string { return s.fset.Position(n.Pos()).String() }

// impure tells why a node may not stand in a pure package, or "".
func (s *source) impure(n ast.Node) string {
	switch n := n.(type) {
	case *ast.GoStmt:
		return "a goroutine"
	case *ast.SelectStmt, *ast.SendStmt, *ast.ChanType:
		return "a channel"
	case *ast.RangeStmt:
		if _, isMap := s.info.TypeOf(n.X).Underlying().(*types.Map); isMap || s.isCallOf(n.X, "maps") {
			return "a range over a map, whose order is random"
		}
	case *ast.FuncDecl:
		if n.Recv == nil && n.Name.Name == "init" {
			return "an init function"
		}
	case *ast.CallExpr:
		if s.unordered(n) {
			return "the keys or values of a map, not sorted"
		}
	case *ast.AssignStmt:
		for _, target := range n.Lhs {
			if s.isGlobal(target) {
				return "a change of a package variable"
			}
		}
	case *ast.IncDecStmt:
		if s.isGlobal(n.X) {
			return "a change of a package variable"
		}
	case *ast.UnaryExpr:
		if n.Op == token.AND && s.isGlobal(n.X) {
			return "the address of a package variable"
		}
	}
	return ""
}

// unordered finds functions of package maps that are not wrapped in
// slices.Sorted.
func (s *source) unordered(call *ast.CallExpr) bool {
	for _, argument := range call.Args {
		if s.isCallOf(argument, "maps") && !s.isSorted(call.Fun) {
			return true
		}
	}
	return false
}

// isCallOf tells whether an expression calls a function of a package.
func (s *source) isCallOf(e ast.Expr, path string) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	return ok && s.isFrom(call.Fun, path)
}

func (s *source) isFrom(fun ast.Expr, path string) bool {
	selector, ok := fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	object := s.info.Uses[selector.Sel]
	return object != nil && object.Pkg() != nil && object.Pkg().Path() == path
}

func (s *source) isSorted(fun ast.Expr) bool {
	selector, ok := fun.(*ast.SelectorExpr)
	return ok && s.isFrom(fun, "slices") && strings.HasPrefix(selector.Sel.Name, "Sorted")
}

// isGlobal tells whether an expression is, or is part of, a variable of the
// package itself.
func (s *source) isGlobal(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		object, ok := s.info.Uses[e].(*types.Var)
		return ok && object.Parent() == s.scope
	case *ast.SelectorExpr:
		return s.isGlobal(e.X)
	case *ast.IndexExpr:
		return s.isGlobal(e.X)
	case *ast.StarExpr:
		return s.isGlobal(e.X)
	}
	return false
}
