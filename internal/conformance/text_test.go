package conformance

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWhatAProgramPrintedIsCutBetweenCharacters(t *testing.T) {
	text := "a" + strings.Repeat("ö", 100) // byte 200 is the second one of an ö
	begins := "a" + strings.Repeat("ö", 99)
	require.Equal(t, begins+"…", clip([]byte(text)))
	require.Equal(t, `"`+begins+`"…`, quote(text))
	require.Equal(t, `"größe"`, quote("größe"))
	require.Equal(t, "gr\ufffd\n\\u001b", clip([]byte("gr\xc3\r\n\x1b")))
}
