package explain

import (
	"fmt"
	"strings"

	"github.com/leasekeeper/leasekeeper/internal/visible"
)

// name is a name as it may stand in a sentence.
func name(text string) string { return visible.Name(text) }

// json is a JSON text as it may stand in a sentence.
func jsonText(text string) string { return visible.Text(text) }

func count(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// how is what brought a lease about, behind a comma.
func (f *Fact) how() string {
	switch f.Cause {
	case "free":
		return ", granted on the spot"
	case "expiry":
		return ", handed over when the lease of " + name(f.Other) + " lapsed"
	case "release":
		return ", handed over when " + name(f.Other) + " released it"
	case "withdrawal":
		return ", granted when " + name(f.Other) + " withdrew the request in front"
	case "abort":
		return ", handed over when " + name(f.Other) + " was aborted to break a deadlock"
	}
	return ""
}

// ending is how a lease ended.
func (f *Fact) ending() string {
	switch f.Cause {
	case "release":
		return "was released"
	case "abort":
		return "was ended by an abort"
	}
	return "lapsed"
}

var _ = define(map[Kind]form{
	"operation": {"", func(f *Fact) string {
		if f.Instant == nil {
			return fmt.Sprintf("Event #%d is %s.", f.Event, jsonText(f.Detail))
		}
		return fmt.Sprintf("Event #%d, at clock %d, is %s.", f.Event, *f.Instant, jsonText(f.Detail))
	}},
	"place": {"", func(f *Fact) string {
		after := fmt.Sprintf("after event #%d", f.Count)
		if f.Count == 0 {
			after = "before the first event"
		}
		if f.Instant == nil {
			return "This is how it stands " + after + "."
		}
		return fmt.Sprintf("This is how it stands at instant %d, %s.", *f.Instant, after)
	}},
	"answer": {"", func(f *Fact) string { return "By the rules its answer is " + jsonText(f.Detail) + "." }},
	"recorded": {"", func(f *Fact) string {
		return "But the history records the answer " + jsonText(f.Detail) + ". What follows explains the answer of the rules."
	}},
	"recorded by another service": {"", func(f *Fact) string {
		return "But another service answered " + jsonText(f.Detail) + ". What follows explains the answer of the rules."
	}},
	"more": {"", func(f *Fact) string { return fmt.Sprintf("Not listed: %d more %s.", f.Count, f.Detail) }},

	"held": {"R2 R5", func(f *Fact) string {
		return fmt.Sprintf("%s holds %s, %s, with token %d until %s, %s%s.",
			name(f.Client), name(f.Lock), f.Mode, f.Token, f.ends(), f.since(), f.how())
	}},
	"waits": {"R4", func(f *Fact) string {
		return fmt.Sprintf("%s waits for %s, %s, at position %d, %s.", name(f.Client), name(f.Lock), f.Mode, f.Position, f.since())
	}},
	"free":       {"R9", func(f *Fact) string { return "Nobody holds " + name(f.Lock) + "." }},
	"was free":   {"R10", func(f *Fact) string { return "Nobody held " + name(f.Lock) + " when the request came." }},
	"never used": {"R5", func(f *Fact) string { return name(f.Lock) + " has never been granted to anybody." }},
	"nobody waits": {"R11", func(f *Fact) string {
		return "Nobody waits for " + name(f.Lock) + ", so there is nobody to hand it to."
	}},
	"head waits": {"R9 R11", func(f *Fact) string {
		why := "an exclusive lease needs a lock that nobody holds"
		if f.Mode == "shared" {
			why = "a shared lease does not fit beside an exclusive one"
		}
		return fmt.Sprintf("Nobody who waits for %s is granted it, because %s at the head of the queue does not fit: %s. Nobody overtakes the head.",
			name(f.Lock), name(f.Client), why)
	}},
	"over": {"R2", func(f *Fact) string {
		text := fmt.Sprintf("%s held %s, %s, with token %d, %s; that lease %s at %s%s",
			name(f.Client), name(f.Lock), f.Mode, f.Token, f.since(), f.ending(), f.ends(), by(f.EndEvent))
		if f.Cause != "expiry" {
			text += fmt.Sprintf(", where it would have lasted until %d", *f.OldEnd)
		}
		return text + "."
	}},
	"handed over": {"R3 R11", func(f *Fact) string {
		return fmt.Sprintf("At that instant, %s, %s got %s, %s, with token %d until %s%s.",
			f.at(), name(f.Client), name(f.Lock), f.Mode, f.Token, f.ends(), by(f.Event))
	}},
	"lapsed": {"R1 R2", func(f *Fact) string {
		return fmt.Sprintf("%s's lease on %s, token %d, lapsed at %s%s.", name(f.Client), name(f.Lock), f.Token, f.at(), by(f.Event))
	}},
	"lapsed elsewhere": {"R1", func(f *Fact) string {
		return fmt.Sprintf("Time moved on with it: %s of other locks lapsed by then.", count(f.Count, "lease", "leases"))
	}},
})

// by is an event behind what it did or brought to light.
func by(event uint64) string {
	if event == 0 {
		return ""
	}
	return fmt.Sprintf(" (#%d)", event)
}

var _ = define(map[Kind]form{
	"no operation": {"R23", func(*Fact) string {
		return "It fails check 1: an operation is a list of at least two elements, a name and an instant."
	}},
	"unknown operation": {"R23 R29", func(f *Fact) string {
		return fmt.Sprintf("It fails check 2: edition %d has no operation %s. Names are compared byte by byte.", f.Count, jsonText(f.Detail))
	}},
	"bad instant": {"R23 R24", func(f *Fact) string {
		return fmt.Sprintf("It fails check 3: %s is not an integer that an instant can be, which is 64 bits and at most %d.", jsonText(f.Detail), f.Mark)
	}},
	"clock went back": {"R26", func(f *Fact) string {
		by := fmt.Sprintf("since #%d", f.Event)
		if f.BeforeEvent > 0 {
			by = fmt.Sprintf("since before #%d", f.BeforeEvent)
		}
		return fmt.Sprintf("It fails check 4: it came with the instant %d, but the clock has stood at %d %s. It changes nothing.", *f.OldEnd, *f.Ends, by)
	}},
	"number of arguments": {"R23", func(f *Fact) string {
		return fmt.Sprintf("It fails check 5: %s has %s behind its instant, but should have %s.", jsonText(f.Detail), count(f.Count, "argument", "arguments"), f.Key)
	}},
	"bad argument": {"R23", func(f *Fact) string {
		return fmt.Sprintf("It fails check 6: argument %d, the %s, is %s; it should be %s.", f.Position, f.Key, jsonText(f.Detail), proper[f.Key])
	}},
	"bad ttl": {"R23 R2", func(f *Fact) string {
		return fmt.Sprintf("It fails check 7: the ttl %s is not between 1 and %d, which is a day.", jsonText(f.Detail), f.Mark)
	}},
	"too much expansion": {"R27", func(f *Fact) string {
		return fmt.Sprintf("It fails check 6: the strings of all runs could take more than %d bytes.", f.Count)
	}},
	"clock stays": {"R1", func(*Fact) string { return "The clock does not move, and no lease lapses because of it." }},
	"clock moved": {"R1", func(f *Fact) string {
		return fmt.Sprintf("The clock has moved to %s all the same, since name and instant were right.", f.at())
	}},
})

// proper is what an argument should be.
var proper = map[string]string{
	"client": text, "lock": text, "key": text, "value": text,
	"mode":     `"exclusive" or "shared"`,
	"ttl":      "an integer without fraction and exponent",
	"token":    "an integer of at least 1, within 64 bits",
	"count":    "an integer from 1 to 100000",
	"step":     "an integer of at least 0, within 64 bits",
	"template": `a list that begins with the name of an operation other than "repeat", with right placeholders`,
}

const text = "a string of at least one character, in valid Unicode"

var _ = define(map[Kind]form{
	"repeat": {"R27", func(f *Fact) string {
		return fmt.Sprintf("It ran %s %s, from %s to %s.", jsonText(f.Detail), count(f.Count, "time", "times"), f.at(), f.ends())
	}},
	"results": {"R27", func(f *Fact) string {
		if f.Detail == "aborted" {
			return fmt.Sprintf("Clients aborted, or values read that are called so: %d.", f.Count)
		}
		return fmt.Sprintf("Answered %s: %s.", visible.Quoted(f.Detail), count(f.Count, "run", "runs"))
	}},
	"effects": {"R27", func(f *Fact) string {
		return fmt.Sprintf("Effects of the kind %s: %d.", f.Detail, f.Count)
	}},
	"run refused": {"R23", func(f *Fact) string {
		about := []string{}
		for _, part := range []struct{ word, name string }{{"client", f.Client}, {"lock", f.Lock}, {"key", f.Key}} {
			if part.name != "" {
				about = append(about, part.word+" "+name(part.name))
			}
		}
		who := ""
		if len(about) > 0 {
			who = " of " + strings.Join(about, ", ")
		}
		return fmt.Sprintf("The run%s at %s was refused: %s.", who, f.at(), strings.TrimPrefix(f.Detail, "error: "))
	}},
})
