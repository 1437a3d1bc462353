package conformance

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"

	"github.com/leasekeeper/leasekeeper/events"
)

// helpers are the programs under test, good ones and bad ones.
var helpers = map[string]func(){
	"stream":         func() { speak(byTheRules, nil) },
	"stream-late":    func() { speak(deviating("renew-at-expiry"), nil) },
	"process":        func() { printArray(answerAll(byTheRules)) },
	"process-late":   func() { printArray(answerAll(deviating("renew-at-expiry"))) },
	"process-lines":  func() { printLines("%s\n") },
	"process-pretty": func() { printLines("  %s  \r\n\r\n") },
	"process-bom":    func() { fmt.Print("\uFEFF"); printArray(answerAll(byTheRules)) },

	"exit-7": func() {
		speak(byTheRules, func(n int, answer []byte) []byte {
			if n == 3 {
				fmt.Fprintln(os.Stderr, "lock table is corrupt")
				os.Exit(7)
			}
			return unbuffered(answer)
		})
	},
	"exit-0": func() {
		speak(byTheRules, func(n int, answer []byte) []byte {
			if n == 3 {
				os.Exit(0)
			}
			return unbuffered(answer)
		})
	},
	"kill-itself": func() {
		speak(byTheRules, func(n int, answer []byte) []byte {
			if n == 3 {
				_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
				select {}
			}
			return unbuffered(answer)
		})
	},
	"exit-7-at-once": func() { os.Exit(7) },
	"loud": func() {
		line := strings.Repeat("x", 99) + "\n"
		for range 1000 {
			io.WriteString(os.Stderr, line)
		}
		fmt.Fprintln(os.Stderr, "the end\x1b[31m\u202e")
		os.Exit(1)
	},
	"process-exit-7": func() { printArray(answerAll(byTheRules)); os.Exit(7) },
	"process-cut": func() {
		fmt.Print(`[["granted",1,30],`)
		os.Exit(7)
	},

	"silent":         func() { select {} },
	"ignore-signals": func() { signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP); select {} },
	"stop-at-3":      func() { speak(byTheRules, stopAt(3)) },
	"never-read":     func() { fmt.Println(`{"ready":true}`); select {} },
	"process-stays":  func() { printArray(answerAll(byTheRules)); os.Stdout.Close(); select {} },
	"process-opened": func() { fmt.Print(`[["granted",1,30],`); select {} },
	"forking":        forking,

	"close-output": func() {
		speak(byTheRules, func(n int, answer []byte) []byte {
			if n == 3 {
				os.Stdout.Close()
				select {}
			}
			return unbuffered(answer)
		})
	},
	"skip-3":          func() { speak(byTheRules, replaceAt(3, "")) },
	"twice-at-3":      func() { speak(byTheRules, replaceAt(3, "\"ok\"\n\"ok\"\n")) },
	"endless-answers": func() { speak(byTheRules, func(int, []byte) []byte { return flood("\"ok\"\n") }) },
	"process-few":     func() { answers := answerAll(byTheRules); printArray(answers[1:]) },
	"process-many":    func() { answers := answerAll(byTheRules); printArray(append(answers, answers...)) },
	"process-nothing": func() { answerAll(byTheRules) },

	"prose-at-3":      func() { speak(byTheRules, replaceAt(3, "DEBUG renewing\n")) },
	"latin1-at-3":     func() { speak(byTheRules, replaceAt(3, "\"caf\xe9\"\n")) },
	"nan-at-3":        func() { speak(byTheRules, replaceAt(3, "[\"renewed\", NaN]\n")) },
	"endless-line":    func() { speak(byTheRules, func(int, []byte) []byte { return flood("[1,") }) },
	"chatty":          func() { fmt.Println("Listening…"); speak(byTheRules, nil) },
	"ready-and-more":  func() { fmt.Print("{\"ready\":true}\n[\"granted\",1,30]\n"); io.Copy(io.Discard, os.Stdin) },
	"process-prose":   func() { printArray(answerAll(byTheRules)); fmt.Println("Done.") },
	"process-endless": func() { answerAll(byTheRules); flood("[1,") },
	"process-latin1":  func() { answerAll(byTheRules); fmt.Print("[\"caf\xe9\"]") },

	"lines":         lines,
	"remembers":     remembers,
	"sleep-forever": func() { select {} },
}

// unbuffered prints an answer at once, so that it is out before a process dies.
func unbuffered(answer []byte) []byte {
	os.Stdout.Write(answer)
	return nil
}

func replaceAt(at int, text string) func(int, []byte) []byte {
	return func(n int, answer []byte) []byte {
		if n == at {
			return []byte(text)
		}
		return answer
	}
}

func stopAt(at int) func(int, []byte) []byte {
	return func(n int, answer []byte) []byte {
		if n == at {
			select {}
		}
		return unbuffered(answer)
	}
}

// flood prints a text for ever. It ends only when nobody reads it any more.
func flood(text string) []byte {
	piece := bytes.Repeat([]byte(text), 1000)
	for {
		if _, err := os.Stdout.Write(piece); err != nil {
			os.Exit(1)
		}
	}
}

func printLines(format string) {
	for _, answer := range answerAll(byTheRules) {
		fmt.Printf(format, answer)
	}
}

// lines reads an operation a line and prints an answer a line.
func lines() {
	rules := environmentRules()
	present := byTheRules(rules)
	input := bufio.NewReader(os.Stdin)
	for {
		line, err := input.ReadBytes('\n')
		if err != nil {
			return
		}
		fmt.Printf("%s\n", apply(rules, present, line))
	}
}

// forking starts a process that starts a process, all of which have the pipes,
// says their numbers on standard error, and does nothing else.
func forking() {
	depth := os.Getenv("CONFORMANCE_DEPTH")
	fmt.Fprintln(os.Stderr, "pid", os.Getpid())
	if len(depth) < 2 {
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), "CONFORMANCE_DEPTH="+depth+"x")
		child.Stdin, child.Stdout, child.Stderr = os.Stdin, os.Stdout, os.Stderr
		if err := child.Start(); err != nil {
			panic(err)
		}
	}
	select {}
}

// remembers is a service whose resets do not reset: it goes on with what it has.
func remembers() {
	var first service
	speak(func(rules events.Rules) service {
		if first == nil {
			first = byTheRules(rules)
		}
		return first
	}, nil)
}
