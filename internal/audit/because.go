package audit

import "github.com/leasekeeper/leasekeeper/internal/explain"

// mostBecause is how many sentences say why an answer is required.
const mostBecause = 6

// sayWhy explains the required answer, from the log as a whole.
func (x *examination) sayWhy() {
	if x.base > 0 || x.ctx.Err() != nil {
		return // the past before a snapshot is not in the log
	}
	source, err := explain.NewMemory(x.rules)
	if err != nil {
		panic("audit: " + err.Error()) // the rules have been examined
	}
	for i := range x.Entries[:x.first+1] {
		source.Add(x.Entries[i].Event, nil)
	}
	account, err := explain.Event(source, source.Last(), explain.Options{Most: 3})
	if err != nil {
		return
	}
	x.facts = kindsOf(account)
	for _, f := range account.Facts {
		if f.Kind == "operation" || f.Kind == "answer" || f.Kind == "lapsed elsewhere" {
			continue
		}
		if len(x.report.Because) < mostBecause {
			x.report.Because = append(x.report.Because, f.Text)
		}
	}
}
