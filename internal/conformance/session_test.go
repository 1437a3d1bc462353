package conformance

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/history"
	"github.com/stretchr/testify/require"
)

// One process answers one history after another, whatever rules they are under: a
// status is known in edition 3 only (R29).
func TestAStreamGoesOnFromHistoryToHistory(t *testing.T) {
	session := open(t, target(t, "stream", Stream))
	var first *child
	for i := range 30 {
		rules := events.Rules{Edition: events.Edition(i/5%3 + 1), Unit: events.Units[i%4]}
		verdict, err := session.Run(t.Context(), parseUnder(t, rules, `["acquire",0,"a","L",86401]`, `["status",0,"a"]`))
		require.NoError(t, err)
		require.Equal(t, Agrees{Answers: 2}, verdict)
		if first == nil {
			first = session.child
		}
		require.Same(t, first, session.child)
	}
}

// A wrong answer is no reason to start anew; whatever may be out of step is.
func TestAStreamIsRestartedWhenItMayBeOutOfStep(t *testing.T) {
	for helper, same := range map[string]bool{"stream-late": true, "skip-3": false, "prose-at-3": false, "exit-7": false} {
		session := open(t, target(t, helper, Stream))
		first, err := session.Run(t.Context(), parse(t, night...))
		require.NoError(t, err)
		child := session.child
		require.Equal(t, same, child != nil, helper)
		second, err := session.Run(t.Context(), parse(t, night...))
		require.NoError(t, err)
		require.Equal(t, first, second)
	}
}

// A command that names the rules gets new ones with a new process.
func TestACommandThatNamesTheRules(t *testing.T) {
	for _, protocol := range []Protocol{Stream, Process} {
		program := target(t, protocol.String(), protocol)
		program.Command = append(program.Command, "--edition={edition}", "{unit}s")
		session := open(t, program)
		for i := range 4 {
			rules := events.Rules{Edition: events.Edition(i/2 + 1), Unit: events.Millisecond}
			verdict, err := session.Run(t.Context(), parseUnder(t, rules, `["acquire",0,"a","L",86401]`, `["acquire",0,"b","L",1,"shared"]`))
			require.NoError(t, err)
			require.Equal(t, Agrees{Answers: 2}, verdict)
			if protocol == Stream {
				require.Equal(t, []string{"--edition=" + string('1'+rune(i/2)), "milliseconds"}, session.child.command.Args[1:])
			}
		}
	}
}

func TestDetect(t *testing.T) {
	for helper, protocol := range map[string]Protocol{
		"stream": Stream, "stream-late": Stream, "process": Process, "process-lines": Process,
		"exit-7-at-once": Process, "chatty": Process, "endless-line": Stream, "process-nothing": Process,
	} {
		session := open(t, target(t, helper, Auto))
		require.Equal(t, protocol, session.Target().Protocol, helper)
		require.Nil(t, session.child)
	}
	silent := target(t, "silent", Auto)
	silent.Timeout = short
	protocol, err := Detect(t.Context(), silent)
	require.NoError(t, err)
	require.Equal(t, Process, protocol)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = Open(ctx, target(t, "silent", Auto))
	require.ErrorIs(t, err, context.Canceled)
}

// What cannot be started is an error of the machine, not a verdict.
func TestProgramsThatCannotBeStarted(t *testing.T) {
	directory := t.TempDir()
	plain := filepath.Join(directory, "plain")
	require.NoError(t, os.WriteFile(plain, []byte("#!/bin/sh\n"), 0o600))
	lost := filepath.Join(directory, "lost")
	require.NoError(t, os.WriteFile(lost, []byte("#!/no/such/interpreter\n"), 0o700))
	for _, command := range []string{filepath.Join(directory, "nowhere"), "no-such-program-at-all", plain, lost, directory} {
		for _, protocol := range []Protocol{Stream, Process} {
			session := open(t, Target{Command: []string{command}, Protocol: protocol})
			_, err := session.Run(t.Context(), parse(t, night...))
			require.ErrorContains(t, err, "conformance: starting the program: ")
		}
		_, err := Open(t.Context(), Target{Command: []string{command}})
		require.ErrorContains(t, err, "conformance: starting the program: ")
	}
	for _, bad := range []Target{{}, {Command: []string{""}}, {Command: []string{"true"}, Protocol: 9}, {Command: []string{"true"}, Timeout: -1}} {
		_, err := Open(t.Context(), bad)
		require.Error(t, err)
	}
}

// Events that were made by hand may be nothing that could be sent.
func TestHistoriesThatCannotBeSent(t *testing.T) {
	session := open(t, target(t, "stream", Stream))
	for message, h := range map[string]history.History{
		"no such edition":              {Rules: events.Rules{Edition: 9, Unit: events.Second}},
		"operation 1: not valid UTF-8": {Rules: events.Current, Events: []events.Event{events.Inspect{Lock: "\xff"}}},
		"operation 1: would be taken for a reset": {
			Rules: events.Current, Events: []events.Event{events.Invalid{Raw: `{"a":1,"reset":{}}`, Refusal: events.InvalidArguments}},
		},
		"operation 1: more than one line": {
			Rules: events.Current, Events: []events.Event{events.Invalid{Raw: "[\n]", Refusal: events.InvalidArguments}},
		},
	} {
		_, err := session.Run(t.Context(), h)
		require.ErrorContains(t, err, message)
	}
	verdict, err := session.Run(t.Context(), parse(t, `{"op":1}`, `"x"`, `null`))
	require.NoError(t, err)
	require.Equal(t, Agrees{Answers: 3}, verdict)
}

// Both pipes are full at the same time, and nobody waits for the other for ever.
func TestBothPipesMayBeFull(t *testing.T) {
	h := history.History{Rules: events.Current}
	for range 3000 {
		h.Events = append(h.Events, events.Acquire{Client: "c", Lock: "L", TTL: 60, Mode: events.Exclusive},
			events.Release{Client: "c", Lock: "L"}, events.Write{Lock: "L", Key: "k", Value: string(make([]byte, 1000)), Token: 1},
			events.Read{Lock: "L", Key: "k"})
	}
	for _, protocol := range []Protocol{Stream, Process} {
		verdict, err := open(t, target(t, protocol.String(), protocol)).Run(t.Context(), h)
		require.NoError(t, err)
		require.Equal(t, Agrees{Answers: 12000}, verdict)
	}
}

func TestSessionsRunBesideEachOther(t *testing.T) {
	profile := history.Profiles()[0]
	var running sync.WaitGroup
	for worker := range uint64(4) {
		session := open(t, target(t, "stream", Stream))
		running.Go(func() {
			for seed := range uint64(20) {
				h := history.Generate(events.Current, profile, 100*worker+seed, 50)
				verdict, err := session.Run(context.Background(), h)
				if err != nil || verdict != (Agrees{Answers: len(h.Events)}) {
					t.Error(verdict, err)
				}
			}
		})
	}
	running.Wait()
}

// A history without operations is answered by nothing.
func TestAnEmptyHistory(t *testing.T) {
	for _, protocol := range []Protocol{Stream, Process} {
		session := open(t, target(t, protocol.String(), protocol))
		verdict, err := session.Run(t.Context(), history.History{Rules: events.Current})
		require.NoError(t, err)
		require.Equal(t, Agrees{}, verdict)
		session.Close()
		session.Close()
		session.Restart()
	}
}

// A timeout that is long does not make anything wait that is not slow.
func TestCloseDoesNotWaitForTheTimeout(t *testing.T) {
	program := target(t, "ignore-signals", Stream)
	program.Timeout = time.Hour
	session := open(t, program)
	child, err := program.start(events.Current)
	require.NoError(t, err)
	session.child = child
	session.Close()
	require.Nil(t, session.child)
}
