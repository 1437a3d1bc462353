package journal

import (
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/leasekeeper/leasekeeper/journal/internal/pages"
)

// contents is what is known of a file once it has been opened.
type contents struct {
	genesis    Genesis
	chain      *chain // at the last record
	checkpoint uint64 // where the last checkpoint of the chain stands
}

// load reads a file's genesis and head, and proves the head with the records
// since the last checkpoint of the chain. The cost does not depend on the
// journal's length.
func load(file *pages.File) (contents, error) {
	var c contents
	var head Head
	var from Head
	var at *pages.Element
	err := file.Read(func(v pages.View) (err error) {
		if c.genesis, err = readGenesis(v); err != nil {
			return err
		}
		if head, at, err = readHead(v, c.genesis); err != nil {
			return err
		}
		from, err = lastCheckpoint(v, c.genesis, head.Sequence)
		return err
	})
	if err != nil {
		return c, located("the file", 0, err)
	}
	c.chain = chainOf(c.genesis)
	if from.Sequence > 0 {
		c.chain = newChain(c.genesis.identity(), from)
	}
	c.checkpoint = c.chain.sequence
	for records := recordsOf(file, c.checkpoint+1, head.Sequence); ; {
		err := records.step()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return c, err
		}
		if _, reason := decodeRecord(records.at.Entry); reason != "" {
			return c, records.damaged(reason)
		}
		c.chain.add(records.at.Value)
	}
	if c.chain.head() != head {
		return c, broken("the head", 0, at, fmt.Sprintf("it is not the hash of the records up to %d", head.Sequence))
	}
	return c, nil
}

// readGenesis reads the genesis.
func readGenesis(v pages.View) (Genesis, error) {
	const part = "the genesis"
	e, err := get(v, part, genesisKey)
	if err != nil {
		return Genesis{}, err
	}
	g, reason, err := decodeGenesis(e.Value)
	if reason != "" {
		err = broken(part, 0, e, reason)
	}
	return g, err
}

// readHead reads the head, and makes sure that the records end where it says.
func readHead(v pages.View, g Genesis) (Head, *pages.Element, error) {
	const part = "the head"
	e, err := get(v, part, headKey)
	if err != nil {
		return Head{}, e, err
	}
	head, ok := decodeHead(e.Value)
	if !ok || head.Sequence < g.Base.Sequence {
		return head, e, broken(part, 0, e, "it is not of its form")
	}
	last := g.Base.Sequence
	newest, err := v.Cursor(eventsBucket).Last()
	if err == nil {
		last, ok = parseSequence(newest)
	} else if !errors.Is(err, io.EOF) {
		return head, e, missing(recordsPart, err)
	}
	if !ok {
		return head, e, broken(recordsPart, 0, newest, fmt.Sprintf("no record can have the key %x", newest.Key))
	}
	if last != head.Sequence {
		return head, e, broken(part, 0, e, fmt.Sprintf("it counts records up to %d, but they end at %d", head.Sequence, last))
	}
	if last == g.Base.Sequence {
		return head, e, nil
	}
	oldest, err := v.Cursor(eventsBucket).Next()
	if err != nil {
		return head, e, located(recordsPart, 0, err)
	}
	if first, ok := parseSequence(oldest); !ok || first != g.Base.Sequence+1 {
		return head, e, broken(recordPart(g.Base.Sequence+1), g.Base.Sequence+1, oldest, fmt.Sprintf("key %x stands where it is due", oldest.Key))
	}
	return head, e, nil
}

// lastCheckpoint is the newest checkpoint of the chain, or none.
func lastCheckpoint(v pages.View, g Genesis, last uint64) (Head, error) {
	e, err := v.Cursor(chainBucket).Last()
	if errors.Is(err, io.EOF) {
		return Head{}, nil
	}
	if err != nil {
		return Head{}, missing("the chain", err)
	}
	return parseCheckpoint(e, g, last)
}

// parseCheckpoint reads a checkpoint of the chain.
func parseCheckpoint(e *pages.Element, g Genesis, last uint64) (Head, error) {
	sequence, ok := parseSequence(e)
	h := Head{Sequence: sequence}
	if !ok || sequence <= g.Base.Sequence || sequence > last || sequence%linkRecords != 0 || len(e.Value) != len(h.Hash) {
		return h, broken("the chain", 0, e, fmt.Sprintf("no checkpoint can have the key %x", e.Key))
	}
	copy(h.Hash[:], e.Value)
	return h, nil
}

// get is an element of metaBucket.
func get(v pages.View, part, key string) (*pages.Element, error) {
	e, err := v.Get(key, metaBucket)
	if err != nil {
		return e, missing(part, err)
	}
	if e.Bucket {
		return e, broken(part, 0, e, "it is a bucket")
	}
	return e, nil
}

// missing is located for a part that every journal has.
func missing(part string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return &Damage{Part: part, Reason: "it is missing"}
	}
	return located(part, 0, err)
}
