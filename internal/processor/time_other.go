//go:build !unix

package processor

import "time"

var started = time.Now()

// Time is the time passed, where nothing better is known.
func Time() time.Duration { return time.Since(started) }
