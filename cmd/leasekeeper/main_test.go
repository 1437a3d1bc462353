package main

import (
	"errors"
	"os"
	"os/exec"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"leasekeeper": main,
		// A leasekeeper with a broken invariant.
		"broken": func() { os.Exit(guard(func() error { panic("invariant 6: two exclusive holders") })) },
	})
}

// The scripts of testdata show each command, each form of input, each exit
// code and the places that mistakes are reported with.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":   exits,
			"console": console,
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
