// Package oplog reads histories of operations as people and programs write
// them down. There are three forms, told apart by content, never by the name
// of the file:
//
//	[["acquire", 0, "a", "L", 30], …]        an array of operations
//	{"name": "night", "edition": 3,          one object; only operations is
//	 "unit": "second", "operations": […],    required, results are the answers
//	 "results": […]}                         that somebody recorded
//	["acquire", 0, "a", "L", 30]             lines (NDJSON): operations, or
//	{"op": ["read", 5, "L", "k"],            operations with the answer that
//	 "result": null}                         was recorded, in any mixture
//
// The rule that tells them apart looks at the first value, behind a UTF-8
// byte order mark and white space:
//
//   - An array whose first element is a string is an operation, so the input
//     is lines. Any other array, also an empty one, is an array of operations.
//   - An object whose first field is op or result is a line; any other object
//     is the object form.
//   - Anything else is taken as lines. An empty input is an empty history.
//
// An array of operations whose first operation is a bare string is therefore
// read as one operation; give it in the object form. Lines are read value by
// value: a value may be spread over several lines, and the next may follow it
// on the same line, behind white space. Later lines may be any value; an object
// is always {"op": …}.
//
// An element of an array that is an object with a field op is read like such a
// line, so lines that a tool has gathered in an array keep their answers. Other
// objects stay operations, which no service knows. In the object form, where
// answers have a place of their own, all elements are operations as they stand.
//
// Reading is strict where a mistake could pass unnoticed: a field that is
// unknown or stands twice, results that do not match the operations in
// number, invalid UTF-8, bytes after the end. It is not strict about
// operations: whether a value is a valid operation is for
// [github.com/leasekeeper/leasekeeper/events.Rules.Parse] to say.
//
// Memory does not grow with the input. An entry may have [MaxEntry] bytes, and
// a buffer grows only with bytes that have arrived. The object form may name
// its fields in any order, so it is read twice; an input that cannot be read
// twice, such as a pipe, is spooled first.
package oplog
