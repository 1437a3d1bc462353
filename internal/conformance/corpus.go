package conformance

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/history"
	"github.com/leasekeeper/leasekeeper/internal/oplog"
	"github.com/leasekeeper/leasekeeper/journal"
)

// Save keeps a history in a directory, which is made if it does not exist: in the
// object form, with the answers that the rules require as its results. The file is
// named by a hash of the rules and the operations, so a history is kept once, under
// whatever title it was saved first. It appears whole or not at all.
func Save(directory, title string, h history.History) (path string, err error) {
	paper, err := newSheet(h)
	if err != nil {
		return "", err
	}
	text, sum := objectForm(title, h.Rules, paper)
	if err := os.MkdirAll(directory, 0o777); err != nil {
		return "", fmt.Errorf("conformance: %w", err)
	}
	path = filepath.Join(directory, hex.EncodeToString(sum[:8])+".json")
	draft, err := os.CreateTemp(directory, ".draft-*")
	if err != nil {
		return "", fmt.Errorf("conformance: %w", err)
	}
	defer os.Remove(draft.Name())
	_, err = draft.Write(text)
	err = errors.Join(err, draft.Chmod(0o644), draft.Sync(), draft.Close())
	if err == nil {
		err = journal.Publish(draft.Name(), path)
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return "", fmt.Errorf("conformance: saving a history: %w", err)
	}
	return path, nil
}

// objectForm is a history as a file has it, and a hash of what makes it the same
// history.
func objectForm(title string, rules events.Rules, paper *sheet) (text []byte, sum [sha256.Size]byte) {
	quoted, _ := json.Marshal(strings.ToValidUTF8(title, "\uFFFD")) // of a string: cannot fail
	head := fmt.Sprintf("  \"edition\": %d,\n  \"unit\": %q,\n  \"operations\": ", rules.Edition, rules.Unit)
	operations := paper.operations.list()
	text = fmt.Appendf(text, "{\n  \"name\": %s,\n%s%s,\n", quoted, head, operations)
	text = fmt.Appendf(text, "  \"results\": %s\n}\n", paper.required.list())
	return text, sha256.Sum256([]byte(head + string(operations)))
}

// list is a JSON array of the texts, one a line.
func (t *texts) list() []byte {
	if t.len() == 0 {
		return []byte("[]")
	}
	list := []byte("[")
	for i := range t.len() {
		if i > 0 {
			list = append(list, ',')
		}
		list = append(append(list, "\n    "...), t.at(i)...)
	}
	return append(list, "\n  ]"...)
}

// Case is a history of a corpus.
type Case struct {
	Path    string
	Name    string // its title, "" if it has none
	History history.History
}

// MaxCase is the largest size in bytes of a file of a corpus.
const MaxCase = 64 << 20

// Corpus reads the histories of a directory, in the order of the names of their
// files: regular files whose names end with .json, .jsonl or .ndjson and do not begin
// with a dot, in any form that package oplog reads. Links, directories and
// everything else are passed over. Histories that do not name their rules are under
// the rules given. An answer that a history records must be the one that the rules
// require.
func Corpus(directory string, rules events.Rules) ([]Case, error) {
	entries, err := os.ReadDir(directory) // sorted by name
	if err != nil {
		return nil, fmt.Errorf("conformance: corpus: %w", err)
	}
	var cases []Case
	for _, entry := range entries {
		extension := filepath.Ext(entry.Name())
		known := extension == ".json" || extension == ".jsonl" || extension == ".ndjson"
		if !known || strings.HasPrefix(entry.Name(), ".") || !entry.Type().IsRegular() {
			continue
		}
		c, err := readCase(filepath.Join(directory, entry.Name()), rules)
		if err != nil {
			return nil, fmt.Errorf("conformance: corpus: %w", err)
		}
		cases = append(cases, c)
	}
	return cases, nil
}

func readCase(path string, rules events.Rules) (Case, error) {
	info, err := os.Stat(path)
	if err != nil {
		return Case{}, err
	}
	if info.Size() > MaxCase {
		return Case{}, fmt.Errorf("%s: %d bytes are more than a history may have, %d", path, info.Size(), MaxCase)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return Case{}, err
	}
	reader, err := oplog.Open(path, bytes.NewReader(text))
	if err != nil {
		return Case{}, err
	}
	defer reader.Close()
	header := reader.Header()
	if header.Edition != 0 {
		rules.Edition = header.Edition
	}
	if header.Unit != 0 {
		rules.Unit = header.Unit
	}
	c := Case{Path: path, Name: header.Name, History: history.History{Rules: rules}}
	recorded, err := readEvents(reader, &c.History)
	if err != nil {
		return Case{}, err
	}
	return c, holds(c, recorded)
}

// readEvents reads the operations of a history, and returns the answers that it
// records, nil for those it does not.
func readEvents(reader *oplog.Reader, h *history.History) (recorded []json.RawMessage, err error) {
	for {
		entry, err := reader.Next()
		if err == io.EOF {
			return recorded, nil
		}
		if err != nil {
			return nil, err
		}
		event, err := h.Rules.Parse(entry.Operation)
		if err != nil {
			return nil, err
		}
		h.Events = append(h.Events, event)
		recorded = append(recorded, bytes.Clone(entry.Recorded))
	}
}

// holds tells whether the answers that a case records are those of the rules.
func holds(c Case, recorded []json.RawMessage) error {
	paper, err := newSheet(c.History)
	if err != nil {
		return fmt.Errorf("%s: %w", c.Path, err)
	}
	for i, answer := range recorded {
		if answer != nil && !oplog.SameAnswer(answer, paper.required.at(i)) {
			return fmt.Errorf("%s: the recorded answer to #%d is %s, but the rules require %s",
				c.Path, i+1, clip(answer), clip(paper.required.at(i)))
		}
	}
	return nil
}
