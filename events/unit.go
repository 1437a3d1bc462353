package events

import (
	"fmt"
	"strings"
)

// Units are the clock units, from the longest to the shortest.
var Units = []Unit{Second, Millisecond, Microsecond, Nanosecond}

// String is the unit in one lower-case word, such as "second"; for values that
// are no unit, how many ticks a second would have.
func (u Unit) String() string {
	switch u {
	case Second:
		return "second"
	case Millisecond:
		return "millisecond"
	case Microsecond:
		return "microsecond"
	case Nanosecond:
		return "nanosecond"
	}
	return fmt.Sprintf("1/%d second", int64(u))
}

// ParseUnit is the reverse of String. The error names the units that there are.
func ParseUnit(text string) (Unit, error) {
	names := make([]string, len(Units))
	for i, u := range Units {
		if names[i] = u.String(); text == names[i] {
			return u, nil
		}
	}
	return 0, fmt.Errorf("events: no such clock unit: %q (there are %s)", text, strings.Join(names, ", "))
}
