package leasekeeper_test

import (
	"testing"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// An event survives every form it is kept in: JSON → event → msgpack → event
// → JSON. So a journal that is exported and imported is the same journal.
func TestEventsSurviveEveryForm(t *testing.T) {
	law(t, func(t *rapid.T, h story) {
		for _, event := range h.events {
			if _, _, refusal := h.world.Rules.Admit(event); refusal != events.NotRefused {
				if _, raw := event.(events.Invalid); !raw {
					continue // made by hand: Parse would have made an Invalid of it
				}
			}
			text := events.AppendJSON(nil, event)
			parsed, err := h.world.Rules.Parse(text)
			require.NoError(t, err, "%s", text)
			require.Equal(t, event, parsed, "%s", text)

			packed := events.Append(nil, parsed)
			decoded, err := events.Decode(packed)
			require.NoError(t, err, "%x", packed)
			require.Equal(t, event, decoded)
			require.Equal(t, packed, events.Append(nil, decoded))
			require.Equal(t, text, events.AppendJSON(nil, decoded))
		}
	})
}
