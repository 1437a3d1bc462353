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
	size   int64 // of the input in bytes, or a number of events; -1 if unknown
	events bool
	start  time.Time
	shown  time.Time
	wanted bool
	bar    *progressbar.ProgressBar // nil until it is due
}

func newProgress(size int64) *progress {
	return &progress{size: size, start: time.Now(), wanted: isTerminal(os.Stderr) && !isTerminal(os.Stdout)}
}

// newCount returns a progress that counts events, for commands that print
// nothing until they are done.
func newCount(events int64) *progress {
	return &progress{size: events, events: true, start: time.Now(), wanted: isTerminal(os.Stderr)}
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
	if p.bar == nil {
		p.bar = progressbar.NewOptions64(p.size, p.look()...)
	}
	_ = p.bar.Set64(offset) // it is decoration
}

// finish takes the bar away.
func (p *progress) finish() {
	if p.bar != nil {
		_ = p.bar.Clear()
	}
}

// look is how the bar looks.
func (p *progress) look() []progressbar.Option {
	look := []progressbar.Option{
		progressbar.OptionSetWriter(os.Stderr),
		progressbar.OptionShowBytes(!p.events),
		progressbar.OptionSetWidth(30),
		progressbar.OptionSetSpinnerChangeInterval(0), // no goroutine that draws later
		progressbar.OptionClearOnFinish(),
	}
	if p.events {
		look = append(look, progressbar.OptionShowCount(), progressbar.OptionShowIts(), progressbar.OptionSetItsString("events"))
	}
	return look
}
