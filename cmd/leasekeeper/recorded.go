package main

import (
	"fmt"
	"time"

	"github.com/leasekeeper/leasekeeper/cmd/leasekeeper/internal/transfer"
	"github.com/spf13/cobra"
)

// recordedFlags are the flags of commands that look for what is wrong with recorded
// answers, and why.
type recordedFlags struct {
	rules   rulesFlags
	program string // of --map
	time    time.Duration
	asJSON  bool
}

// register adds the flags; search says what takes the time of --for.
func (f *recordedFlags) register(cmd *cobra.Command, search string) {
	f.rules.register(cmd)
	cmd.Flags().StringVar(&f.program, "map", "", "a jq program that makes operations of each line")
	addFlag(cmd, &f.time, "for", "DURATION", "how long to search"+search+", such as 10s or 5m", parseSpan)
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "print one JSON object")
}

// kindOf tells whether an input is a journal and, if not, how to read it.
func (f *recordedFlags) kindOf(name string) (journal bool, how transfer.Reading, err error) {
	journal, err = isJournal(name)
	switch {
	case err != nil || f.program == "":
		return journal, how, err
	case journal:
		return true, how, fmt.Errorf("%s is a journal, which is taken as it is, without --map", name)
	}
	how.Program, err = transfer.Compile(f.program)
	return false, how, err
}
