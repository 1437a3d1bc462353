// Package arbitrary draws small random histories for property tests.
//
// It looks at the state that it draws the next event for, so that most events
// mean something: renews come from holders, releases from those who hold or
// wait, and time likes to stop exactly where a lease ends. Names are few, so
// that clients get in each other's way.
package arbitrary
