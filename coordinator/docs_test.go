package coordinator_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// The program in docs/coordinator.md prints what the page says.
func TestProgramOfThePage(t *testing.T) {
	page, err := os.ReadFile("../docs/coordinator.md")
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
