package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// source is a package without its tests, read and type-checked.
type source struct {
	module  string // the module's directory
	dir     string // the package's, below the module, with slashes
	path    string // its import path
	fset    *token.FileSet
	files   []*file
	info    *types.Info
	pkg     *types.Package
	imports types.Importer
}

// file is one file of a source.
type file struct {
	path string // below the module, with slashes
	text string
	tree *ast.File
}

// listed is what the go command says of a package.
type listed struct {
	ImportPath, Dir, Export string
	GoFiles                 []string
	Module                  *struct{ Dir string }
}

// load reads the package in a directory.
func load(dir string) (*source, error) {
	packages, err := list(dir)
	if err != nil {
		return nil, err
	}
	exports := map[string]string{}
	for _, p := range packages {
		exports[p.ImportPath] = p.Export
	}
	own := packages[len(packages)-1] // what it depends on comes first
	below, err := filepath.Rel(own.Module.Dir, own.Dir)
	if err != nil {
		return nil, err
	}
	s := &source{module: own.Module.Dir, dir: filepath.ToSlash(below), path: own.ImportPath, fset: token.NewFileSet()}
	s.imports = importer.ForCompiler(s.fset, "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(exports[path])
	})
	for _, name := range own.GoFiles {
		text, err := os.ReadFile(filepath.Join(own.Dir, name))
		if err != nil {
			return nil, err
		}
		tree, err := parser.ParseFile(s.fset, name, text, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		s.files = append(s.files, &file{s.dir + "/" + name, string(text), tree})
	}
	s.info = &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{},
		Defs: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
	}
	s.pkg, err = (&types.Config{Importer: s.imports}).Check(s.path, s.fset, s.trees(), s.info)
	return s, err
}

func (s *source) trees() []*ast.File {
	var trees []*ast.File
	for _, f := range s.files {
		trees = append(trees, f.tree)
	}
	return trees
}

func list(dir string) ([]listed, error) {
	cmd := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Dir,Export,GoFiles,Module", "./"+strings.TrimPrefix(dir, "./"))
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("mutate: go list %s: %w", dir, err)
	}
	var packages []listed
	for decoder := json.NewDecoder(strings.NewReader(string(out))); decoder.More(); {
		var p listed
		if err := decoder.Decode(&p); err != nil {
			return nil, err
		}
		packages = append(packages, p)
	}
	return packages, nil
}

// offset is where a position lies in its file.
func (s *source) offset(pos token.Pos) int { return s.fset.Position(pos).Offset }
