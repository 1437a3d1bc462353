package conformance

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"testing"
	"time"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/history"
	"github.com/leasekeeper/leasekeeper/internal/naive"
	"github.com/stretchr/testify/require"
)

// The test binary is the program under test as well: with this variable set it
// behaves as the helper of that name.
const helperVariable = "CONFORMANCE_HELPER"

func TestMain(m *testing.M) {
	if name := os.Getenv(helperVariable); name != "" {
		helper, ok := helpers[name]
		if !ok {
			fmt.Fprintln(os.Stderr, "there is no helper", name)
			os.Exit(99)
		}
		helper()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// target is a helper as a target.
func target(t testing.TB, name string, protocol Protocol) Target {
	t.Helper()
	program, err := os.Executable()
	require.NoError(t, err)
	return Target{
		Command: []string{program},
		// The race detector would make each of them wait a second at its end.
		Environment: []string{helperVariable + "=" + name, "GORACE=atexit_sleep_ms=0"},
		Protocol:    protocol, Timeout: time.Minute,
	}
}

// open opens a session that is closed, and leaves nothing behind, at the end of
// the test.
func open(t testing.TB, target Target) *Session {
	t.Helper()
	session, err := Open(context.Background(), target)
	require.NoError(t, err)
	t.Cleanup(session.Close)
	return session
}

// parse makes a history of operations in their outside form.
func parse(t testing.TB, operations ...string) history.History {
	t.Helper()
	return parseUnder(t, events.Current, operations...)
}

func parseUnder(t testing.TB, rules events.Rules, operations ...string) history.History {
	t.Helper()
	h := history.History{Rules: rules}
	for _, text := range operations {
		event, err := rules.Parse([]byte(text))
		require.NoError(t, err, text)
		h.Events = append(h.Events, event)
	}
	return h
}

// service is what a helper answers with.
type service interface {
	Apply(events.Event) events.Result
}

func byTheRules(rules events.Rules) service {
	state, err := fsm.New(rules)
	if err != nil {
		panic(err)
	}
	return fsm.NewMachine(state)
}

// deviating is a service that gets one rule wrong.
func deviating(name string) func(events.Rules) service {
	return func(rules events.Rules) service {
		model, err := naive.New(rules, name)
		if err != nil {
			panic(err)
		}
		return model
	}
}

// speak speaks the stream protocol. What tamper returns is printed instead of an
// answer, if it is given; operations are counted from 1 since the last reset.
func speak(newService func(events.Rules) service, tamper func(n int, answer []byte) []byte) {
	in, out := bufio.NewReaderSize(os.Stdin, 64<<10), bufio.NewWriterSize(os.Stdout, 64<<10)
	rules := events.Current
	present, n := newService(rules), 0
	for {
		if in.Buffered() == 0 && out.Flush() != nil {
			return
		}
		line, err := in.ReadBytes('\n')
		if err != nil {
			out.Flush()
			return
		}
		if bytes.HasPrefix(line, []byte(`{"reset"`)) {
			rules = readReset(line)
			present, n = newService(rules), 0
			out.WriteString("{\"ready\":true}\n")
			continue
		}
		n++
		answer := append(apply(rules, present, line), '\n')
		if tamper != nil {
			answer = tamper(n, answer)
		}
		out.Write(answer)
	}
}

func apply(rules events.Rules, present service, operation []byte) []byte {
	event, err := rules.Parse(bytes.TrimSpace(operation))
	if err != nil {
		panic(err)
	}
	return present.Apply(event).Answer.AppendJSON(nil)
}

func readReset(line []byte) events.Rules {
	var message struct {
		Reset struct {
			Edition events.Edition
			Unit    string
		}
	}
	if err := json.Unmarshal(line, &message); err != nil {
		panic(err)
	}
	unit, err := events.ParseUnit(message.Reset.Unit)
	if err != nil {
		panic(err)
	}
	return events.Rules{Edition: message.Reset.Edition, Unit: unit}
}

// answerAll speaks the process protocol and returns what is to be printed.
func answerAll(newService func(events.Rules) service) []json.RawMessage {
	text, err := io.ReadAll(os.Stdin)
	if err != nil {
		panic(err)
	}
	var operations, answers []json.RawMessage
	if json.Unmarshal(text, &operations) != nil {
		fmt.Fprintln(os.Stderr, "this is no history")
		os.Exit(2)
	}
	rules := environmentRules()
	present := newService(rules)
	for _, operation := range operations {
		answers = append(answers, apply(rules, present, operation))
	}
	return answers
}

func environmentRules() events.Rules {
	unit, err := events.ParseUnit(os.Getenv("LEASEKEEPER_UNIT"))
	if err != nil {
		panic(err)
	}
	return events.Rules{Edition: events.Edition(os.Getenv("LEASEKEEPER_EDITION")[0] - '0'), Unit: unit}
}

func printArray(answers []json.RawMessage) {
	text, err := json.Marshal(answers)
	if err != nil {
		panic(err)
	}
	if answers == nil {
		text = []byte("[]")
	}
	os.Stdout.Write(append(text, '\n'))
}
