package main

import (
	"errors"
	"os"
	"os/exec"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// quickEnd keeps a process that the race detector watches from lingering for a
// second when it ends: here hundreds of processes do.
const quickEnd = "atexit_sleep_ms=0"

func TestMain(m *testing.M) {
	if os.Getenv("GORACE") == "" {
		os.Setenv("GORACE", quickEnd)
	}
	testscript.Main(m, map[string]func(){
		"leasekeeper": main,
		// A leasekeeper with a broken invariant.
		"broken":      func() { os.Exit(guard(func() error { panic("invariant 6: two exclusive holders") })) },
		"interrupted": interrupted,
	})
}

// The scripts of testdata show each command, each form of input, each exit
// code and the places that mistakes are reported with.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata",
		Setup: func(env *testscript.Env) error {
			env.Setenv("GORACE", os.Getenv("GORACE"))
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":   exits,
			"console": console,
			"damage":  damage,
		},
		Condition: func(name string) (bool, error) {
			if name == "root" {
				return os.Geteuid() == 0, nil
			}
			return false, errors.New("unknown condition " + name)
		},
		RequireExplicitExec: true,
	})
}

// exits is the command
//
//	exits CODE PROGRAM ARGUMENT...
//
// It is exec for who wants to know the exit code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM ARGUMENT...")
	}
	code := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exited *exec.ExitError
		if !errors.As(err, &exited) {
			ts.Fatalf("%v", err)
		}
		code = exited.ExitCode()
	}
	if strconv.Itoa(code) != args[0] {
		ts.Fatalf("exit code %d instead of %s", code, args[0])
	}
}
