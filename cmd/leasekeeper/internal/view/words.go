package view

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/leasekeeper/leasekeeper/events"
)

// operation is an event in words, without its instant.
func operation(e events.Event, most int) string {
	n := func(text string) string { return name(text, most) }
	switch e := e.(type) {
	case events.Acquire:
		text := fmt.Sprintf("acquire %s %s ttl %d", n(e.Client), n(e.Lock), e.TTL)
		if e.Mode != events.Exclusive {
			text += " " + e.Mode.String()
		}
		return text
	case events.Renew:
		return fmt.Sprintf("renew %s %s ttl %d", n(e.Client), n(e.Lock), e.TTL)
	case events.Release:
		return fmt.Sprintf("release %s %s", n(e.Client), n(e.Lock))
	case events.Write:
		return fmt.Sprintf("write %s %s = %s token %d", n(e.Lock), n(e.Key), quote(e.Value, most), e.Token)
	case events.Read:
		return fmt.Sprintf("read %s %s", n(e.Lock), n(e.Key))
	case events.Inspect:
		return "inspect " + n(e.Lock)
	case events.Status:
		return "status " + n(e.Client)
	case events.Repeat:
		return fmt.Sprintf("repeat %d times, step %d: %s", e.Count, e.Step, cut(Visible(e.Template), most))
	case events.Invalid:
		return cut(Visible(e.Raw), most)
	}
	panic(fmt.Sprintf("view: no words for %T", e))
}

// answer is an answer in words.
func answer(a events.Answer, most int) string {
	switch a := a.(type) {
	case events.Granted:
		return fmt.Sprintf("granted token %d until %d", a.Token, a.ExpiresAt) + aborted(a.Victims, most)
	case events.Queued:
		return fmt.Sprintf("queued position %d", a.Position) + aborted(a.Victims, most)
	case events.Deadlock:
		return "deadlock" + aborted(a.Victims, most)
	case events.Renewed:
		return fmt.Sprintf("renewed until %d", a.ExpiresAt)
	case events.Done:
		return a.String()
	case events.Value:
		if !a.Found {
			return "null"
		}
		return quote(a.Text, most)
	case events.LockView:
		return lockView(a, most)
	case events.ClientView:
		return clientView(a, most)
	case events.Tally:
		return fmt.Sprintf("%d runs: ", a.Ops) + list(len(a.Results), most, func(i int) string {
			return fmt.Sprintf("%s %d", result(a.Results[i].Answer, most), a.Results[i].Times)
		})
	case events.Refusal:
		return a.String()
	}
	panic(fmt.Sprintf("view: no words for %T", a))
}

// result is what the runs of a repeat are counted by: the word of an answer, or
// a value that was read.
func result(text string, most int) string {
	for r := events.UnknownOperation; r <= events.StaleToken; r++ {
		if text == r.String() {
			return text
		}
	}
	return name(text, most)
}

func aborted(victims []string, most int) string {
	if len(victims) == 0 {
		return ""
	}
	return ", aborted " + list(len(victims), most, func(i int) string { return name(victims[i], most) })
}

func lockView(a events.LockView, most int) string {
	text := "free"
	if len(a.Holders) > 0 {
		text = "held by " + list(len(a.Holders), most, func(i int) string {
			h := a.Holders[i]
			return fmt.Sprintf("%s %s token %d until %d", name(h.Client, most), h.Mode, h.Token, h.ExpiresAt)
		})
	}
	if len(a.Queue) > 0 {
		text += "; waiting: " + list(len(a.Queue), most, func(i int) string {
			return fmt.Sprintf("%s %s", name(a.Queue[i].Client, most), a.Queue[i].Mode)
		})
	}
	return text
}

func clientView(a events.ClientView, most int) string {
	text := "not registered"
	if a.Age > 0 {
		text = fmt.Sprintf("age %d", a.Age)
	}
	if len(a.Holds) > 0 {
		text += "; holds " + list(len(a.Holds), most, func(i int) string {
			h := a.Holds[i]
			return fmt.Sprintf("%s %s token %d until %d", name(h.Lock, most), h.Mode, h.Token, h.ExpiresAt)
		})
	}
	if a.Waiting != "" {
		text += "; waits for " + name(a.Waiting, most)
	}
	return text
}

// effect is an effect in words, without its instant: as it says itself, but with
// names cut.
func effect(e events.Effect, most int) string {
	text := e.Kind.String()
	add := func(said bool, format string, what any) {
		if said {
			text += fmt.Sprintf(format, what)
		}
	}
	grant := e.Kind == events.EffectGranted
	add(e.Lock != "", " %s", name(e.Lock, most))
	add(e.Client != "", " %s", name(e.Client, most))
	add(grant || e.Kind == events.EffectQueued, " %s", e.Mode)
	add(e.Key != "", " key %s", name(e.Key, most))
	add(e.Token != 0, " token %d", e.Token)
	add(e.Position != 0, " position %d", e.Position)
	add(grant || e.Kind == events.EffectRenewed, " until %d", e.ExpiresAt)
	goesWithoutSaying := e.Kind == events.EffectExpired || e.Kind == events.EffectAborted
	add(e.Cause != events.CauseNone && !goesWithoutSaying, " (%s)", e.Cause)
	add(e.Refusal != events.NotRefused, ": %s", strings.TrimPrefix(e.Refusal.String(), "error: "))
	return text
}

// told reports whether an answer says all that an effect says, so that the
// effect needs no line of its own.
func told(e events.Effect, a events.Answer) bool {
	switch a := a.(type) {
	case events.Granted:
		return e.Kind == events.EffectGranted && e.Cause == events.CauseFree
	case events.Queued:
		return e.Kind == events.EffectQueued && len(a.Victims) == 0
	case events.Renewed:
		return e.Kind == events.EffectRenewed
	case events.Done:
		ended := e.Kind == events.EffectReleased || e.Kind == events.EffectWithdrawn
		return e.Kind == events.EffectWritten || ended && e.Cause == events.CauseRelease
	case events.Refusal:
		return e.Kind == events.EffectRefused
	}
	return false
}

// jsonText is a JSON text on one line.
func jsonText(text []byte) string {
	var compact bytes.Buffer
	if err := json.Compact(&compact, text); err != nil {
		return Visible(string(text))
	}
	return Visible(compact.String())
}
