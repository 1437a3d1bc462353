// Package view prints what happened in a history for people: words instead of
// lists, lines that fit the terminal, and nothing in them that could do
// something to it.
package view
