package journal

import (
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestReaderFromDescription runs the reader that somebody could write from
// docs/journal-format.md.
func TestReaderFromDescription(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3:", err)
	}
	out, err := exec.Command(python, "testdata/reader.py", golden).CombinedOutput()
	require.NoError(t, err, string(out))
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	for i, r := range smallRecords() {
		answer, ok := r.Answer.JSON()
		if !ok {
			hash := r.Answer.Hash()
			answer = []byte(hex.EncodeToString(hash[:]))
		}
		require.Equal(t, fmt.Sprintf("%d %x %s %x", r.Sequence, r.Fingerprint, answer, r.Event), lines[i])
	}
	require.Equal(t, "head "+goldenHead, lines[len(lines)-1])

	b, err := os.ReadFile(golden)
	require.NoError(t, err)
	r := sample(20)
	b[indexOf(b, r.append(nil)[keySize:])+30] ^= 4
	path := t.TempDir() + "/damaged"
	require.NoError(t, os.WriteFile(path, b, 0o600))
	out, err = exec.Command(python, "testdata/reader.py", path).CombinedOutput()
	require.Error(t, err)
	require.Contains(t, string(out), "damaged: the value of key")
}

// TestExampleInDescription: the bytes that docs/journal-format.md shows are
// those of a record.
func TestExampleInDescription(t *testing.T) {
	text, err := os.ReadFile("../docs/journal-format.md")
	require.NoError(t, err)
	_, rest, ok := strings.Cut(string(text), "```hex\n")
	require.True(t, ok)
	block, _, ok := strings.Cut(rest, "```")
	require.True(t, ok)
	var digits strings.Builder
	for line := range strings.Lines(block) {
		code, _, _ := strings.Cut(line, "#")
		digits.WriteString(strings.ReplaceAll(strings.TrimSpace(code), " ", ""))
	}
	r := sample(1)
	require.Equal(t, hex.EncodeToString(r.append(nil)), digits.String())
}
