package conformance

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A script is a letter for each operation, and says what a helper does instead of
// answering: r answers rightly, b too, with blank lines around, w wrongly, s not at all,
// t twice. The others end it: g prints no JSON, x exits with 3, 0 exits with 0, k is
// killed, h hangs, c closes its output and stays.
const scriptVariable = "CONFORMANCE_SCRIPT"

func init() { helpers["scripted"] = scripted }

func scripted() {
	script := os.Getenv(scriptVariable)
	input, present := bufio.NewReader(os.Stdin), byTheRules(readReset([]byte(`{"reset":{"edition":3,"unit":"second"}}`)))
	for n := -1; ; n++ {
		line, err := input.ReadBytes('\n')
		switch {
		case err != nil:
			return
		case n < 0 || n == len(script): // the resets
			fmt.Println(`{"ready":true}`)
			continue
		}
		right := string(apply(readReset([]byte(`{"reset":{"edition":3,"unit":"second"}}`)), present, line)) + "\n"
		switch script[n] {
		case 'r':
			fmt.Print(right)
		case 'b':
			fmt.Print("\n  \r\n ", right, "\n")
		case 'w':
			fmt.Println(`"wrong"`)
		case 't':
			fmt.Print(right, right)
		case 'g':
			fmt.Println("oops")
		case 'x':
			os.Exit(3)
		case '0':
			os.Exit(0)
		case 'h':
			select {}
		case 'c':
			os.Stdout.Close()
			_, _ = io.Copy(io.Discard, input)
			select {}
		}
	}
}

// expected is the kind of verdict that a script deserves, by the definitions of the
// verdicts: the first fault counts, except that nothing is said about answers that
// may be out of place.
func expected(script string) Kind {
	given, differs, end := 0, false, byte('r')
	for i, letter := range []byte(script) {
		times := strings.Count("rbwtt", string(letter))
		for range times {
			differs = differs || given < len(script) && (letter == 'w' || given != i)
			given++
		}
		if times == 0 && letter != 's' {
			end = letter
			break
		}
	}
	switch missing, surplus := given < len(script), given > len(script); {
	case surplus && end != 'g', missing && strings.ContainsRune("r0c", rune(end)):
		return KindWrongCount
	case differs:
		return KindWrongAnswer
	case end == 'g':
		return KindGarbage
	case end == 'x' || end == '0':
		return KindCrash
	case end == 'h' || end == 'c':
		return KindHang
	}
	return KindAgrees
}

// Whatever a program does, there is a verdict in time, the one that it deserves, and
// nothing is left of it.
func TestEveryScriptGetsItsVerdict(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 127))
	seen := map[Kind]int{}
	for range 80 {
		script := make([]byte, 1+random.IntN(8))
		for i := range script {
			script[i] = "rrrrrrrrbbwst"[random.IntN(13)]
		}
		if ends := "ggxx00gx0hc"; random.IntN(3) > 0 {
			script[random.IntN(len(script))] = ends[random.IntN(len(ends))]
		}
		seen[expected(string(script))]++
		t.Run(string(script), func(t *testing.T) {
			t.Parallel()
			program := target(t, "scripted", Stream)
			program.Environment = append(program.Environment, scriptVariable+"="+string(script))
			program.Timeout = time.Minute
			if strings.ContainsAny(string(script), "hc") {
				program.Timeout = time.Second
			}
			var operations []string
			for i := range script {
				operations = append(operations, fmt.Sprintf(`["acquire",%d,"c%d","L%d",10]`, i, i, i))
			}
			session := open(t, program)
			verdict, err := session.Run(t.Context(), parse(t, operations...))
			require.NoError(t, err)
			require.Equal(t, expected(string(script)), verdict.Kind(), "%v\n%s", verdict, Stderr(verdict))
		})
	}
	require.Len(t, seen, 6, "every kind of verdict is among the scripts: %v", seen)
}
