package explain

import (
	"github.com/leasekeeper/leasekeeper/events"
)

// tally explains a repeat: its answers by number, and what its runs did that
// somebody else noticed.
func (a *account) tally(e events.Repeat) {
	last, _ := e.RunAt(e.Count - 1)
	a.add("repeat", Fact{
		Count: e.Count, Event: a.result.Sequence, Instant: &e.At, Ends: &last, Detail: shortened([]byte(e.Template)),
	})
	results := a.result.Answer.(events.Tally).Results
	for i, row := range results {
		if i == a.most {
			break
		}
		a.add("results", Fact{Count: row.Times, Detail: shortened([]byte(row.Answer))})
	}
	a.more(len(results)-a.most, "different answers")
	a.within()
}

// within counts the effects of a repeat by kind and tells the first that took
// something from somebody: aborts, lapses and refusals.
func (a *account) within() {
	counts := map[events.EffectKind]int64{}
	for _, e := range a.result.Effects {
		counts[e.Kind]++
	}
	for kind := events.EffectGranted; kind <= events.EffectRefused; kind++ {
		if counts[kind] > 0 {
			a.add("effects", Fact{Count: counts[kind], Detail: kind.String()})
		}
	}
	told := 0
	for i, e := range a.result.Effects {
		switch e.Kind {
		case events.EffectAborted, events.EffectExpired, events.EffectRefused:
			if told++; told <= a.most {
				a.effect(&e)
				if e.Kind == events.EffectExpired {
					a.grants(&e, grantsAfter(a.result.Effects[i+1:]))
				}
			}
		}
	}
	a.more(told-a.most, "aborts, lapses and refusals")
}

func (a *account) effect(e *events.Effect) {
	f := a.origin(Fact{Lock: e.Lock, Client: e.Client, Token: e.Token, Key: e.Key, Detail: e.Refusal.String()}, e)
	switch e.Kind {
	case events.EffectAborted:
		a.add("aborted", f)
	case events.EffectExpired:
		a.add("lapsed", f)
	case events.EffectRefused:
		f.Rules = rulesOf(e.Refusal, a.state.Rules())
		a.add("run refused", f)
	}
}

// rulesOf are the rules that a refusal cites.
func rulesOf(r events.Refusal, rules events.Rules) []string {
	switch r {
	case events.UnknownOperation:
		return []string{"R23", "R29"}
	case events.ClockWentBack:
		return []string{"R26"}
	case events.InvalidTTL:
		return []string{"R2", "R23"}
	case events.ClientBusy:
		if rules.Edition < events.Edition3 {
			return []string{"R8"}
		}
		return []string{"R14"}
	case events.NotHolder:
		return []string{"R2", "R7"}
	case events.StaleToken:
		return []string{"R6"}
	}
	return []string{"R23", "R24", "R25", "R27", "R28"}
}
