package history

import (
	"iter"
	"slices"

	"github.com/leasekeeper/leasekeeper/events"
)

// otherMistakes makes invalid operations shorter and simpler, or takes others.
func otherMistakes(h History) iter.Seq[History] {
	return func(yield func(History) bool) {
		for i, e := range h.Events {
			bad, ok := e.(events.Invalid)
			if !ok {
				continue
			}
			times := paletteOf(h, i).instants
			for _, list := range []iter.Seq[string]{shortLists(bad.Raw), withOther(bad.Raw, scalars), plainMistakes(h.Rules, times)} {
				for text := range list {
					if !yield(replaced(h, i, parsed(h.Rules, text))) {
						return
					}
				}
			}
		}
	}
}

// scalars are what may stand in an invalid operation.
var scalars = []string{
	`0`, `1`, `2`, `-1`, `86401`, `0.0`, `0e0`, `""`, `[]`, `null`, `true`, `false`, `"\ud800"`,
	`"a"`, `"b"`, `"L"`, `"M"`, `"k"`, `"v"`, `"x"`,
	`"read"`, `"renew"`, `"write"`, `"status"`, `"acquire"`, `"inspect"`, `"release"`, `"repeat"`,
}

// shortLists are texts that are no operation at all, and a list with one element
// left out.
func shortLists(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, short := range []string{`0`, `[]`, `[0]`, `[0,0]`, `["read",0]`} {
			if !yield(short) {
				return
			}
		}
		elements := elementsOf(text)
		for i := range elements {
			if !yield(listOf(slices.Delete(slices.Clone(elements), i, i+1))) {
				return
			}
		}
	}
}

// withOther puts something else into the place of one element of a list.
func withOther(text string, pool []string) iter.Seq[string] {
	return func(yield func(string) bool) {
		elements := elementsOf(text)
		for i := range elements {
			for _, other := range pool {
				changed := slices.Clone(elements)
				changed[i] = other
				if !yield(listOf(changed)) {
					return
				}
			}
		}
	}
}

// plainOperations are an operation of each kind, without the instant.
var plainOperations = [][]string{
	{`"inspect"`, `"L"`},
	{`"read"`, `"L"`, `"k"`},
	{`"status"`, `"a"`},
	{`"acquire"`, `"a"`, `"L"`, `1`},
	{`"release"`, `"a"`, `"L"`},
	{`"renew"`, `"a"`, `"L"`, `1`},
	{`"write"`, `"L"`, `"k"`, `"v"`, `1`},
	{`"acquire"`, `"a"`, `"L"`, `1`, `"shared"`},
}

// plainMistakes are the plain operations at some instants, each with one mistake.
func plainMistakes(rules events.Rules, times []int64) iter.Seq[string] {
	wrong := []string{`0`, number(rules.MaxTTL() + 1), `true`, `false`, `0.0`, `0e0`, `1.0`, `""`, `"\ud800"`, `null`}
	return func(yield func(string) bool) {
		for _, t := range times {
			for _, operation := range plainOperations {
				elements := slices.Insert(slices.Clone(operation), 1, number(t))
				if !yield(listOf(elements)) {
					return
				}
				for i := 1; i < len(elements); i++ {
					for _, mistake := range wrong {
						changed := slices.Clone(elements)
						changed[i] = mistake
						if !yield(listOf(changed)) {
							return
						}
					}
				}
			}
		}
	}
}
