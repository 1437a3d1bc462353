package explore

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/leasekeeper/leasekeeper/events"
)

// alphabet is a set of operations that histories are made of when two models
// are to be told apart. Other than moves they do not depend on the state.
type alphabet struct {
	name    string
	letters []letter
	steps   []int64 // by how many ticks an operation may come after the last
	depth   int     // of the longest histories that are worth trying
	weight  int     // as how many operations each counts; 0 is 1
	// interchangeable tells that the clients of the letters are clientNames and
	// have equal parts, so that it is enough to name them in order.
	interchangeable bool
}

// letter is an operation at no instant yet: an event, or the text of one in
// which @ stands for the instant.
type letter struct {
	event  events.Event
	text   string
	client int // the number of the client that it names, or -1
}

// at is the operation at an instant.
func (l letter) at(rules events.Rules, ts int64) events.Event {
	switch e := l.event.(type) {
	case events.Acquire:
		e.At = ts
		return e
	case events.Renew:
		e.At = ts
		return e
	case events.Release:
		e.At = ts
		return e
	case events.Write:
		e.At = ts
		return e
	case events.Read:
		e.At = ts
		return e
	case events.Inspect:
		e.At = ts
		return e
	case events.Status:
		e.At = ts
		return e
	}
	text := strings.Replace(l.text, "@", strconv.FormatInt(ts, 10), 1)
	e, err := rules.Parse([]byte(text))
	if err != nil {
		panic(fmt.Sprintf("explore: a letter that is no JSON: %s", text))
	}
	return e
}

// texts makes letters of texts.
func texts(list ...string) []letter {
	var letters []letter
	for _, text := range list {
		letters = append(letters, letter{text: text, client: -1})
	}
	return letters
}

// leaseLetters are the operations of so many clients on so many locks.
func leaseLetters(clients, locks int, modes []events.Mode, renew bool, ttls ...int64) []letter {
	var letters []letter
	for client := range clients {
		add := func(e events.Event) { letters = append(letters, letter{event: e, client: client}) }
		name := clientNames[client]
		for _, lock := range lockNames[:locks] {
			for _, ttl := range ttls {
				for _, mode := range modes {
					add(events.Acquire{Client: name, Lock: lock, TTL: ttl, Mode: mode})
				}
			}
			for _, ttl := range ttls {
				if renew {
					add(events.Renew{Client: name, Lock: lock, TTL: ttl})
				}
			}
			add(events.Release{Client: name, Lock: lock})
		}
	}
	for _, lock := range lockNames[:locks] {
		letters = append(letters, letter{event: events.Inspect{Lock: lock}, client: -1})
	}
	for client := range clients {
		letters = append(letters, letter{event: events.Status{Client: clientNames[client]}, client: client})
	}
	return letters
}

// storeLetters are the operations of a store under so many locks and keys.
func storeLetters(locks, keys int, tokens ...int64) []letter {
	var letters []letter
	for _, lock := range lockNames[:locks] {
		for _, key := range keyNames[:keys] {
			for _, value := range valueNames[1:] {
				for _, token := range tokens {
					e := events.Write{Lock: lock, Key: key, Value: value, Token: token}
					letters = append(letters, letter{event: e, client: -1})
				}
			}
			letters = append(letters, letter{event: events.Read{Lock: lock, Key: key}, client: -1})
		}
	}
	return letters
}
