package journal

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDraftsAreNotNamed: an error is about the name that was asked for.
func TestDraftsAreNotNamed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "missing", "a.journal")
	_, err := Create(path, testGenesis(), Options{})
	require.ErrorContains(t, err, "journal: "+path+": ")
	require.NotContains(t, err.Error(), ".a.journal")
	require.ErrorIs(t, err, os.ErrNotExist)
}

// TestDamagedParts: some parts are many.
func TestDamagedParts(t *testing.T) {
	for part, text := range map[string]string{"the head": "the head is", "record 5": "record 5 is", recordsPart: "the records are", chunksPart: "the chunks are"} {
		require.EqualError(t, &Damage{Part: part, Reason: "x"}, "journal: "+text+" damaged: x")
	}
}
