package main

import (
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
)

// progress shows how far the input has been read, once that takes longer than
// a second. Nothing is shown if standard error is not a terminal, or if
// standard output is one too: there the answers are progress enough.
type progress struct {
	start  time.Time
	shown  time.Time // zero: not yet
	wanted bool
	bar    *progressbar.ProgressBar
}

// newProgress returns a progress in an input of so many bytes, -1 if that is
// unknown.
func newProgress(size int64) *progress {
	p := begin(size, progressbar.OptionShowBytes(true))
	p.wanted = p.wanted && !isTerminal(os.Stdout)
	return p
}

// newCount returns a progress that counts events, for commands that print
// nothing until they are done.
func newCount(events int64) *progress {
	return begin(events, progressbar.OptionShowCount(), progressbar.OptionShowIts(), progressbar.OptionSetItsString("events"))
}

// begin starts both clocks: the one that says when the bar is due, and the one
// by which the bar knows the speed.
func begin(size int64, look ...progressbar.Option) *progress {
	look = append(look,
		progressbar.OptionSetWriter(os.Stderr),
		progressbar.OptionSetWidth(30),
		progressbar.OptionSetSpinnerChangeInterval(0), // no goroutine that draws later
		progressbar.OptionClearOnFinish(),
	)
	p := &progress{start: time.Now(), wanted: isTerminal(os.Stderr), bar: progressbar.NewOptions64(size, look...)}
	p.bar.StartWithoutRender()
	return p
}

// at says that so many bytes have been read, or events been seen to.
func (p *progress) at(offset int64) {
	if !p.wanted {
		return
	}
	now := time.Now()
	if now.Sub(p.start) < time.Second || now.Sub(p.shown) < 100*time.Millisecond {
		return
	}
	p.shown = now
	_ = p.bar.Set64(offset) // it is decoration
}

// finish takes the bar away.
func (p *progress) finish() {
	if !p.shown.IsZero() {
		_ = p.bar.Clear()
	}
}
