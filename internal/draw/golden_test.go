package draw_test

import (
	"flag"
	"os"
	"testing"

	"github.com/leasekeeper/leasekeeper/internal/draw"
	"github.com/leasekeeper/leasekeeper/projection"
	"github.com/stretchr/testify/require"
)

var rewrite = flag.Bool("rewrite", false, "rewrite the drawings in testdata with those of today")

// TestStories draws the stories in testdata. With -rewrite, it draws them anew:
// look at them then.
func TestStories(t *testing.T) {
	for _, name := range []string{"inc-5127", "chain", "shared", "deadlock"} {
		t.Run(name, func(t *testing.T) {
			h := story(t, name)
			all := window{locks: 10}
			part := window{locks: 1, filter: projection.Filter{From: 10, To: 36}}
			text := h.text(t, 100, all, draw.TextOptions{}) + "\n" +
				h.text(t, 64, part, draw.TextOptions{ASCII: true}) + "\n" +
				h.text(t, 64, window{locks: 10, most: 1}, draw.TextOptions{})
			same(t, "testdata/"+name+".txt", text)
			same(t, "testdata/"+name+".svg", h.svg(t, all))
			same(t, "testdata/"+name+"-many.svg", h.svg(t, window{locks: 1, most: 1}))
		})
	}
}

// same holds a drawing against the one in a file.
func same(t *testing.T, file, drawn string) {
	if *rewrite {
		require.NoError(t, os.WriteFile(file, []byte(drawn), 0o644))
		return
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), drawn)
}
