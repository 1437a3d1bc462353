package redact

import (
	"maps"
	"slices"
)

// Pseudonym is a name, or a family of names, with what stands for it.
type Pseudonym struct {
	Kind string `json:"kind"` // client, lock, key, value, text
	// Original is the name. Of a family it is a template's string.
	Original  string `json:"original"`
	Pseudonym string `json:"pseudonym"`
	Family    bool   `json:"family,omitempty"`
}

// Mapping yields what stands for what, by kind and by name, after the last event
// has been redacted. A family's names that only its templates make up are not
// listed one by one.
func (r *Redactor) Mapping(yield func(Pseudonym) bool) {
	for _, k := range r.names.kinds() {
		if k.whole {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(k.names)) {
			if !k.kept(name) && !yield(Pseudonym{Kind: k.word, Original: name, Pseudonym: k.pseudonym(name)}) {
				return
			}
		}
		for _, pattern := range slices.Sorted(maps.Keys(k.patterns)) {
			if !yield(Pseudonym{k.word, pattern, k.pattern(pattern), true}) {
				return
			}
		}
	}
}
