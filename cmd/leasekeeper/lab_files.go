package main

import (
	"fmt"
	"maps"
	"os"
	"slices"

	"github.com/leasekeeper/leasekeeper/cmd/leasekeeper/internal/transfer"
)

// newFiles are files that get their names when all of them are finished.
type newFiles struct {
	drafts map[string]*transfer.Draft
	names  []string
	stop   func() // of the watch for an interruption
	err    error
}

// draftFiles makes the drafts of what is to be written, before any work is done.
// An empty name is none.
func draftFiles(names ...string) (*newFiles, error) {
	files := &newFiles{drafts: map[string]*transfer.Draft{}, stop: func() {}}
	for _, name := range names {
		if name == "" {
			continue
		}
		if files.drafts[name] != nil {
			files.discard()
			return nil, fmt.Errorf("%s is named for two files", name)
		}
		draft, err := transfer.NewDraft(name)
		if err != nil {
			files.discard()
			return nil, journalError(err)
		}
		files.drafts[name], files.names = draft, append(files.names, name)
	}
	if len(files.drafts) > 0 {
		files.stop = discardWhenInterrupted(slices.Collect(maps.Values(files.drafts))...)
	}
	return files, nil
}

// write fills a draft. An error stays for publish.
func (f *newFiles) write(name string, text []byte) {
	if f.err == nil {
		f.err = f.drafts[name].Named(writeDurably(f.drafts[name].Path(), text))
	}
}

// publish gives the files their names.
func (f *newFiles) publish() error {
	if f.err != nil {
		return failure{f.err}
	}
	for _, name := range f.names {
		if err := f.drafts[name].Publish(); err != nil {
			return journalError(f.drafts[name].Named(err))
		}
	}
	return nil
}

// discard removes what has not been published.
func (f *newFiles) discard() {
	f.stop()
	for _, draft := range f.drafts {
		_ = draft.Discard()
	}
}

// writeDurably writes a new file.
func writeDurably(path string, text []byte) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	if err == nil {
		err = file.Sync()
	}
	if closed := file.Close(); err == nil {
		err = closed
	}
	return err
}
