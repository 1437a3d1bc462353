package explain

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// Kind says what a fact is about.
type Kind string

// Fact is one thing that explains. Fields that a kind does not use are left out.
// Instants and lengths are in ticks.
type Fact struct {
	Kind Kind `json:"kind"`
	// Rules are those that decide it, such as R3.
	Rules []string `json:"rules"`
	// Event is the one that it goes back to: that did it, or brought it to
	// light. It is 0 if no event has noticed yet, and if BeforeEvent is set.
	Event uint64 `json:"event,omitempty"`
	// BeforeEvent means that it goes back to some event before that one, which
	// is the first that was looked at.
	BeforeEvent uint64 `json:"before_event,omitempty"`
	Instant     *int64 `json:"instant,omitempty"`

	Lock     string `json:"lock,omitempty"`
	Client   string `json:"client,omitempty"`
	Other    string `json:"other_client,omitempty"`
	Mode     string `json:"mode,omitempty"`
	Token    int64  `json:"token,omitempty"`
	Mark     int64  `json:"mark,omitempty"` // a token to compare with
	Ends     *int64 `json:"expires_at,omitempty"`
	OldEnd   *int64 `json:"old_expires_at,omitempty"`
	EndEvent uint64 `json:"end_event,omitempty"` // the event that ended it
	TTL      int64  `json:"ttl,omitempty"`
	Position int    `json:"position,omitempty"`
	Age      int64  `json:"age,omitempty"`
	Count    int64  `json:"count,omitempty"`
	Key      string `json:"key,omitempty"`
	Cause    string `json:"cause,omitempty"`
	// Detail is a JSON text, or a word from the rules.
	Detail string `json:"detail,omitempty"`

	// Text is the sentence.
	Text string `json:"text"`
}

// Account is an explanation: the facts in the order in which they are told.
type Account struct {
	Facts []Fact `json:"facts"`
	// Differs tells that the history records another answer than the rules give.
	Differs bool `json:"differs"`
}

// Texts are the sentences.
func (a *Account) Texts() (list []string) {
	for i := range a.Facts {
		list = append(list, a.Facts[i].Text)
	}
	return list
}

// form is how a kind of fact is told, and the rules that usually decide it.
type form struct {
	rules string
	say   func(f *Fact) string
}

// forms are all kinds of facts.
var forms = map[Kind]form{}

// define adds kinds of facts. Each file of sentences does so once.
func define(kinds map[Kind]form) struct{} {
	for kind, f := range kinds {
		if _, twice := forms[kind]; twice {
			panic("explain: two forms of " + string(kind))
		}
		forms[kind] = f
	}
	return struct{}{}
}

// tell completes a fact with its rules and its sentence.
func tell(kind Kind, f Fact) Fact {
	form, known := forms[kind]
	if !known {
		panic("explain: no form of " + string(kind))
	}
	f.Kind = kind
	if f.Rules == nil {
		f.Rules = strings.Fields(form.rules)
	}
	f.Text = form.say(&f)
	if len(f.Rules) > 0 {
		f.Text += " (" + strings.Join(f.Rules, ", ") + ")"
	}
	return f
}

// Since is since when, by which event and how it came to what a fact of the kind
// held or waits tells, in words.
func (f *Fact) Since() string { return f.since() + f.how() }

// since is when and by which event something began, in words.
func (f *Fact) since() string { return "since " + f.when() }

// when is when and by which event something happened, in words.
func (f *Fact) when() string {
	if f.BeforeEvent > 0 {
		return fmt.Sprintf("some time before #%d", f.BeforeEvent)
	}
	return f.at() + f.by()
}

// at is when something happened, in words.
func (f *Fact) at() string {
	if f.Instant == nil {
		return "an unknown instant"
	}
	return fmt.Sprint(*f.Instant)
}

// by is the event, behind what it did.
func (f *Fact) by() string {
	if f.Event == 0 {
		return ""
	}
	return fmt.Sprintf(" (#%d)", f.Event)
}

// ends is when a lease ends.
func (f *Fact) ends() string {
	if f.Ends == nil {
		return "an unknown instant"
	}
	return fmt.Sprint(*f.Ends)
}

// JSON is a value of this package as compact JSON, without HTML escapes.
func JSON(value any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		return nil, fmt.Errorf("explain: %w", err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
