package visible

import (
	"encoding/xml"
	"strings"
)

// XML is a text as the content of an element or the value of an attribute, also
// in HTML: it cannot end either. What XML has no character for, as invalid UTF-8,
// becomes U+FFFD. O(len(text)).
func XML(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text)) // a Builder takes everything
	return b.String()
}
