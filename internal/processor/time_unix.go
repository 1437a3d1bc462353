//go:build unix

package processor

import (
	"fmt"
	"syscall"
	"time"
)

// Time is what this process has used so far, its garbage collector included.
func Time() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		panic(fmt.Sprintf("processor: %v", err)) // of oneself it is always known
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
