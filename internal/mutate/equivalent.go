package main

import (
	"bufio"
	_ "embed"
	"fmt"
	"path"
	"strings"
)

// equivalentText lists mutants that no test can kill: lines that name them,
// and after them, indented, the reason for which they behave as the original.
// A # begins a comment.
//
//go:embed testdata/equivalent.txt
var equivalentText string

// readEquivalents returns the reasons for the mutants of a package, by name.
func readEquivalents(dir string) (map[string]string, error) {
	reasons := map[string]string{}
	var named []string // waiting for their reason
	reason := false
	lines := bufio.NewScanner(strings.NewReader(equivalentText))
	for number := 1; lines.Scan(); number++ {
		line := lines.Text()
		switch {
		case strings.TrimSpace(line) == "" || line[0] == '#':
		case line[0] == ' ' || line[0] == '\t':
			if len(named) == 0 {
				return nil, fmt.Errorf("mutate: equivalent.txt:%d: a reason for nothing", number)
			}
			for _, id := range named {
				reasons[id] = strings.TrimSpace(reasons[id] + " " + strings.TrimSpace(line))
			}
			reason = true
		default:
			if reason {
				named, reason = nil, false
			}
			if _, twice := reasons[line]; twice {
				return nil, fmt.Errorf("mutate: equivalent.txt:%d: listed twice", number)
			}
			reasons[line] = ""
			named = append(named, line)
		}
	}
	for id, reason := range reasons {
		if reason == "" {
			return nil, fmt.Errorf("mutate: equivalent.txt gives no reason for %s", id)
		}
		if file, _, _ := strings.Cut(id, " "); path.Dir(file) != dir {
			delete(reasons, id)
		}
	}
	return reasons, nil
}
