//go:build !unix

package history_test

import "time"

var began = time.Now()

// processorTime is the time passed, where nothing better is known.
func processorTime() time.Duration { return time.Since(began) }
