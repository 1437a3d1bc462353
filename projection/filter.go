package projection

// Filter says which rows are wanted. The zero value passes everything.
type Filter struct {
	// Locks, if any, are the only ones that are followed: the others cost
	// nothing.
	Locks []string
	// Clients, if any, are the only ones whose leases, renewals and waits are
	// passed, and whose writes: those with the token of their lease in force.
	Clients []string
	// From and To are a span of time [From, To) in ticks; both 0 mean all
	// time. A lease or wait is passed if it began before To and had not ended
	// before From; anything else, if it happened in the span.
	From, To int64
}

// filter is a Filter that is asked often.
type filter struct {
	locks, clients map[string]bool
	from, to       int64
	always         bool
}

func newFilter(f Filter) *filter {
	return &filter{
		locks: set(f.Locks), clients: set(f.Clients),
		from: f.From, to: f.To, always: f.From == 0 && f.To == 0,
	}
}

// set is nil if there are no names.
func set(names []string) map[string]bool {
	if len(names) == 0 {
		return nil
	}
	s := make(map[string]bool, len(names))
	for _, n := range names {
		s[n] = true
	}
	return s
}

func (f *filter) lock(name string) bool { return f.locks == nil || f.locks[name] }

func (f *filter) client(name string) bool { return f.clients == nil || f.clients[name] }

// span tells whether a row of some length touches the span of time.
func (f *filter) span(began, ended Moment) bool {
	return f.always || began.Instant < f.to && (!ended.Happened() || ended.Instant >= f.from)
}

// at tells whether an instant lies in the span of time.
func (f *filter) at(ts int64) bool { return f.always || f.from <= ts && ts < f.to }
