package leasekeeper_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// The programs in the documents print what their pages say.
func TestProgramsInTheDocuments(t *testing.T) {
	for _, page := range []string{"docs/embedding.md", "docs/coordinator.md"} {
		t.Run(page, func(t *testing.T) { requireProgram(t, page) })
	}
}

func requireProgram(t *testing.T, name string) {
	page, err := os.ReadFile(name)
	require.NoError(t, err)
	program := regexp.MustCompile("(?s)```go\n(.*?)```").FindSubmatch(page)
	output := regexp.MustCompile("(?s)It prints:\n\n```text\n(.*?)```").FindSubmatch(page)
	require.NotNil(t, program)
	require.NotNil(t, output)
	file := filepath.Join(t.TempDir(), "main.go")
	require.NoError(t, os.WriteFile(file, program[1], 0o600))
	got, err := exec.Command("go", "run", file).CombinedOutput()
	require.NoError(t, err, "%s", got)
	require.Equal(t, string(output[1]), string(got))
}
