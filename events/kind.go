package events

// kind numbers the operations. The numbers are part of the msgpack form
// (codec.go) and never change their meaning.
type kind uint8

const (
	kindUnknown kind = iota // no operation of that name
	kindAcquire
	kindRenew
	kindRelease
	kindWrite
	kindRead
	kindInspect
	kindStatus
	kindRepeat
	kindInvalid
)

// maxArguments is the largest number of arguments, after name and instant,
// that any operation takes.
const maxArguments = 4

// kindOf finds the operation that is called name.
func kindOf(name string) kind {
	switch name {
	case "acquire":
		return kindAcquire
	case "renew":
		return kindRenew
	case "release":
		return kindRelease
	case "write":
		return kindWrite
	case "read":
		return kindRead
	case "inspect":
		return kindInspect
	case "status":
		return kindStatus
	case "repeat":
		return kindRepeat
	}
	return kindUnknown
}

// knows tells whether the edition has an operation of that kind (R29).
func (r Rules) knows(k kind) bool {
	switch k {
	case kindUnknown, kindInvalid:
		return false
	case kindStatus:
		return r.Edition >= Edition3
	}
	return true
}

// takes tells whether n arguments, after name and instant, are the right
// number for an operation that the edition knows.
func (r Rules) takes(k kind, n int) bool {
	switch k {
	case kindAcquire:
		return n == 3 || n == 4 && r.Edition >= Edition2
	case kindRenew, kindRepeat:
		return n == 3
	case kindRelease, kindRead:
		return n == 2
	case kindWrite:
		return n == 4
	case kindInspect, kindStatus:
		return n == 1
	}
	return false
}
