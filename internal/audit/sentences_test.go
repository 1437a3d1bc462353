package audit

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLongAnswersAreCutBetweenCharacters(t *testing.T) {
	require.Equal(t, `"größe"`, shortened([]byte(`"größe"`)))
	long := `"` + strings.Repeat("ö", 100) + `"` // byte 200 is the second one of an ö
	require.Equal(t, `"`+strings.Repeat("ö", 99)+"… (202 bytes)", shortened([]byte(long)))
}
