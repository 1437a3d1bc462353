package journal

import (
	"errors"
	"fmt"

	"go.etcd.io/bbolt"
)

// maxArena is how much of a commit's memory is kept for the next one.
const maxArena = 1 << 20

// Append implements Journal. Concurrent calls are made one after another;
// whoever has many small records to add should gather them into one call.
func (f *File) Append(records ...Record) error {
	f.write.Lock()
	defer f.write.Unlock()
	if err := f.writable(); err != nil {
		return err
	}
	if err := checkSequence(records, f.chain.sequence); err != nil {
		return err
	}
	if len(records) == 0 {
		return nil
	}
	b := f.encode(records)
	last := records[len(records)-1].Sequence
	what := fmt.Sprintf("records %d to %d", records[0].Sequence, last)
	if err := f.commit(what, &b); err != nil {
		return err
	}
	if b.checkpoint != nil {
		f.checkpoint = b.checkpoint.Sequence
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.head = b.head
	return nil
}

// commit makes a batch durable, and with it a piece of a snapshot if one is
// waiting.
func (f *File) commit(what string, b *batch) error {
	select {
	case c := <-f.cargo:
		err := f.update(what, func(tx *bbolt.Tx) error { return errors.Join(b.put(tx), c.put(tx)) })
		c.done <- err
		return err
	default:
		return f.update(what, b.put)
	}
}

// batch is what one Append puts into the file.
type batch struct {
	bytes      []byte // the records' entries, one after another
	ends       []int  // where each ends
	head       Head
	checkpoint *Head // if one is due
}

// encode brings records into the form in which they are stored, and the chain
// up to the last of them.
func (f *File) encode(records []Record) batch {
	b := batch{bytes: f.arena[:0], ends: make([]int, len(records))}
	for i := range records {
		start := len(b.bytes)
		b.bytes = records[i].append(b.bytes)
		f.chain.add(b.bytes[start+keySize:])
		b.ends[i] = len(b.bytes)
	}
	if f.arena = b.bytes; cap(f.arena) > maxArena {
		f.arena = nil
	}
	b.head = f.chain.head()
	if f.chain.last.Sequence >= f.checkpoint+f.options.checkpointRecords {
		last := f.chain.last
		b.checkpoint = &last
	}
	return b
}

// put puts a batch's records, its head and its checkpoint into their buckets.
func (b *batch) put(tx *bbolt.Tx) error {
	bucket := tx.Bucket([]byte(eventsBucket))
	bucket.FillPercent = fill
	start := 0
	for _, end := range b.ends {
		middle := start + keySize
		if err := bucket.Put(b.bytes[start:middle], b.bytes[middle:end:end]); err != nil {
			return err
		}
		start = end
	}
	if b.checkpoint != nil {
		bucket := tx.Bucket([]byte(chainBucket))
		bucket.FillPercent = fill
		if err := bucket.Put(sequenceKey(b.checkpoint.Sequence), b.checkpoint.Hash[:]); err != nil {
			return err
		}
	}
	return tx.Bucket([]byte(metaBucket)).Put([]byte(headKey), encodeHead(b.head))
}
