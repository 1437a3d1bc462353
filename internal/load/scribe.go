package load

import "strings"

// scribe writes the texts of a load, one behind the other on large pages: an
// event's names lie close together and cost no allocation each.
type scribe struct{ page strings.Builder }

const (
	pageBytes = 64 << 10
	digits    = 7
)

// client is a new copy of the client's name, such as client-0000123.
func (s *scribe) client(number int32) string { return s.name("client-", number) }

// lock is a new copy of the lock's name, such as lock-0000123.
func (s *scribe) lock(number int32) string { return s.name("lock-", number) }

func (s *scribe) name(prefix string, number int32) string {
	var text [digits]byte
	for i := digits - 1; i >= 0; i-- {
		text[i] = byte('0' + number%10)
		number /= 10
	}
	start := s.room(len(prefix) + digits)
	s.page.WriteString(prefix)
	s.page.Write(text[:])
	return s.page.String()[start:]
}

// copied is a new copy of a short text.
func (s *scribe) copied(text string) string {
	start := s.room(len(text))
	s.page.WriteString(text)
	return s.page.String()[start:]
}

// room says where on the page the next text begins. A page never grows: that
// would copy it.
func (s *scribe) room(bytes int) (start int) {
	if s.page.Len()+bytes > s.page.Cap() {
		s.page.Reset()
		s.page.Grow(pageBytes)
	}
	return s.page.Len()
}
