package journal

import (
	"fmt"
	"os"
	"sync"

	"go.etcd.io/bbolt"

	"github.com/leasekeeper/leasekeeper/journal/internal/pages"
)

// File is a Journal in one bbolt file. bbolt only writes it; everything is
// read by package pages, which needs no lock and survives any damage.
type File struct {
	path    string
	file    *os.File // shared with bbolt, which closes it
	pages   *pages.File
	genesis Genesis
	options Options

	write      sync.Mutex // one change at a time
	db         *bbolt.DB  // nil if read-only
	chain      *chain     // at the last record, once write is held
	checkpoint uint64
	arena      []byte // of the commit under way
	unlisted   bool   // the last commit left the freelist out
	abandoned  bool   // bbolt has panicked and may still hold its locks
	snapshot   bool   // one is being written
	cargo      chan *cargo

	mu     sync.RWMutex // guards what callers see
	head   Head
	failed error
	closed bool
}

// Options say how to open a File. The zero value opens it for writing.
type Options struct {
	// ReadOnly opens the file without a lock and without changing anything,
	// beside a process that writes it if there is one. Last and Head stand
	// still until Refresh.
	ReadOnly bool
	// Fallback opens a file of which one of bbolt's two meta pages is broken.
	// If it was the newer one, the last commit is lost; nobody can tell.
	Fallback bool

	checkpointRecords uint64       // how far apart checkpoints stand
	bulk              bool         // sync nothing until Close
	beforeCommit      func() error // of every commit, in tests
	afterCommit       func() error
}

// checkpointRecords is how far apart the checkpoints of the chain stand, at
// least: what a File has to hash when it is opened.
const checkpointRecords = 1024

// fileSource makes an os.File a source of pages.
type fileSource struct{ *os.File }

// Size implements pages.Source.
func (s fileSource) Size() (int64, error) {
	info, err := s.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// Open opens a journal file that Create has made. If it is being written by
// someone else, opening it for writing fails at once with ErrLocked. Opening
// reads what a writer's safety depends on (meta pages, the account of all
// pages, the end of the records) but not every record: that is Verify's task.
func Open(path string, options Options) (*File, error) {
	flag := os.O_RDWR
	if options.ReadOnly {
		flag = os.O_RDONLY
	}
	file, err := openRegular(path, flag)
	if err != nil {
		return nil, err
	}
	f := &File{path: path, file: file, options: options, cargo: make(chan *cargo)}
	if f.options.checkpointRecords == 0 {
		f.options.checkpointRecords = checkpointRecords
	}
	if err := f.open(); err != nil {
		f.letGo() // bbolt may have done so already
		return nil, err
	}
	return f, nil
}

// openRegular opens a file that is a regular one. It looks before it opens,
// since to open a pipe may take for ever; and again, in case the name was given
// to something else in between.
func openRegular(path string, flag int) (*os.File, error) {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("journal: %s is not a regular file", path)
	}
	var file *os.File
	if err == nil {
		file, err = os.OpenFile(path, flag, 0)
	}
	if err == nil {
		if info, err = file.Stat(); err == nil && !info.Mode().IsRegular() {
			err = fmt.Errorf("%s is not a regular file", path)
		}
	}
	if err != nil {
		if file != nil {
			file.Close()
		}
		return nil, wrap(err)
	}
	return file, nil
}

// open locks and reads the file, and hands it to bbolt if it is to be written.
func (f *File) open() error {
	f.pages = pages.New(fileSource{f.file})
	f.pages.Fallback = f.options.Fallback
	if f.options.ReadOnly {
		c, err := load(f.pages)
		if err == nil {
			f.genesis = c.genesis
			f.adopt(c)
		}
		return err
	}
	if err := lock(f.file); err != nil {
		return err
	}
	still := pages.New(fileSource{f.file})
	still.Fallback, still.Still = f.options.Fallback, true
	v, err := still.View()
	if err != nil {
		return located("the file", 0, err)
	}
	if _, err := v.Check(hasBuckets); err != nil {
		return located("the account of pages", 0, err)
	}
	c, err := load(still)
	if err != nil {
		return err
	}
	f.genesis = c.genesis
	f.adopt(c)
	if err := f.openBolt(); err != nil {
		return err
	}
	return f.sweep(still)
}

// adopt takes over what load has found of the chain.
func (f *File) adopt(c contents) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.chain, f.checkpoint, f.head = c.chain, c.checkpoint, c.chain.head()
}

// Refresh brings a journal that was opened for reading up to what has been
// written since. Of a journal opened for writing it changes nothing.
func (f *File) Refresh() error {
	if !f.options.ReadOnly {
		return nil
	}
	f.write.Lock()
	defer f.write.Unlock()
	c, err := load(f.pages)
	if err == nil {
		f.adopt(c)
	}
	return err
}

// Genesis implements Journal.
func (f *File) Genesis() Genesis { return f.genesis }

// Last implements Journal.
func (f *File) Last() uint64 { return f.Head().Sequence }

// Head implements Journal.
func (f *File) Head() Head {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return f.head
}

// Path is the path that the file was opened by.
func (f *File) Path() string { return f.path }
