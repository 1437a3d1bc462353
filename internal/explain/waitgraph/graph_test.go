package waitgraph

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/internal/arbitrary"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func after(t require.TestingT, operations ...string) fsm.State {
	state, err := fsm.New(events.Current)
	require.NoError(t, err)
	for _, operation := range operations {
		e, err := events.Current.Parse([]byte(operation))
		require.NoError(t, err)
		state, _ = fsm.Apply(state, e)
	}
	return state
}

// The second example of R18: Z closes a cycle through Y, who holds nothing.
func TestTheCycleAsItStood(t *testing.T) {
	state := after(t, `["acquire",0,"H","L",100]`, `["acquire",1,"Z","M",100]`, `["acquire",2,"Y","L",100]`,
		`["acquire",3,"H","M",100]`, `["acquire",3,"w","other",100]`, `["acquire",3,"v","other",100]`)
	last := events.Acquire{At: 4, Client: "Z", Lock: "L", TTL: 100, Mode: events.Exclusive}
	_, result := fsm.Apply(state, last)
	g := Closing(state.At(4), last, result.Answer.(events.Deadlock).Victims)
	var lines []string
	for i := range g.Edges {
		lines = append(lines, g.Edges[i].Sentence())
	}
	require.Equal(t, []string{
		"Y waits for L, held by H (token 1), on the cycle",
		"Z waits for L, behind Y, on the cycle",
		"H waits for M, held by Z (token 1), on the cycle",
		"v waits for other, held by w (token 1)",
	}, lines)
	require.Equal(t, []Node{
		{Client: "H", Age: 1, OnCycle: true}, {Client: "Y", Age: 3, OnCycle: true, Victim: 1},
		{Client: "Z", Age: 2, OnCycle: true, Victim: 2}, {Client: "v", Age: 5}, {Client: "w", Age: 4},
	}, g.Nodes)
	require.EqualValues(t, 5, g.All)
}

// Whom a client reaches in the graph is whom it reaches over all edges of R16,
// and a state, whose graph has no cycle, has none here (R17).
func TestTheOtherEdgesFollow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		world := arbitrary.Small(t, events.Current)
		world.Repeats = false // their clients are others
		state, err := fsm.New(events.Current)
		require.NoError(t, err)
		for range rapid.IntRange(0, 40).Draw(t, "events") {
			e := world.Event(t, state)
			next, result := fsm.Apply(state, e)
			if a, ok := e.(events.Acquire); ok {
				checkVictims(t, state, a, result.Answer)
			}
			state = next
		}
		g := Of(state)
		edges, all := map[string][]string{}, map[string][]string{}
		for _, e := range g.Edges {
			edges[e.From] = append(edges[e.From], e.To)
		}
		count := 0
		for _, c := range world.Clients {
			all[c] = state.WaitsFor(c)
			count += len(all[c])
		}
		require.EqualValues(t, count, g.All)
		for _, c := range world.Clients {
			require.Equal(t, reach(all, c), reach(edges, c))
			require.False(t, reach(edges, c)[c])
		}
	})
}

// Every victim lay on a cycle, and the first was the youngest there (R18).
func checkVictims(t *rapid.T, before fsm.State, e events.Acquire, answer events.Answer) {
	var victims []string
	switch a := answer.(type) {
	case events.Granted:
		victims = a.Victims
	case events.Queued:
		victims = a.Victims
	case events.Deadlock:
		victims = a.Victims
	}
	if len(victims) == 0 {
		return
	}
	var first Node
	g := Closing(before.At(e.At), e, victims)
	for _, n := range g.Nodes {
		if n.Victim > 0 {
			require.True(t, n.OnCycle)
		}
		if n.Victim == 1 {
			first = n
		}
	}
	for _, n := range g.Nodes {
		require.True(t, !n.OnCycle || n.Age <= first.Age)
	}
}

func picture(t *testing.T, g *Graph) string {
	var b bytes.Buffer
	require.NoError(t, g.WriteSVG(&b, `<title> & "more"`))
	for d := xml.NewDecoder(bytes.NewReader(b.Bytes())); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return b.String()
		} else {
			require.NoError(t, err)
		}
	}
}

// Whatever names are, the picture is XML in which they are text.
func TestNamesCannotBreakThePicture(t *testing.T) {
	state := after(t, `["acquire",0,"</text><script>alert(1)</script>","]]>&\u0000\u001b",100]`, `["acquire",0,"\u202eb\"","]]>&\u0000\u001b",100]`)
	text := picture(t, Of(state))
	require.NotContains(t, text, "<script>")
	require.NotContains(t, text, "\x1b")
	require.NotContains(t, text, "\u202e")
	var dot bytes.Buffer
	require.NoError(t, Of(state).WriteDOT(&dot))
	require.Contains(t, dot.String(), `n1 -> n0 [label="\"]]>&\\u0000\\u001b\", token 1"];`)
}

// A picture has room for so many, and says how many it leaves out.
func TestALargeGraphIsCutHonestly(t *testing.T) {
	operations := []string{`["acquire",0,"holder","L",100]`, `["repeat",0,500,0,["acquire","w{i}","L",100]]`,
		`["repeat",0,100,0,["acquire","h{i}","M{i}",100]]`, `["repeat",0,100,0,["acquire","v{i}","M{i}",100]]`}
	g := Of(after(t, operations...))
	require.Len(t, g.Nodes, 701)
	part := g.Part(MostDrawn)
	require.LessOrEqual(t, len(part.Nodes), MostDrawn)
	require.Equal(t, len(g.Nodes), len(part.Nodes)+part.MissingNodes)
	require.Equal(t, len(g.Edges), len(part.Edges)+part.MissingEdges)
	require.Contains(t, picture(t, g), fmt.Sprintf("NOT DRAWN: %d more clients.", part.MissingNodes))
	require.Equal(t, picture(t, g), picture(t, Of(after(t, operations...))))
	require.Contains(t, picture(t, Of(after(t))), "Nobody waits.")
}

// Victims are never left out for want of room.
func TestVictimsComeFirst(t *testing.T) {
	g := &Graph{}
	for i := range 50 {
		g.Nodes = append(g.Nodes, Node{Client: fmt.Sprintf("c%02d", i), OnCycle: i > 10})
	}
	g.Nodes[40].Victim, g.Nodes[30].Victim = 1, 2
	part := g.Part(2)
	require.Equal(t, []Node{g.Nodes[30], g.Nodes[40]}, part.Nodes)
}

// Who waits stands to the left of those whom it waits for; two clients never
// stand in one place.
func TestLayersFollowTheEdges(t *testing.T) {
	g := Of(after(t, `["repeat",0,20,0,["acquire","h{i}","M{i%5}",100]]`, `["repeat",1,5,0,["acquire","h{i}","M{i+1%5}",100]]`))
	l := arrange(g)
	index := map[string]int{}
	taken := map[[2]int]bool{}
	for i, n := range g.Nodes {
		index[n.Client] = i
	}
	for at := range l.slots {
		place := [2]int{l.slots[at].layer, l.slots[at].y}
		require.False(t, taken[place])
		taken[place] = true
	}
	for i, e := range g.Edges {
		require.False(t, l.back[i])
		require.Greater(t, l.slots[index[e.From]].layer, l.slots[index[e.To]].layer)
	}
}
