package redact

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// kind is a kind of names: they have pseudonyms of their own.
type kind struct {
	word     string
	whole    bool                   // all of its names stay as they are
	kept     func(name string) bool // this one does
	names    map[string]bool
	patterns map[string]bool
	counted  map[string][]bool // by skeleton, the runs at which templates count
	slots    map[string]string // pseudonyms, by name, or by family
}

func newKind(word string, whole bool, kept func(string) bool) *kind {
	return &kind{
		word: word, whole: whole, kept: kept, names: map[string]bool{}, patterns: map[string]bool{},
		counted: map[string][]bool{}, slots: map[string]string{},
	}
}

// collect notes a name.
func (k *kind) collect(name string) {
	if !k.names[name] {
		k.names[strings.Clone(name)] = true
	}
}

// collectPattern notes a string of a template.
func (k *kind) collectPattern(pattern string) {
	if !placeholders.MatchString(pattern) {
		k.collect(pattern)
		return
	}
	if k.patterns[pattern] {
		return
	}
	k.patterns[strings.Clone(pattern)] = true
	s := shapeOf(pattern, counting)
	counted := k.counted[s.skeleton()]
	if counted == nil {
		counted = make([]bool, len(s.runs))
		k.counted[s.skeleton()] = counted
	}
	for i, run := range s.runs {
		counted[i] = counted[i] || placeholders.MatchString(run)
	}
}

// place is a name or a family among the others.
type place struct{ slot, first string }

// seal gives out the pseudonyms: numbers, in the order of the names' bytes,
// behind a prefix that will do.
func (k *kind) seal(does func(prefix string) bool) {
	if k.whole {
		return
	}
	var places []place
	for name := range k.names {
		if !k.kept(name) {
			places = append(places, k.place(name, shapeOf(name, numbers)))
		}
	}
	for pattern := range k.patterns {
		places = append(places, k.place(pattern, shapeOf(pattern, counting)))
	}
	slices.SortFunc(places, func(a, b place) int { return cmp.Or(cmp.Compare(a.first, b.first), cmp.Compare(a.slot, b.slot)) })
	places = slices.Compact(places)
	prefix, width := k.word+"-", len(fmt.Sprint(len(places)))
	for x := k.word[:1]; !does(prefix); x = "x" + x {
		prefix = x + "-"
	}
	for i, p := range places {
		k.slots[p.slot] = fmt.Sprintf("%s%0*d", prefix, width, i+1)
	}
}

func (k *kind) place(text string, s shape) place {
	if counted := k.counted[s.skeleton()]; counted != nil {
		return place{s.slot(counted), s.first(counted)}
	}
	return place{"name " + text, text}
}

// pseudonym is a name's.
func (k *kind) pseudonym(name string) string {
	if k.whole || k.kept(name) {
		return name
	}
	return k.of(name, shapeOf(name, numbers))
}

// pattern is the pattern that makes up the pseudonyms of the names that a
// template's string makes up.
func (k *kind) pattern(text string) string {
	if k.whole || !placeholders.MatchString(text) {
		return k.pseudonym(text)
	}
	return k.of(text, shapeOf(text, counting))
}

// uncollected is a name of a kind that comes up only in the second pass.
type uncollected struct{ word string }

func (k *kind) of(text string, s shape) string {
	found, known := k.slots[k.place(text, s).slot]
	if !known {
		panic(uncollected{k.word})
	}
	if counted := k.counted[s.skeleton()]; counted != nil {
		return found + "." + s.numbered(counted)
	}
	return found
}
