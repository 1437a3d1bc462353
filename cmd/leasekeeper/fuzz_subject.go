package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/leasekeeper/leasekeeper/events"
	histories "github.com/leasekeeper/leasekeeper/history"
	"github.com/leasekeeper/leasekeeper/internal/campaign"
	"github.com/leasekeeper/leasekeeper/internal/conformance"
	"github.com/spf13/cobra"
)

// subject is what is tried.
type subject struct {
	name   string
	target conformance.Target // of a program
	open   func(context.Context) (campaign.Subject, error)
}

// subject finds out what to try, and how to talk to it.
func (f *fuzzFlags) subject(ctx context.Context) (*subject, error) {
	switch {
	case f.rules.set("against"):
		words, err := conformance.SplitCommand(f.against)
		if err != nil {
			return nil, fmt.Errorf("--against: %s", untagged(err))
		}
		target := conformance.Target{Command: words, Protocol: f.protocol, Rules: f.rules.Rules, Timeout: f.timeout}
		if target.Protocol == conformance.Auto {
			if target.Protocol, err = conformance.Detect(ctx, target); err != nil {
				return nil, stopped(ctx, err)
			}
		}
		return &subject{f.against, target, campaign.Program(target)}, nil
	case len(f.planted) > 0:
		open := campaign.Model(f.planted...)
		if _, err := open(ctx); err != nil {
			return nil, fmt.Errorf("--plant: %s", untagged(err))
		}
		return &subject{name: "the model of the rules, with " + listed(f.planted), open: open}, nil
	}
	return &subject{name: "the state machine, against the model of the rules", open: campaign.Itself}, nil
}

// options are those of the campaign.
func (f *fuzzFlags) options(s *subject) (campaign.Options, error) {
	options := campaign.Options{
		Seed: f.seed, Histories: uint64(f.histories), For: f.duration, Operations: int(f.operations),
		Profile: f.profile, Workers: int(f.jobs), Faults: int(f.faults), Open: s.open,
		Rules: f.drawnRules(),
	}
	if f.corpus == "" {
		return options, nil
	}
	cases, err := conformance.Corpus(f.corpus, f.rules.Rules)
	if err != nil && errors.Is(err, fs.ErrNotExist) {
		return options, fmt.Errorf("--corpus: there is no directory %s", f.corpus)
	}
	if err != nil {
		return options, inputError(err)
	}
	for _, c := range cases {
		options.Corpus = append(options.Corpus, campaign.Entry{Name: c.Path, History: c.History})
	}
	return options, nil
}

// fixedRules are those that every history is under; an edition or a unit that is
// zero may be any. Another program is taken to know only those that the flags
// name; our own and the model know all.
func (f *fuzzFlags) fixedRules() (fixed events.Rules) {
	if f.rules.set("edition") || f.against != "" {
		fixed.Edition = f.rules.Edition
	}
	if f.rules.set("unit") || f.against != "" {
		fixed.Unit = f.rules.Unit
	}
	return fixed
}

// drawnRules are the rules of a history, by its seed.
func (f *fuzzFlags) drawnRules() func(uint64) events.Rules {
	fixed := f.fixedRules()
	return func(seed uint64) events.Rules {
		drawn := histories.DrawRules(seed)
		if fixed.Edition != 0 {
			drawn.Edition = fixed.Edition
		}
		if fixed.Unit != 0 {
			drawn.Unit = fixed.Unit
		}
		return drawn
	}
}

// addProfile adds a flag that names a profile.
func addProfile(cmd *cobra.Command, to *histories.Profile, names []string) {
	p := profileValue{to}
	cmd.Flags().Var(p, "profile", "what histories are about: "+choice(names))
}

// profileValue is a flag that names a profile. It implements pflag.Value.
type profileValue struct{ to *histories.Profile }

func (p profileValue) Set(text string) (err error) {
	if *p.to, err = histories.ProfileNamed(text); err != nil {
		return errors.New(untagged(err))
	}
	return nil
}
func (p profileValue) String() string { return p.to.Name }
func (p profileValue) Type() string   { return "PROFILE" }
