package history

import (
	"iter"
	"regexp"
	"slices"
	"strconv"

	"github.com/leasekeeper/leasekeeper/events"
)

// otherTemplates makes the templates of repeats simpler, or takes others.
func otherTemplates(h History) iter.Seq[History] {
	return func(yield func(History) bool) {
		for i, e := range h.Events {
			repeat, ok := e.(events.Repeat)
			if !ok {
				continue
			}
			for text := range shortLists(repeat.Template) {
				if !yield(withTemplate(h, i, text)) {
					return
				}
			}
			if !otherElements(h, i, repeat, yield) {
				return
			}
			for _, text := range plainTemplates {
				if !yield(withTemplate(h, i, text)) {
					return
				}
			}
		}
	}
}

func withTemplate(h History, i int, text string) History {
	f := fieldsOf(h.Events[i])
	f.text = text
	return replaced(h, i, f.event(h.Rules))
}

// otherElements puts simpler elements into a template, first such that other
// operations are given the names that the runs have now.
func otherElements(h History, i int, repeat events.Repeat, yield func(History) bool) bool {
	elements := elementsOf(repeat.Template)
	operation, _ := unquoted(elements[0])
	for k := 1; k < len(elements); k++ {
		for _, other := range simplerElements(elements[k]) {
			changed := slices.Clone(elements)
			changed[k] = other
			proposal := withTemplate(h, i, listOf(changed))
			if of := argumentRoles[operation]; k-1 < len(of) {
				if !yield(renamedRuns(proposal, of[k-1], repeat.Count, elements[k], other)) {
					return false
				}
			}
			if !yield(proposal) {
				return false
			}
		}
	}
	return true
}

// renamedRuns gives the names that the runs of a repeat had to what they have
// now, in the other operations.
func renamedRuns(h History, r role, count int64, before, after string) History {
	to := map[string]string{}
	for run := range min(count, mostRuns) {
		name, ok := expanded(before, run)
		other, alsoOK := expanded(after, run)
		if _, known := to[name]; ok && alsoOK && !known {
			to[name] = other
		}
	}
	return renameAll(h, func(of role, name string) string {
		if other, ok := to[name]; ok && of == r {
			return other
		}
		return name
	})
}

// expanded is a string of a template as a run has it.
func expanded(text string, run int64) (name string, ok bool) {
	template, ok := events.CompileTemplate(`["inspect",` + text + `]`)
	if !ok {
		return "", false
	}
	inspect, ok := template.Event(events.Current, 0, run).(events.Inspect)
	return inspect.Lock, ok
}

// placeholderText matches {i}, {i+A}, {i%K} and {i+A%K} (R28).
var placeholderText = regexp.MustCompile(`\{i(?:\+([0-9]+))?(?:%([0-9]+))?\}`)

// simplerElements are what may stand in the place of an element of a template.
func simplerElements(text string) []string {
	all := []string{
		`"a"`, `"L"`, `"k"`, `"v"`, `"{i}"`, `"{i%1}"`, `"{i+1}"`, `"{i%2}"`, `"{i+1%1}"`, `"{i+1%2}"`, `1`, `"shared"`, `"b"`, `"M"`,
	}
	found := placeholderText.FindStringSubmatch(text)
	if found == nil {
		return all
	}
	all = append(all, `"`+found[0]+`"`)
	add, _ := strconv.ParseInt(found[1], 10, 64)
	modulus, _ := strconv.ParseInt(found[2], 10, 64)
	for n := range smaller(add, 0) {
		all = append(all, placeholder(n, modulus))
	}
	for n := range smaller(modulus, 0) {
		all = append(all, placeholder(add, n))
	}
	return all
}

// placeholder is one as a string, without the numbers that are 0.
func placeholder(add, modulus int64) string {
	text := `"{i`
	if add > 0 {
		text += "+" + number(add)
	}
	if modulus > 0 {
		text += "%" + number(modulus)
	}
	return text + `}"`
}

// plainTemplates are the plain operations, with a placeholder in the place of
// one name, or of two, or of none.
var plainTemplates = func() (all []string) {
	for _, operation := range plainOperations {
		all = append(all, listOf(operation))
		for i := 1; i < len(operation); i++ {
			for _, p := range []string{`"{i}"`, `"{i%1}"`, `"{i+1}"`, `"{i+1%1}"`, `"{i%2}"`} {
				one := slices.Clone(operation)
				one[i] = p
				all = append(all, listOf(one))
				for j := i + 1; j < len(operation); j++ {
					two := slices.Clone(one)
					two[j] = p
					all = append(all, listOf(two))
				}
			}
		}
	}
	return all
}()
