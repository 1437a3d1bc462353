package explain

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLongTextsAreCutBetweenCharacters(t *testing.T) {
	require.Equal(t, `"größe"`, shortened([]byte(`"größe"`)))
	long := `"` + strings.Repeat("ö", 250) + `"` // byte 500 is the second one of an ö
	require.Equal(t, `"`+strings.Repeat("ö", 249)+"…", shortened([]byte(long)))
}
