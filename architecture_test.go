package leasekeeper_test

import (
	"cmp"
	"go/build"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	modulePath = "github.com/leasekeeper/leasekeeper"
	rootName   = "root" // what the table calls the package of the module's path
)

// The table of packages in docs/architecture.md has a row for each package, and
// says which others of ours it imports, tests apart. What is below a package's own
// internal directory belongs to its row.
func TestTheTableOfPackagesSaysWhatTheyImport(t *testing.T) {
	told, found := toldImports(t), foundImports(t)
	for name, imports := range found {
		row, ok := told[name]
		if !ok {
			t.Errorf("docs/architecture.md has no row for %s, which imports %s", name, cell(imports))
			continue
		}
		if want := cell(imports); row != want {
			t.Errorf("docs/architecture.md says that %s imports\n%s\nbut it imports\n%s", name, row, want)
		}
	}
	for name := range told {
		require.Contains(t, found, name, "docs/architecture.md has a row for a package that there is not")
	}
}

// tableRow is a row of the table, with its first and its last cell.
var tableRow = regexp.MustCompile("(?m)^\\| `([a-z/]+)`(?: \\((root)\\))? \\| .* \\| ([^|]*) \\|$")

// toldImports are the cells with the imports, by package.
func toldImports(t *testing.T) map[string]string {
	page, err := os.ReadFile("docs/architecture.md")
	require.NoError(t, err)
	_, section, ok := strings.Cut(string(page), "\n## Packages\n")
	require.True(t, ok)
	section, _, _ = strings.Cut(section, "\n## ")
	told := map[string]string{}
	for _, row := range tableRow.FindAllStringSubmatch(section, -1) {
		name := cmp.Or(row[2], row[1])
		require.NotContains(t, told, name, "docs/architecture.md has two rows for a package")
		told[name] = row[3]
	}
	require.Equal(t, strings.Count(section, "\n| `"), len(told), "a row is not read")
	return told
}

// cell is a list of packages as the table has it.
func cell(imports []string) string {
	if len(imports) == 0 {
		return "none"
	}
	var names []string
	for _, name := range imports {
		if name != rootName {
			name = "`" + name + "`"
		}
		names = append(names, name)
	}
	return strings.Join(names, ", ")
}

// foundImports are the imports of ours, by the package whose row they belong to,
// in the order of the table: public packages, internal ones, the root.
func foundImports(t *testing.T) map[string][]string {
	found := map[string][]string{}
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return err
		}
		base := entry.Name()
		if path != "." && (base == "testdata" || strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_")) {
			return filepath.SkipDir
		}
		p, err := build.ImportDir(path, 0)
		if _, none := err.(*build.NoGoError); none || err == nil && len(p.GoFiles) == 0 {
			return nil
		}
		if err != nil {
			return err
		}
		name := rowOf(filepath.ToSlash(path))
		found[name] = append(found[name], oursOf(name, p.Imports)...)
		return nil
	})
	require.NoError(t, err)
	for name, imports := range found {
		slices.SortFunc(imports, func(a, b string) int {
			return cmp.Or(cmp.Compare(tier(a), tier(b)), cmp.Compare(a, b))
		})
		found[name] = slices.Compact(imports)
	}
	return found
}

// oursOf are the rows of those imports that are ours, but for the row itself.
func oursOf(row string, imports []string) (ours []string) {
	for _, path := range imports {
		below, is := strings.CutPrefix(path+"/", modulePath+"/")
		if name := rowOf(cmp.Or(strings.TrimSuffix(below, "/"), ".")); is && name != row {
			ours = append(ours, name)
		}
	}
	return ours
}

// rowOf is the row that a package, given by its directory, belongs to.
func rowOf(directory string) string {
	if directory == "." {
		return rootName
	}
	owner, _, _ := strings.Cut(directory, "/internal/")
	return owner
}

func tier(name string) int {
	switch {
	case name == rootName:
		return 2
	case strings.HasPrefix(name, "internal/"):
		return 1
	}
	return 0
}
