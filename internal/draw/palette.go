package draw

import "hash/fnv"

// Palette paints texts for a terminal. A field that is nil leaves its texts as
// they are. Nothing is told by colour alone.
type Palette struct {
	Title, Dim, Good, Alarm func(string) string
	// Clients are colours for leases: those of one client have one colour.
	Clients []func(string) string
}

func (p *Palette) client(name string) func(string) string {
	if len(p.Clients) == 0 {
		return nil
	}
	return p.Clients[colourOf(name, len(p.Clients))]
}

// colourOf is one of n colours for a name, always the same.
func colourOf(name string, n int) int {
	h := fnv.New32a()
	_, _ = h.Write([]byte(name))
	return int(h.Sum32() % uint32(n))
}

func paint(how func(string) string, text string) string {
	if how == nil || text == "" {
		return text
	}
	return how(text)
}
