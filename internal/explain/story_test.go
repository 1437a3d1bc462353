package explain

import (
	"strings"
	"testing"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/internal/arbitrary"
	"github.com/stretchr/testify/require"
)

// story is a history of the given operations, under the rules in force.
func story(t *testing.T, operations ...string) *tale {
	return storyOf(t, events.Current, operations...)
}

func storyOf(t *testing.T, rules events.Rules, operations ...string) *tale {
	source, err := NewMemory(rules)
	require.NoError(t, err)
	state, _ := source.State(0)
	s := &tale{world: arbitrary.World{Rules: rules}, source: source, states: []fsm.State{state}, done: [][]events.Effect{nil}}
	for _, operation := range operations {
		e, err := rules.Parse([]byte(operation))
		require.NoError(t, err)
		var result events.Result
		state, result = fsm.Apply(state, e)
		source.Add(e, nil)
		s.states, s.done, s.events = append(s.states, state), append(s.done, result.Effects), append(s.events, e)
	}
	return s
}

// last are the sentences about the last event, behind what was asked and
// answered.
func (s *tale) last(t *testing.T) []string {
	account, err := Event(s.source, s.source.Last(), Options{})
	require.NoError(t, err)
	return account.Texts()[2:]
}

// Every answer and every refusal is explained by the rules that decide it.
func TestEachAnswerHasItsRules(t *testing.T) {
	two := events.Rules{Edition: events.Edition2, Unit: events.Second}
	held := `["acquire",0,"a","L",10]`
	for _, test := range []struct {
		name  string
		rules events.Rules
		tale  []string
		cites []string
		says  string
	}{
		{"granted on the spot", events.Current, []string{held}, []string{"R5", "R9", "R10", "R15"}, "gets L on the spot"},
		{"granted beside others", events.Current, []string{`["acquire",0,"a","L",10,"shared"]`, `["acquire",1,"b","L",10,"shared"]`}, []string{"R9"}, "a holds L, shared"},
		{"granted again", events.Current, []string{held, `["release",1,"a","L"]`, `["acquire",2,"b","L",10]`}, []string{"R5"}, "that lease was released at 1 (#2), where it would have lasted until 10"},
		{"queued", events.Current, []string{held, `["acquire",1,"b","L",5]`}, []string{"R4", "R9"}, "at position 1"},
		{"no overtaking", events.Current, []string{`["acquire",0,"a","L",10,"shared"]`, `["acquire",1,"b","L",5]`, `["acquire",2,"c","L",5,"shared"]`}, []string{"R10"}, "it does not overtake b"},
		{"reader behind a writer", events.Current, []string{held, `["acquire",2,"c","L",5,"shared"]`}, []string{"R9"}, "somebody has it for itself"},
		{"renewed shorter", events.Current, []string{held, `["renew",1,"a","L",5]`}, []string{"R2"}, "so the renew made it shorter by 4"},
		{"renewed longer", events.Current, []string{held, `["renew",1,"a","L",15]`}, []string{"R2"}, "before, it was to end at 10, 6 sooner"},
		{"renewed to the same end", events.Current, []string{held, `["renew",1,"a","L",9]`}, []string{"R2"}, "that is when it was to end before"},
		{"renew by a waiter", events.Current, []string{held, `["acquire",1,"b","L",5]`, `["renew",2,"b","L",5]`}, []string{"R2", "R4"}, "b does not hold L, it waits for it"},
		{"renew too late", events.Current, []string{held, `["acquire",1,"b","L",5]`, `["renew",10,"a","L",5]`}, []string{"R2", "R3"}, "At that instant, 10, b got L"},
		{"never held", events.Current, []string{held, `["release",1,"b","L"]`}, []string{"R7"}, "b has never held L"},
		{"released, handed over", events.Current, []string{held, `["acquire",1,"b","L",5]`, `["release",2,"a","L"]`}, []string{"R3", "R7"}, "At that instant, 2, b got L"},
		{"released, nobody waits", events.Current, []string{held, `["release",2,"a","L"]`}, []string{"R7", "R11"}, "Nobody waits for L"},
		{"released, others hold on", events.Current, []string{`["acquire",0,"a","L",10,"shared"]`, `["acquire",1,"b","L",10,"shared"]`, `["acquire",2,"c","L",5]`, `["release",3,"a","L"]`}, []string{"R9", "R11"}, "c at the head of the queue does not fit"},
		{"withdrawn", events.Current, []string{`["acquire",0,"a","L",10,"shared"]`, `["acquire",1,"b","L",5]`, `["acquire",2,"c","L",5,"shared"]`, `["release",3,"b","L"]`}, []string{"R13", "R11"}, "At that instant, 3, c got L"},
		{"busy waiting", events.Current, []string{held, `["acquire",1,"b","L",5]`, `["acquire",2,"b","M",5]`}, []string{"R14"}, "because it waits for L"},
		{"busy holding", events.Current, []string{held, `["acquire",1,"a","L",5]`}, []string{"R14"}, "because it holds it already"},
		{"one lock at a time", two, []string{held, `["acquire",1,"a","M",5]`}, []string{"R8"}, "because it holds L"},
		{"deadlock, the other one goes", events.Current, []string{held, `["acquire",1,"b","M",50]`, `["acquire",2,"b","L",5]`, `["acquire",3,"a","M",5]`}, []string{"R16", "R17", "R18", "R19", "R20"}, "b, with age 2 the youngest on a cycle, was aborted"},
		{"deadlock, it goes itself", events.Current, []string{held, `["acquire",1,"b","M",50]`, `["acquire",2,"a","M",5]`, `["acquire",3,"b","L",5]`}, []string{"R18", "R20"}, "b was aborted itself"},
		{"queued after aborts", events.Current, []string{`["acquire",0,"c","M",100,"shared"]`, `["acquire",0,"d","L",100]`, `["acquire",1,"e","M",100,"shared"]`, `["acquire",2,"e","L",100]`, `["acquire",3,"d","M",100]`}, []string{"R4", "R18"}, "d has to wait for M"},
		{"written", events.Current, []string{held, `["write",1,"L","k","v",1]`, `["write",2,"L","k","v",1]`}, []string{"R6"}, "token 1 is the highest that it has accepted"},
		{"written late", events.Current, []string{held, `["write",20,"L","k","v",1]`}, []string{"R6"}, "The write is late"},
		{"written with nobody's token", events.Current, []string{held, `["write",1,"L","k","v",7]`}, []string{"R5", "R6"}, "Nobody was ever granted token 7"},
		{"stale", events.Current, []string{held, `["acquire",1,"b","L",9]`, `["write",10,"L","k","v",2]`, `["write",11,"L","k","v",1]`}, []string{"R6"}, "Token 2 became the high-water mark of L at 10 (#3)"},
		{"read", events.Current, []string{`["write",0,"L","k","v",1]`, `["read",1,"L","k"]`}, []string{"R6"}, "was written last at 0 (#1), with token 1"},
		{"read nothing", events.Current, []string{`["read",1,"L","k"]`}, []string{"R6"}, "never accepted a value for k"},
		{"inspect", events.Current, []string{held, `["inspect",10,"L"]`}, []string{"R1", "R2", "R9"}, "Nobody holds L"},
		{"inspect what nobody used", events.Current, []string{`["inspect",10,"L"]`}, []string{"R5"}, "has never been granted"},
		{"status", events.Current, []string{held, `["status",1,"a"]`}, []string{"R15", "R22"}, "a has age 1, registered at 0 (#1)"},
		{"status of one who lost it", events.Current, []string{held, `["acquire",1,"b","L",5]`, `["status",12,"a"]`}, []string{"R2", "R3", "R22"}, "that lease lapsed at 10 (#3)"},
		{"status of nobody", events.Current, []string{held, `["status",1,"b"]`}, []string{"R15"}, "b is not registered"},
		{"repeat", events.Current, []string{`["repeat",0,3,3,["acquire","j{i%2}","L",10]]`}, []string{"R27", "R14"}, "It ran"},
		{"no operation", events.Current, []string{`{}`}, []string{"R23"}, "check 1"},
		{"unknown operation", events.Current, []string{`["lock",1]`}, []string{"R23", "R29"}, "check 2"},
		{"status in edition 2", two, []string{`["status",1,"a"]`}, []string{"R29"}, "edition 2 has no operation"},
		{"bad instant", events.Current, []string{`["inspect",1.5,"L"]`}, []string{"R24"}, "check 3"},
		{"clock went back", events.Current, []string{held, `["inspect",7,"L"]`, `["inspect",3,"L"]`}, []string{"R26"}, "has stood at 7 since #2"},
		{"number of arguments", events.Current, []string{`["inspect",1]`}, []string{"R23", "R1"}, "check 5"},
		{"bad string", events.Current, []string{`["inspect",1,"\ud800"]`}, []string{"R23", "R25"}, "argument 1, the lock"},
		{"type before range", events.Current, []string{`["acquire",6,"a","L",0,"both"]`}, []string{"R23", "R9"}, "argument 4, the mode"},
		{"ttl that is no integer", events.Current, []string{`["acquire",6,"a","L",6e1]`}, []string{"R24"}, "argument 3, the ttl"},
		{"token below 1", events.Current, []string{`["write",6,"L","k","v",0]`}, []string{"R24"}, "argument 4, the token"},
		{"bad ttl", events.Current, []string{`["renew",6,"a","L",86401]`}, []string{"R2", "R23"}, "not between 1 and 86400"},
		{"repeat with a hand-over", events.Current, []string{`["acquire",0,"A","P",130]`, `["repeat",120,3,5,["acquire","z{i}","P",150]]`}, []string{"R2", "R3", "R27"}, "z0 got P, exclusive, with token 2 until 280"},
		{"bad template", events.Current, []string{`["repeat",0,1,0,["inspect","L{i%0}"]]`}, []string{"R27"}, "argument 3, the template"},
		{"too much expansion", events.Current, []string{`["repeat",0,100000,0,["inspect","` + strings.Repeat("x", 700) + `"]]`}, []string{"R27"}, "67108864"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := storyOf(t, test.rules, test.tale...)
			texts := strings.Join(s.last(t), "\n")
			require.Contains(t, texts, test.says)
			for _, rule := range test.cites {
				require.Regexp(t, `[( ]`+rule+`[,)]`, texts)
			}
		})
	}
}

// An answer that differs from the recorded one is told beside it.
func TestBothAnswersAreTold(t *testing.T) {
	source, err := NewMemory(events.Current)
	require.NoError(t, err)
	source.Add(events.Acquire{Client: "a", Lock: "L", TTL: 5, Mode: events.Exclusive}, []byte(`["granted", 2, 5]`))
	account, err := Event(source, 1, Options{})
	require.NoError(t, err)
	require.True(t, account.Differs)
	require.Equal(t, `By the rules its answer is ["granted",1,5].`, account.Texts()[1])
	require.Equal(t, `But the history records the answer ["granted", 2, 5]. What follows explains the answer of the rules.`, account.Texts()[2])
}

// A hostile name cannot do anything to a terminal, nor pass for two.
func TestNamesInSentencesAreVisible(t *testing.T) {
	texts := strings.Join(story(t, `["acquire",0,"\u001b[31mred","two words",10]`).last(t), "\n")
	require.Contains(t, texts, `"\u001b[31mred" gets "two words" on the spot`)
	require.NotContains(t, texts, "\x1b")
}
