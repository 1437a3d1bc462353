//go:build unix

package conformance

import (
	"os/exec"
	"syscall"
)

// ownGroup makes a command the leader of a new process group.
func ownGroup(command *exec.Cmd) { command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup kills a process and all that it started and that is still in its
// group. It cannot be ignored.
func killGroup(command *exec.Cmd) { _ = syscall.Kill(-command.Process.Pid, syscall.SIGKILL) }
