package conformance

import (
	"errors"
	"fmt"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// SplitCommand splits a command line into its words as a POSIX shell does: at
// white space, with '…', "…" and \ to keep it. No shell is run, and nothing is
// expanded: variables, ~ in front of a word, pipes, redirections and more than one
// command are errors, and * and ? stand for themselves. Who wants a shell says so:
// sh -c '…'.
func SplitCommand(line string) ([]string, error) {
	if strings.ContainsRune(line, 0) {
		return nil, errors.New("conformance: a command cannot contain a NUL character")
	}
	file, err := syntax.NewParser(syntax.Variant(syntax.LangPOSIX)).Parse(strings.NewReader(line), "")
	if err != nil {
		var parse syntax.ParseError
		if errors.As(err, &parse) {
			return nil, fmt.Errorf("conformance: command, column %d: %s", parse.Pos.Col(), parse.Text)
		}
		return nil, fmt.Errorf("conformance: command: %w", err)
	}
	if len(file.Stmts) == 0 {
		return nil, errors.New("conformance: the command is empty")
	}
	if len(file.Stmts) > 1 {
		return nil, needsShell("more than one command", file.Stmts[1].Pos())
	}
	statement := file.Stmts[0]
	call, ok := statement.Cmd.(*syntax.CallExpr)
	switch {
	case len(statement.Redirs) > 0:
		return nil, needsShell("a redirection", statement.Redirs[0].Pos())
	case !ok || statement.Negated || statement.Background || statement.Semicolon.IsValid():
		return nil, needsShell("a pipe or another construct of the shell", statement.Pos())
	case len(call.Assigns) > 0:
		return nil, needsShell("an assignment", call.Assigns[0].Pos())
	}
	words := make([]string, 0, len(call.Args))
	for _, word := range call.Args {
		text, err := literal(word)
		if err != nil {
			return nil, err
		}
		words = append(words, text)
	}
	return words, nil
}

func needsShell(what string, at syntax.Pos) error {
	return fmt.Errorf("conformance: command, column %d: %s needs a shell: sh -c '…'", at.Col(), what)
}

// literal is the text of a word without its quotes.
func literal(word *syntax.Word) (string, error) {
	var b strings.Builder
	for i, part := range word.Parts {
		switch part := part.(type) {
		case *syntax.Lit:
			if i == 0 && strings.HasPrefix(part.Value, "~") {
				return "", needsShell("~", part.Pos())
			}
			b.WriteString(unescape(part.Value, ""))
		case *syntax.SglQuoted:
			b.WriteString(part.Value)
		case *syntax.DblQuoted:
			for _, inner := range part.Parts {
				text, ok := inner.(*syntax.Lit)
				if !ok {
					return "", needsShell("an expansion", inner.Pos())
				}
				b.WriteString(unescape(text.Value, "$`\"\\"))
			}
		default:
			return "", needsShell("an expansion", part.Pos())
		}
	}
	return b.String(), nil
}

// unescape takes out the backslashes in front of the characters of special, or of
// all characters if it is empty.
func unescape(text, special string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+1 < len(text) && (special == "" || strings.IndexByte(special, text[i+1]) >= 0) {
			i++
		}
		b.WriteByte(text[i])
	}
	return b.String()
}
