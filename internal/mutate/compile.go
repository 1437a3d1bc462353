package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strconv"
	"strings"
)

// compiling returns the mutants that compile, with their numbers and names.
// One check of the woven package tells about all of them.
func (s *source) compiling(all []*mutant) ([]*mutant, error) {
	number(all)
	fset := token.NewFileSet()
	forced, err := parser.ParseFile(fset, "", "package "+s.pkg.Name()+"; var mutantInForce int", 0)
	if err != nil {
		return nil, err
	}
	trees := []*ast.File{forced}
	for _, f := range s.files {
		tree, err := parser.ParseFile(fset, f.path, s.weave(f, all), parser.SkipObjectResolution)
		if err != nil {
			return nil, fmt.Errorf("mutate: the woven package: %w", err)
		}
		trees = append(trees, tree)
	}
	broken := map[int]bool{}
	var failed error
	config := types.Config{Importer: s.imports, Error: func(err error) {
		if n := mutantAt(trees, err.(types.Error).Pos); n > 0 {
			broken[n] = true
		} else if failed == nil {
			failed = fmt.Errorf("mutate: the woven package: %w", err)
		}
	}}
	_, _ = config.Check(s.path, fset, trees, nil) // returns an error that was told above
	var good []*mutant
	for _, m := range all {
		if !broken[m.number] {
			good = append(good, m)
		}
	}
	number(good)
	return good, failed
}

// mutantAt is the number of the mutant at a position of the woven package.
func mutantAt(trees []*ast.File, pos token.Pos) int {
	for _, tree := range trees {
		for _, decl := range tree.Decls {
			function, ok := decl.(*ast.FuncDecl)
			if !ok || pos < function.Pos() || function.End() < pos {
				continue
			}
			_, digits, _ := strings.Cut(function.Name.Name, suffix)
			n, _ := strconv.Atoi(digits)
			return n
		}
	}
	return 0
}
