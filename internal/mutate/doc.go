// Command mutate judges the tests of a package: it breaks the package in some
// thousand small ways, one at a time, and asks the tests whether they notice.
// A broken form, a mutant, that they notice is killed. One that survives is
// either a test that is missing, or code that is not needed, or not broken
// after all: then testdata/equivalent.txt names it and says why.
//
//	go run ./internal/mutate                    all mutants of fsm, some minutes
//	go run ./internal/mutate -sample 20         every twentieth, about a minute
//	go run ./internal/mutate -package internal/persist
//	go run ./internal/mutate -list              the mutants, and nothing is run
//	go run ./internal/mutate -match 'fsm/lease.go renew:'
//
// It fails if a mutant survives that is not listed, and if a listed one is
// killed or has gone, so that the list stays true.
//
// All mutants are built into one test binary: each changed function stands
// beside the original, which calls it if the environment says so. So the cost
// of a mutant is that of the tests that it takes to kill it. The tests run on
// a fixed random seed, and time is CPU time, so that a run on a busy machine
// ends as one on an idle machine does.
//
// It needs a Unix system and the go command.
package main
