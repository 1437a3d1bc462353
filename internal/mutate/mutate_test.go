package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the list of mutants in testdata/operators.txtar anew")

// testdata stays where it is when a test goes elsewhere.
var testdata, _ = filepath.Abs("testdata")

// enter unpacks an archive and makes it the current directory.
func enter(t *testing.T, name string) *txtar.Archive {
	archive, err := txtar.ParseFile(filepath.Join(testdata, name))
	require.NoError(t, err)
	t.Chdir(t.TempDir())
	for _, f := range archive.Files {
		require.NoError(t, os.MkdirAll(filepath.Dir(f.Name), 0o700))
		require.NoError(t, os.WriteFile(f.Name, f.Data, 0o600))
	}
	return archive
}

// Every operator shows in the list, and the list holds what compiles only.
func TestOperators(t *testing.T) {
	archive := enter(t, "operators.txtar")
	s, err := load("shop")
	require.NoError(t, err)
	all, err := s.compiling(s.mutants())
	require.NoError(t, err)
	var list strings.Builder
	for i, m := range all {
		require.Equal(t, i+1, m.number)
		fmt.Fprintf(&list, "%-10s %s\n", m.operator, m.id)
	}
	last := &archive.Files[len(archive.Files)-1]
	if *update {
		last.Data = []byte(list.String())
		require.NoError(t, os.WriteFile(filepath.Join(testdata, "operators.txtar"), txtar.Format(archive), 0o644))
	}
	require.Equal(t, string(last.Data), list.String())
}

// purse tries all mutants of the package in verdicts.txtar, of which the given
// ones are said to be equivalent.
func purse(t *testing.T, equivalent string) *report {
	enter(t, "verdicts.txtar")
	judges["coins"] = []suite{
		{"payments", "coins", false, []string{"TestPay"}},
		{"others", "coins", true, []string{"TestPay"}},
	}
	kept, floor := equivalentText, leastBudget
	equivalentText, leastBudget = equivalent, 200*time.Millisecond
	t.Cleanup(func() { equivalentText, leastBudget = kept, floor; delete(judges, "coins") })
	s, all, err := prepare("coins")
	require.NoError(t, err)
	known, err := readEquivalents("coins")
	require.NoError(t, err)
	trials, err := try(s, all, options{jobs: 2})
	require.NoError(t, err)
	r := judge(trials, all, known)
	var printed strings.Builder
	r.print(&printed, s, len(all))
	for _, m := range r.missed {
		require.Contains(t, printed.String(), m.id)
	}
	return r
}

func ids(list []*mutant) []string {
	var ids []string
	for _, m := range list {
		ids = append(ids, m.id)
	}
	return ids
}

const (
	boundary = "coins/coins.go Pay: if purse >= price { => if purse > price {"
	bottom   = "coins/coins.go Pay: return max(purse, 0) => return max(purse, (0 - 1))"
	negated  = "coins/coins.go Pay: if purse >= price { => if purse < price {"
	gone     = "coins/coins.go Pay: purse *= price => purse /= price"
)

// What survives must be listed; what is listed must survive, and exist.
func TestVerdicts(t *testing.T) {
	r := purse(t, "# of Pay\n"+bottom+"\n\tA purse is never below 0,\n\tsays its owner.\n"+negated+"\n"+gone+"\n\tWhy not.\n")
	require.False(t, r.good())
	require.Contains(t, ids(r.missed), boundary)
	require.NotContains(t, ids(r.missed), bottom)
	require.Equal(t, []string{negated}, ids(r.refuted))
	require.Equal(t, []string{gone}, r.gone)
	require.Contains(t, ids(r.timeout), "coins/coins.go Count: n-- => _ = n")
	tally := r.tally["coins/coins.go"]
	require.Equal(t, 1, tally["equivalent"])
	require.Equal(t, len(r.missed), tally["survived"])
	require.Equal(t, len(r.timeout), tally["time"])
	require.Positive(t, tally["payments"])
	require.Positive(t, tally["others"])

	// With all survivors listed, all is well.
	require.True(t, purse(t, bottom+"\n"+strings.Join(ids(r.missed), "\n")+"\n  Just so.\n").good())
}

func TestTheListNeedsReasons(t *testing.T) {
	kept := equivalentText
	t.Cleanup(func() { equivalentText = kept })
	for text, want := range map[string]string{
		bottom + "\n":                   "no reason",
		" a reason\n":                   "a reason for nothing",
		bottom + "\n " + "a\n" + bottom: "listed twice",
	} {
		equivalentText = text
		_, err := readEquivalents("coins")
		require.ErrorContains(t, err, want)
	}
	equivalentText = bottom + "\n a\n"
	other, err := readEquivalents("fsm")
	require.NoError(t, err)
	require.Empty(t, other)
}

// A suite that names a test which is gone is an error.
func TestSuitesMustFit(t *testing.T) {
	s := suite{"laws", ".", false, []string{"^TestLaw", "Tokens$"}}
	require.NoError(t, s.fits("TestLawOfQueues\nTestTokens\n"))
	require.ErrorContains(t, s.fits("TestLawOfQueues\n"), `no test in ./. matches "Tokens$"`)
}
