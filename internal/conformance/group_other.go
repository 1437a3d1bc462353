//go:build !unix

package conformance

import "os/exec"

// ownGroup does nothing where there are no process groups.
func ownGroup(*exec.Cmd) {}

// killGroup kills the process alone.
func killGroup(command *exec.Cmd) { _ = command.Process.Kill() }
