package history_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/history"
	"github.com/leasekeeper/leasekeeper/internal/naive"
	"github.com/leasekeeper/leasekeeper/internal/processor"
)

var (
	rewrite  = flag.Bool("rewrite", false, "write testdata/normal-forms.txt anew")
	thorough = flag.Int("thorough", 0, "shrink so many histories of each deviation, and print a table")
	first    = flag.Uint64("first", 1, "with -thorough: the seed to begin with")
	only     = flag.String("only", "", "with -thorough: only deviations of these names, separated by commas")
)

const normalForms = "testdata/normal-forms.txt"

// failing draws histories of up to 1,000 operations that show a deviation.
func failing(t testing.TB, deviation string, n int) []history.History {
	judge := deviates(deviation)
	profile, err := history.ProfileNamed("everything")
	require.NoError(t, err)
	var found []history.History
	for seed := *first; len(found) < n && seed < *first+200_000; seed++ {
		h := history.Generate(history.DrawRules(seed), profile, seed, 10+int(seed*7919%990))
		if judge(h) != "" {
			found = append(found, h)
		}
	}
	require.Len(t, found, n, "%s: too few histories show it", deviation)
	return found
}

// form is a normal form as it stands in the golden file.
func form(t testing.TB, d naive.Deviation, h history.History) string {
	right, err := startMachine(h.Rules)
	require.NoError(t, err)
	wrong, err := naive.New(h.Rules, d.Name)
	require.NoError(t, err)
	story := history.Tell(h, right, wrong)
	story.Rule, story.JSON = d.Rule, true
	return fmt.Sprintf("%s: %s\n%s", d.Name, d.Description, story)
}

// readForms reads the golden file: the text of each form, by deviation.
func readForms(t testing.TB) map[string]string {
	text, err := os.ReadFile(normalForms)
	require.NoError(t, err)
	_, body, _ := strings.Cut(string(text), "\n\n") // behind the heading
	forms := map[string]string{}
	for block := range strings.SplitSeq(strings.TrimSuffix(body, "\n"), "\n\n") {
		name, _, _ := strings.Cut(block, ":")
		forms[name] = block + "\n"
	}
	return forms
}

// historyOf is the history of a form, by the JSON in it.
func historyOf(t testing.TB, form string) history.History {
	rules := events.Current
	var operations []string
	for line := range strings.Lines(form) {
		var unit string
		if n, _ := fmt.Sscanf(line, "edition %d, a tick is a %s", &rules.Edition, &unit); n == 2 {
			var err error
			rules.Unit, err = events.ParseUnit(unit)
			require.NoError(t, err)
		}
		if text := strings.TrimSpace(line); strings.HasPrefix(text, "[") {
			operations = append(operations, text)
		}
	}
	h := history.History{Rules: rules}
	for _, operation := range operations {
		e, err := rules.Parse([]byte(operation))
		require.NoError(t, err, operation)
		h.Events = append(h.Events, e)
	}
	return h
}

// TestNormalForms shrinks a random history for every deviation and holds the
// result against the golden file.
func TestNormalForms(t *testing.T) {
	if *rewrite {
		rewriteForms(t)
	}
	forms := readForms(t)
	for i, d := range naive.Deviations() {
		require.Contains(t, forms, d.Name)
		if i%shownOnce != 0 && !*rewrite {
			continue
		}
		t.Run(d.Name, func(t *testing.T) {
			t.Parallel()
			h := failing(t, d.Name, 1)[0]
			require.Equal(t, forms[d.Name], form(t, d, history.Shrink(h, deviates(d.Name))))
		})
	}
	require.Len(t, forms, len(naive.Deviations()))
}

// shownOnce is one deviation in so many that is shrunk in every run of the tests;
// -thorough shrinks all.
const shownOnce = 3

func rewriteForms(t *testing.T) {
	var b strings.Builder
	b.WriteString("The shortest history that shows each deviation, as it was shrunk from a random one.\n")
	for _, d := range naive.Deviations() {
		b.WriteString("\n" + form(t, d, history.Shrink(failing(t, d.Name, 1)[0], deviates(d.Name))))
	}
	require.NoError(t, os.MkdirAll("testdata", 0o755))
	require.NoError(t, os.WriteFile(normalForms, []byte(b.String()), 0o644))
}

// TestNormalFormsAreMinimal leaves out each operation of each form in turn, and
// holds the forms against the stories that people have written.
func TestNormalFormsAreMinimal(t *testing.T) {
	written := writtenStories(t)
	for name, text := range readForms(t) {
		h := historyOf(t, text)
		judge := deviates(name)
		require.NotEmpty(t, judge(h), name)
		for i := range h.Events {
			shorter := history.History{Rules: h.Rules, Events: slices.Delete(slices.Clone(h.Events), i, i+1)}
			require.Empty(t, judge(shorter), "%s: operation %d is not needed", name, i+1)
		}
		require.NotEmpty(t, judge(written[name]), name)
		require.LessOrEqual(t, history.Order(h, written[name]), 0, "%s: there is a simpler story", name)
	}
}

// writtenStories are the stories that package naive has, one for each deviation.
func writtenStories(t *testing.T) map[string]history.History {
	files, err := filepath.Glob("../internal/naive/testdata/deviations/*.txt")
	require.NoError(t, err)
	stories := map[string]history.History{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		name := ""
		for line := range strings.Lines(string(text)) {
			h := stories[name]
			switch word, rest, _ := strings.Cut(strings.TrimSpace(line), " "); {
			case word == "deviation":
				name, h = rest, history.History{Rules: events.Current}
			case word == "edition":
				_, err = fmt.Sscan(rest, &h.Rules.Edition)
			case word == "unit":
				_, err = fmt.Sscan(rest, &h.Rules.Unit)
			case strings.HasPrefix(line, "["):
				var e events.Event
				e, err = h.Rules.Parse([]byte(line))
				h.Events = append(h.Events, e)
			}
			require.NoError(t, err, line)
			stories[name] = h
		}
	}
	return stories
}

// TestOneFormADeviation is run with -thorough=40: it takes some minutes, and
// prints how many forms each deviation has and what they took.
func TestOneFormADeviation(t *testing.T) {
	if *thorough == 0 {
		t.Skip("takes minutes: run with -thorough=40")
	}
	golden := readForms(t)
	fmt.Printf("%-34s %5s %9s %9s %9s %9s\n", "deviation", "forms", "median", "worst", "calls", "worst")
	for _, d := range naive.Deviations() {
		if *only != "" && !slices.Contains(strings.Split(*only, ","), d.Name) {
			continue
		}
		forms := map[string]int{golden[d.Name]: 0}
		var times []time.Duration
		var calls []int
		judge := deviates(d.Name)
		for _, h := range failing(t, d.Name, *thorough) {
			begin, count := processor.Time(), 0
			small := history.Shrink(h, func(h history.History) history.Class { count++; return judge(h) })
			times, calls = append(times, processor.Time()-begin), append(calls, count)
			forms[form(t, d, small)]++
		}
		slices.Sort(times)
		slices.Sort(calls)
		fmt.Printf("%-34s %5d %6d ms %6d ms %9d %9d\n", d.Name, len(forms),
			median(times).Milliseconds(), times[len(times)-1].Milliseconds(), median(calls), calls[len(calls)-1])
		if len(forms) > 1 {
			for text, times := range forms {
				fmt.Printf("%d × %s", times, text)
			}
			t.Errorf("%s has %d normal forms", d.Name, len(forms))
		}
	}
}
