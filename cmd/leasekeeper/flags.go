package main

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/internal/oplog"
	"github.com/spf13/cobra"
)

// parsed is a flag whose text is parsed as soon as it is given, so that a bad one
// is refused before any input is waited for. It implements pflag.Value.
type parsed[T any] struct {
	to    *T
	kind  string // what help calls it
	parse func(text string) (T, error)
}

// addFlag adds a flag to a command. What to holds is the default.
func addFlag[T any](cmd *cobra.Command, to *T, name, kind, usage string, parse func(string) (T, error)) {
	cmd.Flags().Var(parsed[T]{to, kind, parse}, name, usage)
}

func (p parsed[T]) Set(text string) (err error) {
	*p.to, err = p.parse(text)
	return err
}

func (p parsed[T]) String() string { return fmt.Sprint(*p.to) }
func (p parsed[T]) Type() string   { return p.kind }

// parseSequence parses the number of an event. Like all numbers of flags, it has one
// spelling: whoever writes 010 may mean ten or eight.
func parseSequence(text string) (uint64, error) {
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil || strconv.FormatUint(n, 10) != text {
		return 0, errors.New("this is not the number of an event")
	}
	return n, nil
}

// parseInstant parses an instant in ticks.
func parseInstant(text string) (int64, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || strconv.FormatInt(n, 10) != text {
		return 0, errors.New("this is not an instant in ticks, within 64 bits")
	}
	return n, nil
}

// parseAtLeast returns a parser of numbers that are not too small.
func parseAtLeast(least int64) func(text string) (int64, error) {
	return func(text string) (int64, error) {
		n, err := parseInstant(text)
		if err != nil || n < least {
			return 0, fmt.Errorf("this is not a number of at least %d", least)
		}
		return n, nil
	}
}

func parseEdition(text string) (events.Edition, error) {
	e, ok := oplog.ParseEdition(text)
	if !ok {
		return 0, errors.New("there are 1, 2 and 3")
	}
	return e, nil
}

func parseUnit(text string) (events.Unit, error) {
	u, err := events.ParseUnit(text)
	if err != nil {
		return 0, fmt.Errorf("there are %s", choice(unitNames()))
	}
	return u, nil
}

// parseSpan parses a length of time that is more than nothing.
func parseSpan(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		return 0, errors.New("this is not a length of time such as 10s or 5m")
	}
	return d, nil
}
