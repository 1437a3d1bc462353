package history

// Weights are written down against a sum of about a hundred.
var (
	lively = [paces]int{stay: 76, tick: 11, meet: 5, jump: 3, leap: 2, back: 2}
	still  = [paces]int{stay: 90, tick: 6, meet: 2, jump: 1}
	hasty  = [paces]int{stay: 40, tick: 16, meet: 18, jump: 14, leap: 10, back: 2}
	nights = [paces]int{stay: 60, tick: 10, meet: 6, jump: 3, leap: 6, night: 12, back: 2}

	terms1 = [terms]int{usual: 70, brief: 10, together: 15, day: 3}

	mixedModes = []int{0, 20, 50, 50, 80, 100}
)

var profiles = []Profile{
	{"contention", "clients queue for a few locks, renew, release and give up", []*focus{contention}},
	{"shared", "readers and writers share locks and their queues", []*focus{sharing}},
	{"deadlock", "transactions that hold several locks wait for each other in circles", []*focus{deadlock}},
	{"expiry", "leases lapse in chains, and somebody is there at the very instant", []*focus{expiry}},
	{"idle", "nights on which nobody comes", []*focus{idle}},
	{"store", "writes with newest, stale and invented tokens, and reads", []*focus{store}},
	{"mistakes", "operations that are refused: bad shapes, types, numbers, names and instants", []*focus{mistakes}},
	{"wide", "many clients and many locks", []*focus{wide}},
	{"everything", "all of these", []*focus{
		mixture, mixture, mixture, contention, sharing, deadlock, deadlock, expiry, idle, store, mistakes, wide,
	}},
}

var (
	contention = &focus{
		clients: span{2, 7}, locks: span{1, 3}, odd: 10, early: 5,
		actions: [actions]int{
			ask: 14, contend: 30, askBusy: 4, renew: 10, renewOther: 3, release: 12, withdraw: 8, releaseOther: 2,
			meetEnd: 4, inspect: 6, status: 3, comeBack: 1,
		},
		paces: lively, terms: terms1, shared: []int{0, 0, 20},
	}
	sharing = &focus{
		clients: span{3, 9}, locks: span{1, 3}, odd: 10, early: 5,
		actions: [actions]int{
			ask: 24, contend: 26, askBusy: 3, renew: 9, renewOther: 1, release: 10, withdraw: 8,
			meetEnd: 5, inspect: 10, status: 2, closeCycle: 2,
		},
		paces: lively, terms: terms1, shared: []int{30, 50, 70, 85, 95},
	}
	deadlock = &focus{
		clients: span{2, 8}, locks: span{2, 6}, odd: 25, early: 3,
		actions: [actions]int{
			ask: 22, contend: 14, nest: 18, closeCycle: 16, comeBack: 6, askBusy: 2, renew: 3, release: 4, withdraw: 2,
			meetEnd: 2, inspect: 6, status: 8, write: 4, writeStale: 3, repeat: 3,
		},
		paces: still, terms: terms1, shared: mixedModes,
	}
	expiry = &focus{
		clients: span{2, 8}, locks: span{1, 4}, odd: 5, early: 10,
		actions: [actions]int{
			ask: 20, contend: 30, nest: 3, renew: 6, release: 3, withdraw: 2, releaseOther: 2, meetEnd: 16,
			inspect: 10, status: 4, write: 2,
		},
		paces: hasty, terms: [terms]int{usual: 50, brief: 22, together: 24, day: 2}, shared: []int{0, 20, 50},
	}
	idle = &focus{
		clients: span{2, 5}, locks: span{1, 4}, odd: 5, early: 10,
		actions: [actions]int{
			ask: 34, contend: 12, nest: 2, renew: 5, release: 6, releaseOther: 3, meetEnd: 6, write: 12, writeStale: 5,
			read: 6, inspect: 6, status: 6,
		},
		paces: nights, terms: [terms]int{usual: 60, brief: 10, together: 10, day: 15}, shared: []int{0, 0, 40},
	}
	store = &focus{
		clients: span{2, 4}, locks: span{1, 4}, odd: 10, early: 3,
		actions: [actions]int{
			ask: 20, contend: 5, renew: 2, release: 8, meetEnd: 4, write: 18, writeStale: 12, writeAhead: 6, writeHuge: 5,
			read: 18, inspect: 2, repeat: 2,
		},
		paces: lively, terms: terms1, shared: []int{0, 30},
	}
	mistakes = &focus{
		clients: span{2, 5}, locks: span{1, 3}, odd: 50, early: 25,
		actions: [actions]int{
			ask: 18, contend: 8, nest: 2, askBusy: 4, renew: 4, renewOther: 3, release: 3, releaseOther: 3, meetEnd: 3,
			write: 3, writeStale: 2, writeHuge: 2, read: 2, inspect: 4, status: 8, repeat: 5, mistake: 26,
		},
		paces: [paces]int{stay: 60, tick: 12, meet: 8, jump: 3, leap: 3, back: 12}, terms: terms1, shared: mixedModes,
	}
	wide = &focus{
		clients: span{20, 60}, locks: span{8, 30}, odd: 10, early: 3,
		actions: [actions]int{
			ask: 40, contend: 20, nest: 10, closeCycle: 5, comeBack: 1, renew: 5, release: 6, withdraw: 3, meetEnd: 3,
			write: 4, read: 2, inspect: 4, status: 4, repeat: 1,
		},
		paces: lively, terms: terms1, shared: mixedModes,
	}
	mixture = &focus{
		clients: span{2, 8}, locks: span{1, 5}, odd: 25, early: 10,
		actions: [actions]int{
			ask: 20, contend: 14, nest: 7, closeCycle: 6, comeBack: 3, askBusy: 2, renew: 6, renewOther: 2, release: 6,
			withdraw: 4, releaseOther: 2, meetEnd: 4, write: 4, writeStale: 2, writeAhead: 1, writeHuge: 1, read: 3,
			inspect: 5, status: 6, repeat: 4, mistake: 5,
		},
		paces: [paces]int{stay: 74, tick: 10, meet: 5, jump: 3, leap: 2, night: 1, back: 3}, terms: terms1, shared: mixedModes,
	}
)
