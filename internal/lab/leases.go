package lab

import "fmt"

var leases = Experiment{
	Name:     "lease",
	Question: "What if the holder of a lease is paused for longer than the lease?",
	Story: `A takes a lease of 10 s and is paused. When it wakes up, B has just asked for the
lock, and has written 100 if it got it. A, for which no time has passed, writes 200.`,
	Lesson: `A pause that is a tenth of a second too long makes two clients write, each with a
good reason, and the older value stays. No answer of the service was wrong: A's lease
was over, B's had begun. What is over for the service is not over in A's memory.`,
	Rules:      []string{"R2", "R3", "R13"},
	HasHistory: true,
	run:        runLeases,
}

func runLeases(b *bench) (*Outcome, error) {
	arena, record, err := newArena(b, "leases of 10 s and pauses")
	if err != nil {
		return nil, err
	}
	out := &Outcome{History: record, Table: Table{Columns: []Column{
		{Key: "pause_s", Title: "pause", Unit: "s", Digits: 1},
		{Key: "b_acquired", Title: "B gets the lock", Left: true},
		{Key: "writers", Title: "writers", Left: true},
		{Key: "stays", Title: "value that stays"},
		{Key: "verdict", Title: "verdict", Left: true},
	}}}
	var c claims
	for _, pause := range pauses {
		f := arena.fight(duel{pause: pause}, fmt.Sprintf("lease/%.1fs", seconds(pause)))
		out.Table.Rows = append(out.Table.Rows, []any{seconds(pause), f.tokenB != 0, f.writers(), f.stays, f.verdict()})
		over := pause >= leaseTTL
		who := map[bool]string{false: "A", true: "BA"}[over]
		verdict := map[bool]string{false: "safe", true: "SPLIT BRAIN"}[over]
		about := fmt.Sprintf("pause of %.1f s: ", seconds(pause))
		c.equal(about+"B gets the lock", over, f.tokenB != 0)
		c.equal(about+"who writes, and the value that stays", who+" "+valueOfA, f.writers()+" "+f.stays)
		c.equal(about+"verdict", verdict, f.verdict())
	}
	out.Claims = c
	return out, nil
}
