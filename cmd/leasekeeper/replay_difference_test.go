package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLongAnswersAreCutBetweenCharacters(t *testing.T) {
	require.Equal(t, `"größe"`, shortened(`"größe"`))
	long := `"` + strings.Repeat("ö", 1000) + `"` // byte 2000 is the second one of an ö
	require.Equal(t, `"`+strings.Repeat("ö", 999)+"… (2002 bytes)", shortened(long))
}
