package lab

import "fmt"

var fencing = Experiment{
	Name:     "fencing",
	Question: "What does a resource do that compares fencing tokens?",
	Story: `The same pauses, once with a resource that takes every write, and once with one that
keeps the highest token it has seen and refuses a lower one. Two more rows show what a
fence does not do.`,
	Lesson: `The fenced resource refuses A not because A is slow, but because it has seen what
came after A: a comparison of two numbers, with nobody to ask. It knows only what it
has seen. Before B's first write it still takes A's, so who reads before writing
should show its token before reading. And it takes B's write twice, since an equal
token is no older one: who needs each write once has to number the writes as well.`,
	Rules:      []string{"R2", "R5", "R6"},
	HasHistory: true,
	run:        runFencing,
}

func runFencing(b *bench) (*Outcome, error) {
	arena, record, err := newArena(b, "late writes at a plain and at a fenced resource")
	if err != nil {
		return nil, err
	}
	out := &Outcome{History: record, Table: Table{Columns: []Column{
		{Key: "pause_s", Title: "pause", Unit: "s", Digits: 1},
		{Key: "resource", Title: "resource", Left: true},
		{Key: "token_a", Title: "A's token"},
		{Key: "token_b", Title: "B's token"},
		{Key: "writes", Title: "writes, in order", Left: true},
		{Key: "stays", Title: "stays"},
		{Key: "verdict", Title: "verdict", Left: true},
	}}}
	var c claims
	row := func(d duel, order, expected string) {
		kind := map[bool]string{false: "plain", true: "fenced"}[d.fenced]
		name := fmt.Sprintf("%s/%.1fs%s", kind, seconds(d.pause), order)
		f := arena.fight(d, name)
		out.Table.Rows = append(out.Table.Rows, []any{
			seconds(d.pause), kind, token(f.tokenA), token(f.tokenB), f.tried(), f.stays, f.verdict(),
		})
		c.equal(name+": writes, and what stays", expected, f.tried()+": "+f.stays)
		if f.tokenB != 0 {
			c.equal(name+": B's token is higher than A's", true, f.tokenB > f.tokenA)
		}
	}
	for _, fenced := range []bool{false, true} {
		for _, pause := range pauses {
			expected := "A ok: 200"
			switch {
			case pause >= leaseTTL && fenced:
				expected = "B ok, A REFUSED: 100"
			case pause >= leaseTTL:
				expected = "B ok, A ok: 200"
			}
			row(duel{pause: pause, fenced: fenced}, "", expected)
		}
	}
	row(duel{pause: 10_100, fenced: true, order: "AB"}, "/a-before-b", "A ok, B ok: 100")
	row(duel{pause: 10_100, fenced: true, order: "BBA"}, "/b-twice", "B ok, B ok, A REFUSED: 100")
	out.Claims = c
	return out, nil
}
