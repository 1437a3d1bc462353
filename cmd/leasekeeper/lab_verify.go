package main

import (
	"bufio"
	"encoding/json"
	"errors"

	"github.com/leasekeeper/leasekeeper/internal/lab"
	"github.com/spf13/cobra"
)

func newLabVerify() *cobra.Command {
	var v labVerify
	cmd := &cobra.Command{
		Use:   "verify [NAME…]",
		Short: "Derive every claim of the lab again",
		Long: `Verify carries out the experiments, all or those that are named, and checks every
claim about them. The exit code is 1 if one fails.

With the experiments' own seeds and 20,000 operations, figures have to be exactly the
known ones. With --seed or --n, they have to lie in ranges that follow from the
distributions alone; the ranges are so wide that all of an experiment's figures lie in
them for 99 % of all seeds.

With --deviation, the experiments ask a service that gets one rule wrong, to see which
claims notice.`,
		Example: `  leasekeeper lab verify
  leasekeeper lab verify designs gap --seed 7
  leasekeeper lab verify fencing --deviation stale-token-accepted`,
		ValidArgsFunction: labNames,
		RunE: func(_ *cobra.Command, args []string) error {
			out := newOutput()
			return flush(out, v.run(args, out))
		},
	}
	v.flags.register(cmd)
	cmd.Flags().BoolVar(&v.asJSON, "json", false, "print one JSON object for each claim")
	return cmd
}

// labVerify checks the claims of experiments.
type labVerify struct {
	flags  labFlags
	asJSON bool
}

func (v *labVerify) run(names []string, out *bufio.Writer) error {
	list, err := chosen(names)
	if err != nil {
		return err
	}
	if err := v.fits(list); err != nil {
		return err
	}
	show := labReport{newReport(out), out}
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	all, failed := 0, 0
	for _, x := range list {
		setting, err := v.flags.setting(x)
		if err != nil {
			return err
		}
		outcome, err := x.Run(setting)
		if err != nil {
			return err
		}
		if !v.asJSON {
			show.head(x, setting, v.flags.deviation)
		}
		for _, c := range outcome.Claims {
			if all++; !c.Holds {
				failed++
			}
			if v.asJSON {
				_ = encoder.Encode(c) // the output remembers an error
			} else {
				show.claim(c)
			}
		}
		if !v.asJSON {
			show.blank()
		}
		if err := out.Flush(); err != nil {
			return outputError(err)
		}
	}
	if !v.asJSON {
		show.verdict(all, failed)
	}
	if failed > 0 {
		return errDiffers
	}
	return nil
}

// fits refuses flags that would change nothing.
func (v *labVerify) fits(list []lab.Experiment) error {
	for _, x := range list {
		if x.Seed != 0 {
			return nil
		}
	}
	if v.flags.set("seed") || v.flags.set("n") {
		return errors.New("none of these experiments leaves anything to chance: they take no --seed and no --n")
	}
	return nil
}
