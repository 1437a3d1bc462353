package main

import (
	_ "embed"
	"encoding/json"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// guardText is the source of the file that is added to the woven package.
//
//go:embed testdata/guard.txt
var guardText string

// overlay writes the woven package to a scratch directory, and beside it the
// file that tells the go command to take it.
func (s *source) overlay(all []*mutant, scratch string) (string, error) {
	texts := map[string]string{
		"mutant_in_force.go": strings.Replace(guardText, "package guard", "package "+s.pkg.Name(), 1),
	}
	for _, f := range s.files {
		texts[path.Base(f.path)] = s.weave(f, all)
	}
	replace := map[string]string{}
	for name, text := range texts {
		woven := filepath.Join(scratch, name)
		replace[filepath.Join(s.module, filepath.FromSlash(s.dir), name)] = woven
		if err := os.WriteFile(woven, []byte(text), 0o600); err != nil {
			return "", err
		}
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	overlay := filepath.Join(scratch, "overlay.json")
	return overlay, os.WriteFile(overlay, text, 0o600)
}
