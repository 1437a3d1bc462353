package history

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/internal/visible"
)

func instantInWords(e events.Event) string {
	if t, ok := writtenInstant(e); ok {
		return fmt.Sprintf("at %d", t)
	}
	return ""
}

// operationInWords is an event without its instant. One that is refused for its
// form is told as it was received.
func operationInWords(e events.Event) string {
	switch e := e.(type) {
	case events.Acquire:
		text := fmt.Sprintf("%s acquires %s for %s", word(e.Client), word(e.Lock), ticks(e.TTL))
		if e.Mode == events.Shared {
			text += ", shared"
		}
		return text
	case events.Renew:
		return fmt.Sprintf("%s renews %s for %s", word(e.Client), word(e.Lock), ticks(e.TTL))
	case events.Release:
		return fmt.Sprintf("%s releases %s", word(e.Client), word(e.Lock))
	case events.Write:
		return fmt.Sprintf("write %s = %s under %s with token %d", word(e.Key), word(e.Value), word(e.Lock), e.Token)
	case events.Read:
		return fmt.Sprintf("read %s under %s", word(e.Key), word(e.Lock))
	case events.Inspect:
		return "inspect " + word(e.Lock)
	case events.Status:
		return "status of " + word(e.Client)
	case events.Repeat:
		text := clipped(visible.Text(e.Template))
		if e.Count == 1 {
			return "repeat once: " + text
		}
		return fmt.Sprintf("repeat %d times, %s apart: %s", e.Count, ticks(e.Step), text)
	case events.Invalid:
		return clipped(visible.Text(e.Raw))
	}
	return "no operation"
}

// answerInWords is an answer in words.
func answerInWords(a events.Answer) string {
	switch a := a.(type) {
	case events.Granted:
		return fmt.Sprintf("granted, token %d, until %d", a.Token, a.ExpiresAt) + abortedInWords(a.Victims)
	case events.Queued:
		return fmt.Sprintf("queued, position %d", a.Position) + abortedInWords(a.Victims)
	case events.Deadlock:
		if len(a.Victims) == 0 {
			return "deadlock, aborted nobody"
		}
		return "deadlock" + abortedInWords(a.Victims)
	case events.Renewed:
		return fmt.Sprintf("renewed until %d", a.ExpiresAt)
	case events.Value:
		if !a.Found {
			return "null"
		}
		return clipped(visible.Quoted(a.Text))
	case events.LockView:
		return lockInWords(a)
	case events.ClientView:
		return clientInWords(a)
	case events.Tally:
		text := fmt.Sprintf("%d runs: ", a.Ops)
		if a.Ops == 1 {
			text = "1 run: "
		}
		return text + listInWords(a.Results, func(c events.Count) string {
			return fmt.Sprintf("%s × %d", clipped(visible.Text(c.Answer)), c.Times)
		})
	}
	return answerInJSON(a)
}

// answerInJSON is a string answer without its quotes, and any other as the
// contract spells it.
func answerInJSON(a events.Answer) string {
	switch a := a.(type) {
	case nil:
		return "no answer"
	case events.Done:
		return a.String()
	case events.Refusal:
		return a.String()
	}
	return visible.Text(string(a.AppendJSON(nil)))
}

func lockInWords(a events.LockView) string {
	text := "nobody holds it"
	if len(a.Holders) > 0 {
		text = "held by " + listInWords(a.Holders, func(h events.Holder) string {
			return fmt.Sprintf("%s (%s, token %d, until %d)", word(h.Client), h.Mode, h.Token, h.ExpiresAt)
		})
	}
	if len(a.Queue) > 0 {
		text += "; awaited by " + listInWords(a.Queue, func(w events.Waiter) string {
			return fmt.Sprintf("%s (%s)", word(w.Client), w.Mode)
		})
	}
	return text
}

func clientInWords(a events.ClientView) string {
	text := "not registered"
	if a.Age != 0 {
		text = fmt.Sprintf("age %d", a.Age)
	}
	if len(a.Holds) > 0 {
		text += ", holds " + listInWords(a.Holds, func(h events.Hold) string {
			return fmt.Sprintf("%s (%s, token %d, until %d)", word(h.Lock), h.Mode, h.Token, h.ExpiresAt)
		})
	}
	if a.Waiting != "" {
		text += ", awaits " + word(a.Waiting)
	}
	return text
}

func abortedInWords(victims []string) string {
	if len(victims) == 0 {
		return ""
	}
	return ", aborted " + listInWords(victims, word)
}

// mostListed is how many items of a list are told.
const mostListed = 20

func listInWords[T any](items []T, inWords func(T) string) string {
	if len(items) == 0 {
		return "nothing"
	}
	var texts []string
	for i, item := range items {
		if i == mostListed {
			texts = append(texts, fmt.Sprintf("%d more", len(items)-i))
			break
		}
		texts = append(texts, inWords(item))
	}
	return strings.Join(texts, ", ")
}

func ticks(n int64) string {
	if n == 1 {
		return "1 tick"
	}
	return fmt.Sprintf("%d ticks", n)
}

// word is a name, quoted if it is not a plain word, and cut if it is long.
func word(name string) string { return clipped(visible.Name(name)) }

// clipped is the beginning of a text that is wide.
func clipped(text string) string {
	if ansi.StringWidth(text) <= widestOperation {
		return text
	}
	return ansi.Truncate(text, widestOperation-1, "") + "…"
}
