package explain

import "fmt"

var _ = define(map[Kind]form{
	"registered": {"R15", func(f *Fact) string {
		return fmt.Sprintf("With it %s is registered, with age %d.", name(f.Client), f.Age)
	}},
	"granted": {"R9 R10", func(f *Fact) string {
		return fmt.Sprintf("%s gets %s on the spot, %s, with token %d until %s, which is %s + ttl %d: nobody waits for it, and the request fits beside whoever holds it.",
			name(f.Client), name(f.Lock), f.Mode, f.Token, f.ends(), f.at(), f.TTL)
	}},
	"granted after aborts": {"R11 R20", func(f *Fact) string {
		return fmt.Sprintf("So %s has %s, %s, with token %d until %s, which is %s + ttl %d.",
			name(f.Client), name(f.Lock), f.Mode, f.Token, f.ends(), f.at(), f.TTL)
	}},
	"token": {"R5", func(f *Fact) string {
		if f.Count == 0 {
			return fmt.Sprintf("The token is 1 because this is the first grant of %s.", name(f.Lock))
		}
		return fmt.Sprintf("The token is %d because %s gave out %s before; tokens of a lock go up by one with each grant, for ever.",
			f.Token, name(f.Lock), count(f.Count, "token", "tokens"))
	}},
	"queued": {"R4", func(f *Fact) string {
		return fmt.Sprintf("%s has to wait for %s, %s, at position %d. Its ttl of %d runs from its grant.",
			name(f.Client), name(f.Lock), f.Mode, f.Position, f.TTL)
	}},
	"exclusive waits": {"R9", func(f *Fact) string {
		return fmt.Sprintf("%s wants %s for itself, so it waits for everybody who holds it, %s, and for everybody ahead in the queue.",
			name(f.Client), name(f.Lock), count(f.Count, "client", "clients"))
	}},
	"shared waits": {"R9", func(f *Fact) string {
		return fmt.Sprintf("%s would share %s, but somebody has it for itself.", name(f.Client), name(f.Lock))
	}},
	"no overtaking": {"R10", func(f *Fact) string {
		return fmt.Sprintf("%s would fit beside the holders of %s, but it does not overtake %s, who waits at the head of the queue.",
			name(f.Client), name(f.Lock), name(f.Other))
	}},
	"busy waiting": {"R14", func(f *Fact) string {
		return fmt.Sprintf("%s may not ask for %s, because it waits for %s.", name(f.Client), name(f.Lock), name(f.Detail))
	}},
	"busy holding": {"R14", func(f *Fact) string {
		if f.Lock == f.Detail {
			return fmt.Sprintf("%s may not ask for %s, because it holds it already; a lease is prolonged by a renew, and there is no upgrade.", name(f.Client), name(f.Lock))
		}
		return fmt.Sprintf("%s may not ask for %s, because it holds %s; in this edition a client has one lock at a time.", name(f.Client), name(f.Lock), name(f.Detail))
	}},
	"renewed": {"R2", func(f *Fact) string {
		return fmt.Sprintf("%s's lease on %s, token %d, now ends at %s, which is %s + ttl %d%s. The end counts from the renew; token and mode stay.",
			name(f.Client), name(f.Lock), f.Token, f.ends(), f.at(), f.TTL, f.change())
	}},
	"waits only": {"R2", func(f *Fact) string {
		return fmt.Sprintf("%s does not hold %s, it waits for it.", name(f.Client), name(f.Lock))
	}},
	"holds no longer": {"R1 R2 R7", func(f *Fact) string {
		return fmt.Sprintf("%s held %s once, but has no valid lease on it any more.", name(f.Client), name(f.Lock))
	}},
	"never held": {"R2 R7", func(f *Fact) string {
		return fmt.Sprintf("%s has never held %s.", name(f.Client), name(f.Lock))
	}},
	"not held lately": {"R2 R7", func(f *Fact) string {
		return fmt.Sprintf("%s holds no lease on %s, and no lease of it has ended since event #%d, which is as far back as this looked.", name(f.Client), name(f.Lock), f.BeforeEvent)
	}},
	"released": {"R7", func(f *Fact) string {
		return fmt.Sprintf("%s held %s with token %d, %s; its release ends the lease at %s instead of %d.",
			name(f.Client), name(f.Lock), f.Token, f.since(), f.ends(), *f.OldEnd)
	}},
	"withdrawn": {"R7 R13", func(f *Fact) string {
		return fmt.Sprintf("%s did not hold %s but waited for it, %s; its release takes the request back at %s, and no token is used up.",
			name(f.Client), name(f.Lock), f.since(), f.ends())
	}},
	"holds nothing":     {"R22", func(f *Fact) string { return name(f.Client) + " holds nothing." }},
	"waits for nothing": {"R22", func(f *Fact) string { return name(f.Client) + " waits for nothing." }},
})

// change is the new end of a lease against the old one, behind a semicolon.
func (f *Fact) change() string {
	if f.OldEnd == nil {
		return ""
	}
	switch old, now := *f.OldEnd, *f.Ends; {
	case now > old:
		return fmt.Sprintf("; before, it was to end at %d, %d sooner", old, now-old)
	case now < old:
		return fmt.Sprintf("; before, it was to end at %d, so the renew made it shorter by %d", old, old-now)
	}
	return "; that is when it was to end before"
}

var _ = define(map[Kind]form{
	"age": {"R15", func(f *Fact) string {
		if f.BeforeEvent > 0 {
			return fmt.Sprintf("%s has age %d, from a registration before #%d.", name(f.Client), f.Age, f.BeforeEvent)
		}
		return fmt.Sprintf("%s has age %d, registered at %s.", name(f.Client), f.Age, f.when())
	}},
	"unregistered": {"R15", func(f *Fact) string {
		if f.BeforeEvent > 0 {
			return fmt.Sprintf("%s is not registered: no acquire of it has counted since #%d, which is as far back as this looked, nor has it been aborted.", name(f.Client), f.BeforeEvent)
		}
		return name(f.Client) + " is not registered: no acquire of it has ever passed all checks."
	}},
	"unregistered by abort": {"R15 R19", func(f *Fact) string {
		return fmt.Sprintf("%s is not registered any more: it was aborted at %s to break a deadlock, and has acquired nothing since.", name(f.Client), f.when())
	}},
	"aborted": {"R18 R19", func(f *Fact) string {
		return fmt.Sprintf("%s was aborted at %s to break a deadlock.", name(f.Client), f.when())
	}},
	"deadlock": {"R20", func(f *Fact) string {
		return fmt.Sprintf("%s was aborted itself, so its request for %s is gone and it holds nothing.", name(f.Client), name(f.Lock))
	}},
	"cycle": {"R16 R17", func(f *Fact) string {
		return fmt.Sprintf("When %s joined the queue of %s, a cycle of the wait-for graph was closed; %s lay on one with it.",
			name(f.Client), name(f.Lock), count(f.Count-1, "other client", "other clients"))
	}},
	"edge to a holder": {"R16", func(f *Fact) string {
		return fmt.Sprintf("%s waited for %s, which %s held.", name(f.Client), name(f.Lock), name(f.Other))
	}},
	"edge to the queue": {"R16", func(f *Fact) string {
		return fmt.Sprintf("%s waited for %s, and %s stood ahead of it in the queue.", name(f.Client), name(f.Lock), name(f.Other))
	}},
	"more edges": {"R16", func(*Fact) string { return "Not listed: more edges of the same cycle." }},
	"victim": {"R18 R19", func(f *Fact) string {
		return fmt.Sprintf("%s, with age %d the youngest on a cycle, was aborted at %s.", name(f.Client), f.Age, f.at())
	}},
	"request taken out": {"R19", func(f *Fact) string {
		return fmt.Sprintf("%s's request was taken out of the queue of %s.", name(f.Client), name(f.Lock))
	}},
	"lease ended": {"R19", func(f *Fact) string {
		return fmt.Sprintf("%s's lease on %s, token %d, was ended.", name(f.Client), name(f.Lock), f.Token)
	}},
})
