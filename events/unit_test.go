package events

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// R30: there are four units, and each has one name.
func TestUnitsAndTheirNames(t *testing.T) {
	for _, u := range Units {
		require.NoError(t, Rules{Edition: Edition3, Unit: u}.Validate())
		parsed, err := ParseUnit(u.String())
		require.NoError(t, err)
		require.Equal(t, u, parsed)
	}
	for _, text := range []string{"", "seconds", "Second", "hour", Unit(60).String()} {
		_, err := ParseUnit(text)
		require.ErrorContains(t, err, "(there are second, millisecond, microsecond, nanosecond)")
	}
	require.Equal(t, "1/60 second", Unit(60).String())
}
