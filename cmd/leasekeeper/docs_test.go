package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"
)

const repository = "../.."

// What the documents show is what the commands print. Each document becomes a
// script that runs its blocks of console sessions, where output is compared,
// and of shell commands, which have to succeed. They run as if from the root of
// the repository.
func TestDocumentsShowWhatCommandsPrint(t *testing.T) {
	documents, err := filepath.Glob(repository + "/docs/*.md")
	require.NoError(t, err)
	scripts := t.TempDir()
	for _, path := range append(documents, repository+"/README.md", repository+"/CONTRIBUTING.md") {
		text, err := os.ReadFile(path)
		if os.IsNotExist(err) {
			continue
		}
		require.NoError(t, err)
		script := scriptOf(string(text))
		if len(script.Files) == 0 {
			continue
		}
		file := filepath.Join(scripts, strings.ToLower(strings.TrimSuffix(filepath.Base(path), ".md"))+".txtar")
		require.NoError(t, os.WriteFile(file, txtar.Format(script), 0o600))
	}
	testscript.Run(t, testscript.Params{
		Dir:   scripts,
		Setup: likeRepository,
		Cmds:  map[string]func(*testscript.TestScript, bool, []string){"console": console},
	})
}

// block is a fenced block of a kind that is run, with the indentation that it
// has in a list.
var block = regexp.MustCompile("(?ms)^( *)```(console|sh)\n(.*?)^ *```$")

// scriptOf turns the blocks of a document into a script.
func scriptOf(document string) *txtar.Archive {
	script := new(txtar.Archive)
	for _, found := range block.FindAllStringSubmatch(document, -1) {
		indent, kind, body := found[1], found[2], found[3]
		body = strings.TrimPrefix(strings.ReplaceAll("\n"+body, "\n"+indent, "\n"), "\n")
		if kind == "sh" {
			body = "$ " + strings.ReplaceAll(strings.TrimSpace(body), "\n", "\n$ ") + "\n"
		}
		name := fmt.Sprintf("block-%d", len(script.Files)+1)
		script.Comment = fmt.Appendf(script.Comment, "console %s\n", name)
		script.Files = append(script.Files, txtar.File{Name: name, Data: []byte(body)})
	}
	return script
}

// likeRepository makes the directory of a script look like the root of the
// repository, so that what a command writes there does not end up in it.
func likeRepository(env *testscript.Env) error {
	root, err := filepath.Abs(repository)
	if err != nil {
		return err
	}
	entries, err := os.ReadDir(root)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if entry.Name() == ".git" {
			continue
		}
		if err := os.Symlink(filepath.Join(root, entry.Name()), filepath.Join(env.WorkDir, entry.Name())); err != nil {
			return err
		}
	}
	return nil
}

func TestBlocksOfDocumentsAreFound(t *testing.T) {
	document := "text\n```console\n$ leasekeeper version\n```\n- item\n\n  ```sh\n  leasekeeper run x\n  ls\n  ```\n```json\n$ no\n```\n"
	require.Equal(t, "console block-1\nconsole block-2\n-- block-1 --\n$ leasekeeper version\n-- block-2 --\n$ leasekeeper run x\n$ ls\n",
		string(txtar.Format(scriptOf(document))))
}
