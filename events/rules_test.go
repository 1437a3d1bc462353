package events_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/leasekeeper/leasekeeper/events"
)

// R29, R30: three editions and four clock units; in each the longest lease
// granted at the latest instant still ends within 64 bits.
func TestRulesValidate(t *testing.T) {
	for _, edition := range []events.Edition{events.Edition1, events.Edition2, events.Edition3} {
		for _, unit := range []events.Unit{events.Second, events.Millisecond, events.Microsecond, events.Nanosecond} {
			r := events.Rules{Edition: edition, Unit: unit}
			require.NoError(t, r.Validate())
			require.Equal(t, 86400*int64(unit), r.MaxTTL())
			require.Positive(t, r.MaxInstant()+r.MaxTTL())
		}
	}
	require.EqualError(t, events.Rules{Unit: events.Second}.Validate(), "events: no such edition of the rules: 0 (there are 1, 2 and 3)")
	require.Error(t, events.Rules{Edition: 4, Unit: events.Second}.Validate())
	require.EqualError(t, events.Rules{Edition: events.Edition3}.Validate(), "events: no such clock unit: 0 ticks a second (there are 1, 10^3, 10^6 and 10^9)")
	require.Error(t, events.Rules{Edition: events.Edition3, Unit: 60}.Validate())
	require.Error(t, events.Rules{Edition: events.Edition3, Unit: -1}.Validate())
}

// Every event tells its name and its instant; an invalid has an instant only
// if it moves the clock (R1).
func TestEventInstant(t *testing.T) {
	for _, e := range sampleEvents() {
		admitted, moves, _ := events.Current.Admit(e)
		at, ok := e.Instant()
		require.Equal(t, moves, ok, "%#v", e)
		require.Equal(t, admitted, at, "%#v", e)
		if e.Operation() != "invalid" {
			require.Contains(t, string(events.AppendJSON(nil, e)), `["`+e.Operation()+`",`)
		}
	}
}

// The small enumerations have a text for every value, and for those that do
// not exist.
func TestNames(t *testing.T) {
	require.Equal(t, "exclusive shared", events.Exclusive.String()+" "+events.Shared.String())
	require.Equal(t, "invalid mode", events.Mode(0).String())
	require.Equal(t, "invalid effect", events.EffectKind(0).String())
	require.Equal(t, "invalid cause", events.Cause(99).String())
	require.Equal(t, "", events.NotRefused.String())
	require.Equal(t, "error: not holder", events.NotHolder.String())
	require.Equal(t, "Refusal(99)", events.Refusal(99).String())
	require.Equal(t, "released withdrawn ok", events.Released.String()+" "+events.Withdrawn.String()+" "+events.Accepted.String())
}
