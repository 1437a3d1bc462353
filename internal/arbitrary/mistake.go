package arbitrary

import (
	"fmt"
	"strings"

	"github.com/leasekeeper/leasekeeper/events"
	"pgregory.net/rapid"
)

var templates = []string{
	`["acquire","c{i%3}","L{i+1%2}",5]`,
	`["acquire","c{i+1%4}","L{i%2}",9,"shared"]`,
	`["renew","c{i%2}","L0",7]`,
	`["release","c{i%4}","L{i%2}"]`,
	`["write","L{i%2}","k","aborted",2]`,
	`["read","L{i%2}","k"]`,
	`["inspect","L0"]`,
	`["status","c{i}"]`,
	`["acquire","c0","L0",0]`,
	`["renew"]`,
	`["fly","{i}"]`,
	`["inspect","{i%0}"]`, // a bad template
}

// repeat draws a repeat of a few runs, now and then beyond the end of time.
func repeat(t *rapid.T, at int64) events.Event {
	return events.Repeat{
		At:       at,
		Count:    rapid.Int64Range(0, 6).Draw(t, "count"),
		Step:     rapid.SampledFrom([]int64{0, 0, 1, 2, 7, 1 << 62}).Draw(t, "step of runs"),
		Template: rapid.SampledFrom(templates).Draw(t, "template"),
	}
}

var mistakes = []string{
	`7`,
	`[]`,
	`["inspect"]`,
	`["fly",%d]`,
	`[null,%d]`,
	`["acquire",%d.5,"c0","L0",5]`,
	`["inspect",9223372036854775807,"L0"]`,
	`["renew",%d]`,
	`["status",%d,7]`,
	`["release",%d,"","L0"]`,
	`["acquire",%d,"c0","L0",1000000000000000000000]`,
	`["acquire",%d,"c0","L0",5,"both"]`,
	`["write",%d,"L0","k","v",0]`,
	`["repeat",%d,1,0,["repeat"]]`,
}

// mistake draws an operation that is refused for its form.
func (w World) mistake(t *rapid.T, at int64) events.Event {
	text := rapid.SampledFrom(mistakes).Draw(t, "mistake")
	if strings.Contains(text, "%d") {
		text = fmt.Sprintf(text, at)
	}
	event, err := w.Rules.Parse([]byte(text))
	if err != nil {
		panic(fmt.Sprintf("arbitrary: %s: %v", text, err))
	}
	return event
}
