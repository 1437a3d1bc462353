package history

import (
	"iter"
	"slices"
	"unicode/utf8"
)

// otherNames gives the names of one role, or of all, simpler names.
func otherNames(h History) iter.Seq[History] {
	return func(yield func(History) bool) {
		if !yield(plainNamed(h)) {
			return
		}
		for r := range roles {
			names := namesIn(h, r)
			for _, list := range []iter.Seq[[]string]{merged(names), inOrder(r, names), shortened(names), mostPlain(r, names)} {
				for to := range list {
					if !yield(renameRole(h, r, names, to)) {
						return
					}
				}
			}
		}
	}
}

// plainNamed gives all names plain ones, in the order of their appearance.
func plainNamed(h History) History {
	var to [roles]map[string]string
	for r := range roles {
		to[r] = map[string]string{}
	}
	return renameAll(h, func(r role, name string) string {
		if _, ok := to[r][name]; !ok {
			to[r][name] = plainName(r, len(to[r]))
		}
		return to[r][name]
	})
}

// renameRole replaces names by those at the same index.
func renameRole(h History, r role, from, to []string) History {
	return renameAll(h, func(of role, name string) string {
		if i := slices.Index(from, name); of == r && i >= 0 {
			return to[i]
		}
		return name
	})
}

// merged makes one name of two.
func merged(names []string) iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		for i := range names {
			for j := range names {
				if i == j {
					continue
				}
				to := slices.Clone(names)
				to[i] = names[j]
				if !yield(to) {
					return
				}
			}
		}
	}
}

// inOrder is plain names that stand in the same byte order as the names did.
func inOrder(r role, names []string) iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		sorted := slices.Sorted(slices.Values(names))
		to := make([]string, len(names))
		for i, name := range names {
			to[i] = plainName(r, slices.Index(sorted, name))
		}
		yield(to)
	}
}

// shortened leaves the first half of each name, or the second, or single
// characters: of all names the first, or the second, and so on.
func shortened(names []string) iter.Seq[[]string] {
	longest := 0
	for _, name := range names {
		longest = max(longest, utf8.RuneCountInString(name))
	}
	each := func(short func([]rune) []rune) []string {
		to := make([]string, len(names))
		for i, name := range names {
			to[i] = string(short([]rune(name)))
		}
		return to
	}
	return func(yield func([]string) bool) {
		if longest < 2 ||
			!yield(each(func(name []rune) []rune { return name[:(len(name)+1)/2] })) ||
			!yield(each(func(name []rune) []rune { return name[len(name)/2:] })) {
			return
		}
		for at := range min(longest, mostCharacters) {
			one := func(name []rune) []rune { return name[min(at, len(name)-1):][:1] }
			if !yield(each(one)) {
				return
			}
		}
	}
}

// mostCharacters is how many characters of a name are tried one by one.
const mostCharacters = 40

// odd are names that are treated in a way of their own by programs that do not
// take names as bytes: each stands for a class of characters.
var odd = [roles][]string{
	clientRole: {"A", "é", "～", "😀"},
	lockRole:   {"l", "É", "～", "😀"},
	keyRole:    {"K", "é", "～", "😀"},
	valueRole:  {"V", "é", "～", "😀"},
}

// mostPlain is all ways to give so many names the first plain ones and, if some
// are not plain, odd ones.
func mostPlain(r role, names []string) iter.Seq[[]string] {
	pool := make([]string, len(names))
	allPlain := true
	for i, name := range names {
		pool[i] = plainName(r, i)
		_, plain := plainIndex(r, name)
		allPlain = allPlain && plain
	}
	most := 5
	if !allPlain {
		pool, most = append(pool, odd[r]...), 3
	}
	return func(yield func([]string) bool) {
		if len(names) <= most {
			arrange(nil, pool, len(names), yield)
			return
		}
		for i, name := range names {
			if _, plain := plainIndex(r, name); plain {
				continue
			}
			for _, to := range pool {
				changed := slices.Clone(names)
				changed[i] = to
				if !slices.Contains(names, to) && !yield(changed) {
					return
				}
			}
		}
	}
}

// arrange yields all arrangements of n elements of a pool behind a head.
func arrange(head, pool []string, n int, yield func([]string) bool) bool {
	if len(head) == n {
		return yield(head)
	}
	for i, next := range pool {
		rest := slices.Delete(slices.Clone(pool), i, i+1)
		if !arrange(append(slices.Clone(head), next), rest, n, yield) {
			return false
		}
	}
	return true
}
