package lab

var clientCheck = Experiment{
	Name:     "client-check",
	Question: "Is it enough that the client checks its token before it writes?",
	Story: `A pause of 10.1 s again, and a lease of 10 s. A asks the service whether it still
holds the lock, and writes if the answer is yes. In the second row the pause comes
between the answer and the write.`,
	Lesson: `The first row looks like a cure, and is luck: nothing happened between the check and
the write. Something that is true when it is checked need not be true when it is used.
The check has to be one step with the write, so it belongs to the resource, which puts
the writes in order anyway.`,
	Rules:      []string{"R2", "R6", "R21"},
	HasHistory: true,
	run:        runClientCheck,
}

func runClientCheck(b *bench) (*Outcome, error) {
	arena, record, err := newArena(b, "a check of the client's own, and a pause behind it")
	if err != nil {
		return nil, err
	}
	out := &Outcome{History: record, Table: Table{Columns: []Column{
		{Key: "design", Title: "design", Left: true},
		{Key: "writers", Title: "writers", Left: true},
		{Key: "stays", Title: "value that stays"},
		{Key: "verdict", Title: "verdict", Left: true},
	}}}
	var c claims
	for _, test := range []struct {
		design, lock string
		duel
		expected string
	}{
		{"A is paused, checks, writes", "check/after", duel{check: checkAfterPause}, "B 100 safe"},
		{"A checks, is paused, writes", "check/before", duel{check: checkBeforePause}, "BA 200 SPLIT BRAIN"},
		{"the resource checks", "check/resource", duel{fenced: true}, "B 100 safe"},
	} {
		test.pause = 10_100
		f := arena.fight(test.duel, test.lock)
		out.Table.Rows = append(out.Table.Rows, []any{test.design, f.writers(), f.stays, f.verdict()})
		c.equal(test.design+": writers, value, verdict", test.expected, f.writers()+" "+f.stays+" "+f.verdict())
	}
	out.Claims = c
	return out, nil
}
