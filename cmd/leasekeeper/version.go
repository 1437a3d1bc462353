package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version of this program",
		Args:  arguments(0, 0, "no argument"),
		Run: func(cmd *cobra.Command, _ []string) {
			fmt.Fprintln(cmd.OutOrStdout(), version())
		},
	}
}

// version is what the build recorded about itself.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "leasekeeper, built without a record of its version"
	}
	text := "leasekeeper " + info.Main.Version
	settings := make(map[string]string)
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	if revision := settings["vcs.revision"]; revision != "" {
		text += ", commit " + revision[:min(12, len(revision))]
		if settings["vcs.modified"] == "true" {
			text += " with changes"
		}
	}
	return fmt.Sprintf("%s, %s %s/%s", text, info.GoVersion, runtime.GOOS, runtime.GOARCH)
}
