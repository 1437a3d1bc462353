package events

import (
	"strconv"
	"strings"
	"unicode"
)

// field is a set of an effect's fields.
type field uint16

const (
	fieldLock field = 1 << iota
	fieldClient
	fieldMode
	fieldToken
	fieldExpiresAt
	fieldPosition
	fieldKey
	fieldCause
	fieldRefusal
)

// effectFields are the fields that a kind of effect sets, beside kind, instant
// and sequence. A refused effect sets Lock, Client, Key and Token only if its
// operation named them.
var effectFields = [effectKinds]field{
	EffectGranted:   fieldLock | fieldClient | fieldMode | fieldToken | fieldExpiresAt | fieldCause,
	EffectQueued:    fieldLock | fieldClient | fieldMode | fieldPosition,
	EffectRenewed:   fieldLock | fieldClient | fieldMode | fieldToken | fieldExpiresAt,
	EffectReleased:  fieldLock | fieldClient | fieldMode | fieldToken | fieldExpiresAt | fieldCause,
	EffectWithdrawn: fieldLock | fieldClient | fieldMode | fieldCause,
	EffectExpired:   fieldLock | fieldClient | fieldMode | fieldToken | fieldExpiresAt | fieldCause,
	EffectAborted:   fieldClient | fieldCause,
	EffectWritten:   fieldLock | fieldKey | fieldToken,
	EffectRefused:   fieldRefusal,
}

// fields is the set of fields that e sets.
func (e *Effect) fields() field {
	if e.Kind >= effectKinds {
		return 0
	}
	set := effectFields[e.Kind]
	if e.Kind != EffectRefused {
		return set
	}
	if e.Lock != "" {
		set |= fieldLock
	}
	if e.Client != "" {
		set |= fieldClient
	}
	if e.Key != "" {
		set |= fieldKey
	}
	if e.Token != 0 {
		set |= fieldToken
	}
	return set
}

// AppendJSON appends the effect as one compact JSON object: kind, instant and
// sequence, and then the fields that its kind sets, always in this order:
// lock, client, mode, token, expires_at, position, key, cause, refusal.
func (e Effect) AppendJSON(dst []byte) []byte {
	set := e.fields()
	text := func(f field, name, value string) {
		if set&f != 0 {
			dst = appendQuoted(append(append(append(dst, `,"`...), name...), `":`...), value)
		}
	}
	number := func(f field, name string, value int64) {
		if set&f != 0 {
			dst = strconv.AppendInt(append(append(append(dst, `,"`...), name...), `":`...), value, 10)
		}
	}
	dst = appendQuoted(append(dst, `{"kind":`...), e.Kind.String())
	dst = strconv.AppendInt(append(dst, `,"instant":`...), e.Instant, 10)
	dst = strconv.AppendUint(append(dst, `,"sequence":`...), e.Sequence, 10)
	text(fieldLock, "lock", e.Lock)
	text(fieldClient, "client", e.Client)
	text(fieldMode, "mode", e.Mode.String())
	number(fieldToken, "token", e.Token)
	number(fieldExpiresAt, "expires_at", e.ExpiresAt)
	number(fieldPosition, "position", int64(e.Position))
	text(fieldKey, "key", e.Key)
	text(fieldCause, "cause", e.Cause.String())
	text(fieldRefusal, "refusal", e.Refusal.String())
	return append(dst, '}')
}

// MarshalJSON implements json.Marshaler with AppendJSON.
func (e Effect) MarshalJSON() ([]byte, error) { return e.AppendJSON(nil), nil }

// String is the effect as one readable line, such as
//
//	t=55 expired L1 etl-b token 2
//	t=55 granted L1 etl-c exclusive token 3 until 70 (expiry)
//
// Names that are not plain words are quoted, so that the line stays a line.
func (e Effect) String() string {
	set := e.fields()
	var b strings.Builder
	b.WriteString("t=" + strconv.FormatInt(e.Instant, 10) + " " + e.Kind.String())
	word := func(f field, before, value string) {
		if set&f != 0 {
			b.WriteString(before + value)
		}
	}
	word(fieldLock, " ", plain(e.Lock))
	word(fieldClient, " ", plain(e.Client))
	if e.Kind == EffectGranted || e.Kind == EffectQueued {
		word(fieldMode, " ", e.Mode.String())
	}
	word(fieldKey, " key ", plain(e.Key))
	word(fieldToken, " token ", strconv.FormatInt(e.Token, 10))
	word(fieldPosition, " position ", strconv.Itoa(e.Position))
	if e.Kind == EffectGranted || e.Kind == EffectRenewed {
		word(fieldExpiresAt, " until ", strconv.FormatInt(e.ExpiresAt, 10))
	}
	if e.Kind != EffectExpired && e.Kind != EffectAborted { // theirs goes without saying
		word(fieldCause, " (", e.Cause.String()+")")
	}
	word(fieldRefusal, ": ", strings.TrimPrefix(e.Refusal.String(), "error: "))
	return b.String()
}

// plain is a name as it may stand in a line of words: itself if it has only
// visible characters, otherwise quoted and escaped.
func plain(name string) string {
	odd := func(r rune) bool {
		return !unicode.IsGraphic(r) || unicode.IsSpace(r) || r == '"' || r == unicode.ReplacementChar
	}
	if name == "" || strings.ContainsFunc(name, odd) {
		return strconv.Quote(name)
	}
	return name
}
