package fsm_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const repository = ".."

var (
	citation = regexp.MustCompile(`\bR([1-9][0-9]?)\b`)
	heading  = regexp.MustCompile(`(?m)^## R([0-9]+) `)
)

// rules returns the numbers of the rules in docs/rules.md.
func rules(t *testing.T) map[string]bool {
	text, err := os.ReadFile(filepath.Join(repository, "docs", "rules.md"))
	require.NoError(t, err)
	found := map[string]bool{}
	for i, match := range heading.FindAllStringSubmatch(string(text), -1) {
		require.Equal(t, strconv.Itoa(i+1), match[1], "rules are numbered without a gap")
		found[match[1]] = true
	}
	require.Len(t, found, 30)
	return found
}

// Every rule has its story, in a file that is named after it and that cites it
// in words; and no story cites a rule that does not exist.
func TestEveryRuleHasAScenario(t *testing.T) {
	known := rules(t)
	told := map[string]bool{}
	named := map[string]bool{}
	for _, file := range scenarios(t) {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		cited := map[string]bool{}
		for line := range strings.Lines(string(text)) {
			if !strings.HasPrefix(line, "#") {
				continue
			}
			for _, match := range citation.FindAllStringSubmatch(line, -1) {
				cited[match[1]], told[match[1]] = true, true
			}
		}
		require.NotEmpty(t, cited, "%s cites no rule", file)
		var number int
		if n, _ := fmt.Sscanf(filepath.Base(file), "r%d-", &number); n == 1 {
			require.True(t, cited[strconv.Itoa(number)], "%s does not cite its rule", file)
			named[strconv.Itoa(number)] = true
		}
	}
	require.Equal(t, known, told)
	require.Equal(t, known, named)
}

// Every rule that a comment in the code cites exists.
func TestCitedRulesExist(t *testing.T) {
	known := rules(t)
	require.NoError(t, filepath.WalkDir(repository, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		for _, group := range comments(t, path) {
			for _, match := range citation.FindAllStringSubmatch(group.Text(), -1) {
				require.True(t, known[match[1]], "%s cites %s, which does not exist", path, match[0])
			}
		}
		return nil
	}))
}

func comments(t *testing.T, path string) []*ast.CommentGroup {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
	require.NoError(t, err)
	return file.Comments
}
