package fsm

// cycle returns the clients on the cycles through a client that waits, in no
// meaningful order, and none if there is no cycle (R18).
//
// It walks the graph from the client in both directions, one edge here, one
// edge there, until one side has no more: every member of a cycle is on both
// sides, so the smaller one contains them all. Ruling a cycle out therefore
// costs twice the smaller side. Nothing recurses, so the length of a chain is
// bounded by memory only.
func (m *Machine) cycle(who uint32) []uint32 {
	if _, awaited := m.blocked(who, &cursor{}); !awaited {
		return nil // as with most clients; found without looking at anybody
	}
	ahead := newSearch(who, m.blockers)
	behind := newSearch(who, m.blocked)
	for {
		if !behind.step() {
			m.visited += behind.found() + ahead.found()
			return behind.members()
		}
		if !ahead.step() {
			m.visited += behind.found() + ahead.found()
			return ahead.members()
		}
	}
}

// reaches tells whether one client waits, directly or through others, for
// another (R16). It walks from lock to lock: who waits for a lock waits for its
// holders, and whoever is ahead in its queue waits for the same holders.
func (m *Machine) reaches(from, to uint32) bool {
	target := m.clients.at(to)
	todo := []uint32{from}
	seen := map[uint32]bool{}
	for len(todo) > 0 {
		c := m.clients.at(todo[len(todo)-1])
		todo = todo[:len(todo)-1]
		if c.waits == 0 {
			continue
		}
		if target.token(c.waits) != 0 || target.waits == c.waits && target.ticket < c.ticket {
			return true
		}
		if seen[c.waits] {
			continue
		}
		seen[c.waits] = true
		for h := range m.locks.at(c.waits).leases() {
			todo = append(todo, h.client)
		}
	}
	return false
}

// search is a breadth-first walk of the graph in one direction.
type search struct {
	edges func(c uint32, at *cursor) (next uint32, more bool)
	// clients lists what was found, in the order in which it was found: a
	// client's place in it is its number within the search, the start's is 0.
	clients []uint32
	place   map[uint32]int32
	next    int // the client whose edges are being walked
	at      cursor
	// into lists, for each client, the edges that were walked to it: a chain
	// through links, beginning at the last.
	into  []int32
	links []link
}

// link is one walked edge, from a client of the search, and the next edge into
// the same client.
type link struct{ from, next int32 }

const noLink = -1

func newSearch(start uint32, edges func(uint32, *cursor) (uint32, bool)) *search {
	return &search{
		edges: edges, clients: []uint32{start}, into: []int32{noLink},
	}
}

// found is how many clients were found beside the start.
func (s *search) found() int { return len(s.clients) - 1 }

// step walks one edge; false means that there was none left.
func (s *search) step() bool {
	for s.next < len(s.clients) {
		client, more := s.edges(s.clients[s.next], &s.at)
		if !more {
			s.next, s.at = s.next+1, cursor{}
			continue
		}
		if client != 0 {
			s.walk(client)
		}
		return true
	}
	return false
}

// walk records an edge from the current client.
func (s *search) walk(to uint32) {
	if s.place == nil {
		s.place = map[uint32]int32{s.clients[0]: 0}
	}
	place, seen := s.place[to]
	if !seen {
		place = int32(len(s.clients))
		s.place[to] = place
		s.clients = append(s.clients, to)
		s.into = append(s.into, noLink)
	}
	s.links = append(s.links, link{from: int32(s.next), next: s.into[place]})
	s.into[place] = int32(len(s.links) - 1)
}

// members returns those of the clients found that lead back to the start:
// walking the recorded edges backwards from it finds them.
func (s *search) members() []uint32 {
	if s.into[0] == noLink {
		return nil
	}
	onCycle := make([]bool, len(s.clients))
	onCycle[0] = true
	todo := []int32{0}
	var members []uint32
	for len(todo) > 0 {
		place := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		members = append(members, s.clients[place])
		for at := s.into[place]; at != noLink; at = s.links[at].next {
			if from := s.links[at].from; !onCycle[from] {
				onCycle[from] = true
				todo = append(todo, from)
			}
		}
	}
	return members
}
