//go:build unix

package history_test

import (
	"syscall"
	"time"
)

// processorTime is what the process has had of the processors, its garbage
// collector included. On a shared machine it says more than time passed.
func processorTime() time.Duration {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
