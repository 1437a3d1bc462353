package history

import (
	"fmt"
	"slices"
	"strings"
)

// Profile says what the histories are about that Generate draws. The zero
// Profile is about nothing and not valid; take one from Profiles. A Profile is
// a value and may be used by several goroutines.
type Profile struct {
	Name        string
	Description string // one line

	focuses []*focus // each history takes one of them
}

// focus is what is common to the histories of one kind. Each of these still
// makes a plan of its own.
type focus struct {
	clients, locks span
	actions        [actions]int // how often each, against the others
	paces          [paces]int   // likewise
	terms          [terms]int   // likewise
	shared         []int        // percent of the acquires; a plan takes one
	odd            int          // percent of the histories that have odd names
	early          int          // percent that begin far from instant 0, on either side
}

// span is a range of numbers, both ends included.
type span struct{ low, high int }

// Profiles lists the profiles. The last one, everything, is a mixture of all
// others; who does not know what to look for takes that.
func Profiles() []Profile { return slices.Clone(profiles) }

// ProfileNamed returns the profile of a name. The error lists the names.
func ProfileNamed(name string) (Profile, error) {
	names := make([]string, len(profiles))
	for i, profile := range profiles {
		if profile.Name == name {
			return profile, nil
		}
		names[i] = profile.Name
	}
	return Profile{}, fmt.Errorf("history: no such profile: %q (there are %s)", name, strings.Join(names, ", "))
}
