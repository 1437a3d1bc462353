package explain

import "fmt"

var _ = define(map[Kind]form{
	"written": {"R6", func(f *Fact) string {
		return fmt.Sprintf("The store takes the value for %s: token %d is the highest that it has accepted for %s.", name(f.Key), f.Token, name(f.Lock))
	}},
	"written and raised": {"R6", func(f *Fact) string {
		before := "none"
		if f.Mark > 0 {
			before = fmt.Sprint(f.Mark)
		}
		return fmt.Sprintf("The store takes the value for %s: token %d is higher than all that it had accepted for %s (highest before: %s), and is the high-water mark now.",
			name(f.Key), f.Token, name(f.Lock), before)
	}},
	"stale": {"R6", func(f *Fact) string {
		return fmt.Sprintf("The store refuses the value for %s: it came with token %d, and the store has accepted token %d for %s.", name(f.Key), f.Token, f.Mark, name(f.Lock))
	}},
	"mark": {"R6", func(f *Fact) string {
		if f.BeforeEvent > 0 {
			return fmt.Sprintf("The high-water mark of %s was %d already before #%d.", name(f.Lock), f.Mark, f.BeforeEvent)
		}
		return fmt.Sprintf("Token %d became the high-water mark of %s at %s, by a write of %s.", f.Mark, name(f.Lock), f.when(), name(f.Key))
	}},
	"late but accepted": {"R6", func(f *Fact) string {
		return fmt.Sprintf("The write is late: the lease of token %d on %s is over. It is accepted because nobody has written with a higher token; the store never looks at leases.", f.Token, name(f.Lock))
	}},
	"never granted": {"R5 R6", func(f *Fact) string {
		return fmt.Sprintf("Nobody was ever granted token %d of %s: it has given out %s. Holders with lower tokens are stale once the store has accepted it.",
			f.Token, name(f.Lock), count(f.Count, "token", "tokens"))
	}},
	"owner unknown": {"R5", func(f *Fact) string {
		return fmt.Sprintf("Whose token %d of %s was is not known: its lease was over before #%d, which is as far back as this looked.", f.Token, name(f.Lock), f.BeforeEvent)
	}},
	"value": {"R6", func(f *Fact) string {
		if f.BeforeEvent > 0 {
			return fmt.Sprintf("The value of %s under %s was written before #%d.", name(f.Key), name(f.Lock), f.BeforeEvent)
		}
		return fmt.Sprintf("The value of %s under %s was written last at %s, with token %d.", name(f.Key), name(f.Lock), f.when(), f.Token)
	}},
	"no value": {"R6", func(f *Fact) string {
		return fmt.Sprintf("The store has never accepted a value for %s under %s.", name(f.Key), name(f.Lock))
	}},
})
