package main

import (
	"os"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// A bar that is shown late knows since when the input has been read.
func TestTheFirstSpeedIsTheTrueOne(t *testing.T) {
	stderr := os.Stderr
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	require.NoError(t, err)
	os.Stderr = null
	defer func() { os.Stderr = stderr }()
	defer null.Close()
	synctest.Test(t, func(t *testing.T) {
		for _, begin := range []func(int64) *progress{newProgress, newCount} {
			p := begin(100 << 20)
			p.wanted = true
			time.Sleep(time.Second - 1) // of the bubble's clock
			p.at(1 << 20)
			require.True(t, p.shown.IsZero(), "not due yet")
			time.Sleep(time.Second + 1)
			p.at(2 << 20)
			require.False(t, p.shown.IsZero())
			require.InDelta(t, 1<<10, p.bar.State().KBsPerSecond, 1)
			p.finish()
		}
	})
}
