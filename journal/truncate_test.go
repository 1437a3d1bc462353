package journal

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/leasekeeper/leasekeeper/journal/internal/pages"
)

// TestTruncation cuts a journal off at every page, and in the middle of every
// page.
func TestTruncation(t *testing.T) {
	original := small(t)
	path := filepath.Join(t.TempDir(), "cut")
	for length := 0; length < len(original); length += pages.Size / 2 {
		require.NoError(t, os.WriteFile(path, original[:length], 0o600))
		for _, options := range []Options{{}, {ReadOnly: true}, {Fallback: true}} {
			_, err := Open(path, options)
			require.ErrorIs(t, err, ErrDamaged, "%d bytes", length)
			require.ErrorContains(t, err, "ends")
		}
		_, err := Verify(path, VerifyOptions{})
		var damage *Damage
		require.ErrorAs(t, err, &damage)
		require.LessOrEqual(t, damage.Offset, int64(length))
		require.GreaterOrEqual(t, damage.Offset+damage.Length, int64(length))
	}
	longer := append(original[:len(original):len(original)], make([]byte, 10_000)...)
	require.NoError(t, os.WriteFile(path, longer, 0o600))
	_, err := Verify(path, VerifyOptions{})
	require.NoError(t, err, "bbolt makes files longer before it uses them")
}

// TestTruncationUnderneath cuts a journal off while it is open: writing fails
// with an error, not with a signal.
func TestTruncationUnderneath(t *testing.T) {
	f := newFile(t, Options{})
	require.NoError(t, f.Append(samples(1, 300)...))
	require.NoError(t, os.Truncate(f.Path(), 2*pages.Size))
	err := f.Append(sample(301))
	require.ErrorIs(t, err, ErrFailed)
	require.ErrorIs(t, err, ErrDamaged)
	for _, err := range f.Scan(0, 0) {
		require.ErrorIs(t, err, ErrDamaged)
	}
	require.NoError(t, f.Close())
}

// TestExchangedPages exchanges, repeats and blanks whole pages.
func TestExchangedPages(t *testing.T) {
	original := small(t)
	truth, err := learn(original.file())
	require.NoError(t, err)
	n := len(original) / pages.Size
	page := func(b image, i int) []byte { return b[i*pages.Size : (i+1)*pages.Size] }
	for i := range n {
		for j := range n {
			b := append(image(nil), original...)
			what := "copied"
			if i == j {
				what = "blanked"
				clear(page(b, i))
			} else {
				copy(page(b, i), page(original, j))
				if i < j {
					what = "exchanged"
					copy(page(b, j), page(original, i))
				}
			}
			e, err := learn(b.file())
			require.Empty(t, e.wrong(truth, err), "pages %d and %d %s", i, j, what)
			_, verr := verify(b.file(), VerifyOptions{})
			require.False(t, err != nil && verr == nil, "Verify misses %v", err)
			require.True(t, verr == nil || errors.Is(verr, ErrDamaged))
		}
	}
}
