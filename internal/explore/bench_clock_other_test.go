//go:build !unix

package explore

import "time"

var started = time.Now()

// processorTime falls back to the clock on the wall.
func processorTime() time.Duration { return time.Since(started) }
