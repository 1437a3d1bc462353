package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

func newHead() *cobra.Command {
	return &cobra.Command{
		Use:   "head JOURNAL",
		Short: "Print the head of a journal, to note it elsewhere",
		Long: `Head prints the number of a journal's last event and one hash over all of its
records. Whoever notes it elsewhere can prove later, with verify --head, that the file
is still the same up to there.`,
		Args: arguments(1, 1, "a JOURNAL"),
		RunE: func(_ *cobra.Command, args []string) error {
			j, err := openJournal(args[0])
			if err != nil {
				return err
			}
			defer j.Close()
			out := newOutput()
			_, err = fmt.Fprintln(out, j.Head())
			return flush(out, err)
		},
	}
}
