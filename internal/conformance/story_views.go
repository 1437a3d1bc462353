package conformance

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/leasekeeper/leasekeeper/events"
)

// readView reads the answer to an inspect, a status or a repeat.
func readView(text []byte) events.Answer {
	var fields struct {
		Holders, Queue, Holds []json.RawMessage
		Age                   int64
		Waiting               string
		Ops                   int64
		Results               map[string]int64
	}
	var names map[string]json.RawMessage
	if json.Unmarshal(text, &fields) != nil || json.Unmarshal(text, &names) != nil {
		return nil
	}
	switch {
	case names["holders"] != nil:
		return readLock(fields.Holders, fields.Queue)
	case names["holds"] != nil:
		return readClient(events.ClientView{Age: fields.Age, Waiting: fields.Waiting}, fields.Holds)
	}
	tally := events.Tally{Ops: fields.Ops}
	for answer, times := range fields.Results {
		tally.Results = append(tally.Results, events.Count{Answer: answer, Times: times})
	}
	slices.SortFunc(tally.Results, func(a, b events.Count) int { return strings.Compare(a.Answer, b.Answer) })
	return tally
}

func readLock(holders, queue []json.RawMessage) events.Answer {
	var view events.LockView
	for _, text := range holders {
		var h events.Holder
		var mode string
		if !read(text, &h.Client, &mode, &h.Token, &h.ExpiresAt) {
			return nil
		}
		h.Mode = readMode(mode)
		view.Holders = append(view.Holders, h)
	}
	for _, text := range queue {
		var w events.Waiter
		var mode string
		if !read(text, &w.Client, &mode) {
			return nil
		}
		w.Mode = readMode(mode)
		view.Queue = append(view.Queue, w)
	}
	return view
}

func readClient(view events.ClientView, holds []json.RawMessage) events.Answer {
	for _, text := range holds {
		var h events.Hold
		var mode string
		if !read(text, &h.Lock, &mode, &h.Token, &h.ExpiresAt) {
			return nil
		}
		h.Mode = readMode(mode)
		view.Holds = append(view.Holds, h)
	}
	return view
}

func readMode(name string) events.Mode {
	if name == "shared" {
		return events.Shared
	}
	return events.Exclusive
}
