package events

// argumentType is the JSON type of an argument, as far as the rules tell
// types apart.
type argumentType uint8

const (
	otherArgument   argumentType = iota // right for nothing: true, null, 1.5, {}, "\ud800"
	textArgument                        // text: a string of valid Unicode
	integerArgument                     // number, fits
	listArgument                        // text: the list's JSON text
)

// argument is one argument of an operation, read but not yet judged.
type argument struct {
	kind   argumentType
	fits   bool   // of an integer: number is exact
	text   string // of a string or a list
	number int64  // of an integer: its value, or the nearest that fits
}

// readArgument reads one valid JSON value.
func readArgument(value []byte) (a argument) {
	switch c := value[0]; {
	case c == '"':
		text, valid := unquote(value)
		if a.text = text; valid {
			a.kind = textArgument
		}
	case c == '-' || '0' <= c && c <= '9':
		number, fits, ok := integer(value)
		if ok {
			a = argument{kind: integerArgument, fits: fits, number: number}
		}
	case c == '[':
		a = argument{kind: listArgument, text: string(value)}
	}
	return a
}

// fields hands out arguments by position and type, and notes when one is of
// the wrong type. Emptiness and ranges are left to Admit.
type fields struct {
	arguments []argument
	mistyped  bool
}

// want is argument i, or nothing if it is not of that type.
func (f *fields) want(i int, kind argumentType) argument {
	if f.arguments[i].kind != kind {
		f.mistyped = true
		return argument{}
	}
	return f.arguments[i]
}

// text is a string of valid Unicode.
func (f *fields) text(i int) string { return f.want(i, textArgument).text }

// ttl is an integer of any size: one beyond 64 bits is out of range, not
// mistyped (R24), and the nearest that fits is out of range as well.
func (f *fields) ttl(i int) int64 { return f.want(i, integerArgument).number }

// integer is an integer within 64 bits.
func (f *fields) integer(i int) int64 {
	a := f.want(i, integerArgument)
	f.mistyped = f.mistyped || !a.fits
	return a.number
}

// mode is the mode at position i, or the default if there is none. A string
// that is no mode gives the zero Mode, which Admit refuses.
func (f *fields) mode(i int) Mode {
	if i >= len(f.arguments) {
		return Exclusive
	}
	switch f.text(i) {
	case "exclusive":
		return Exclusive
	case "shared":
		return Shared
	}
	return 0
}

// template is a list as Repeat keeps it.
func (f *fields) template(i int) string {
	return compactJSON([]byte(f.want(i, listArgument).text))
}

// build makes the event of a kind that the edition knows, from arguments
// whose number is right. The event is nil if it is refused.
func (r Rules) build(k kind, at int64, arguments []argument) (Event, Refusal) {
	var e Event
	f := fields{arguments: arguments}
	switch k {
	case kindAcquire:
		e = Acquire{At: at, Client: f.text(0), Lock: f.text(1), TTL: f.ttl(2), Mode: f.mode(3)}
	case kindRenew:
		e = Renew{At: at, Client: f.text(0), Lock: f.text(1), TTL: f.ttl(2)}
	case kindRelease:
		e = Release{At: at, Client: f.text(0), Lock: f.text(1)}
	case kindWrite:
		e = Write{At: at, Lock: f.text(0), Key: f.text(1), Value: f.text(2), Token: f.integer(3)}
	case kindRead:
		e = Read{At: at, Lock: f.text(0), Key: f.text(1)}
	case kindInspect:
		e = Inspect{At: at, Lock: f.text(0)}
	case kindStatus:
		e = Status{At: at, Client: f.text(0)}
	case kindRepeat:
		e = Repeat{At: at, Count: f.integer(0), Step: f.integer(1), Template: f.template(2)}
	}
	if f.mistyped {
		return nil, InvalidArguments
	}
	if _, _, refusal := r.Admit(e); refusal != NotRefused {
		return nil, refusal
	}
	return e, NotRefused
}

// instant reads an operation's ts: an integer not later than MaxInstant.
func (r Rules) instant(value []byte) (at int64, ok bool) {
	a := readArgument(value)
	return a.number, a.kind == integerArgument && a.fits && a.number <= r.MaxInstant()
}
