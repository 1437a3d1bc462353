package journal

import (
	"encoding/binary"
	"errors"
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/leasekeeper/leasekeeper/journal/internal/pages"
)

// long runs the slow tests in full.
var long = flag.Bool("long", false, "flip unused bits too, and open for writing after every flip")

// used tells which bytes of an image mean anything: not those of free pages,
// and not the rest of a page behind its last element.
func used(b image) []bool {
	u32, u64 := binary.LittleEndian.Uint32, binary.LittleEndian.Uint64
	newest := b[:pages.Size]
	if u64(b[pages.Size+64:]) > u64(b[64:]) {
		newest = b[pages.Size:]
	}
	freelist := b[u64(newest[48:])*pages.Size:]
	free := map[uint64]bool{}
	for i := range binary.LittleEndian.Uint16(freelist[10:]) {
		free[u64(freelist[16+8*int(i):])] = true
	}
	list := make([]bool, len(b))
	for id := 0; id < len(b)/pages.Size; id++ {
		p := b[id*pages.Size:]
		count := int(binary.LittleEndian.Uint16(p[10:]))
		end := 16 + 16*count
		row := p[end-16:]
		switch flags := p[8]; {
		case free[uint64(id)]:
			end = 0
		case flags == 4: // meta
			end = 16 + 64
		case flags == 16: // freelist
			end = 16 + 8*count
		case flags == 2 && count > 0: // leaf
			end += int(u32(row[4:])-16) + int(u32(row[8:])) + int(u32(row[12:]))
		case flags == 1: // branch
			end += int(u32(row)-16) + int(u32(row[4:]))
		}
		for i := range end {
			list[id*pages.Size+i] = true
		}
	}
	return list
}

// meaningful are the bits of an image that mean anything, or all if asked for.
func meaningful(b image) []int {
	var bits []int
	for i, used := range used(b) {
		for bit := range 8 {
			if used || *long {
				bits = append(bits, i*8+bit)
			}
		}
	}
	return bits
}

// TestEveryBit flips every single bit of a small journal, one at a time. A
// reader must notice or be right, and so must Verify. Bits that mean nothing
// are flipped one at a time only if asked to; TestUnusedBytes does it at once.
func TestEveryBit(t *testing.T) {
	original := small(t)
	truth, err := learn(original.file())
	require.NoError(t, err)
	require.Len(t, truth.records, 67)
	require.Len(t, truth.contents, 2)
	bits := meaningful(original)
	if testing.Short() {
		bits = slices.DeleteFunc(bits, func(bit int) bool { return bit%101 != 0 })
	}

	defer debug.SetGCPercent(debug.SetGCPercent(2000)) // all garbage, and little of it at a time
	var noticed atomic.Int64
	var group sync.WaitGroup
	for part := range slices.Chunk(bits, len(bits)/runtime.GOMAXPROCS(0)+1) {
		group.Go(func() {
			b := slices.Clone(original)
			for _, bit := range part {
				b[bit/8] ^= 1 << (bit % 8)
				if flipped(t, b, truth, bit) {
					noticed.Add(1)
				} else {
					t.Logf("harmless: bit %d of byte %d", bit%8, bit/8)
				}
				b[bit/8] ^= 1 << (bit % 8)
			}
		})
	}
	group.Wait()
	t.Logf("%d pages, %d bits flipped, %d noticed, the others did no harm", len(original)/pages.Size, len(bits), noticed.Load())
}

// TestUnusedBytes fills all bytes that mean nothing with noise: nobody must
// notice.
func TestUnusedBytes(t *testing.T) {
	original := small(t)
	truth, err := learn(original.file())
	require.NoError(t, err)
	random := rand.New(rand.NewPCG(1, 2))
	for range 10 {
		b := slices.Clone(original)
		for i, used := range used(original) {
			if !used {
				b[i] = byte(random.Uint32())
			}
		}
		e, err := learn(b.file())
		require.NoError(t, err)
		require.Empty(t, e.wrong(truth, nil))
		_, err = verify(b.file(), VerifyOptions{})
		require.NoError(t, err)
	}
}

// flipped checks one damaged image, and tells whether Verify noticed.
func flipped(t *testing.T, b image, truth everything, bit int) bool {
	defer func() {
		if p := recover(); p != nil {
			t.Errorf("bit %d (byte %d): panic: %v\n%s", bit, bit/8, p, debug.Stack())
		}
	}()
	e, err := learn(b.file())
	if wrong := e.wrong(truth, err); wrong != "" {
		t.Errorf("bit %d (byte %d): wrong %s, error %v", bit, bit/8, wrong, err)
	}
	_, verr := verify(b.file(), VerifyOptions{})
	if err != nil && verr == nil {
		t.Errorf("bit %d (byte %d): Verify misses %v", bit, bit/8, err)
	}
	for _, err := range []error{err, verr} {
		if err != nil && !errors.Is(err, ErrDamaged) {
			t.Errorf("bit %d (byte %d): no Damage: %v", bit, bit/8, err)
		}
	}
	return verr != nil
}

// TestEveryBitForWriting opens damaged journals for writing, adds a record and
// a snapshot, deletes one, and reads everything again: bbolt must neither
// bring the process down nor make anything worse unnoticed.
func TestEveryBitForWriting(t *testing.T) {
	original := small(t)
	truth, err := learn(original.file())
	require.NoError(t, err)
	bits := meaningful(original)
	if !*long {
		bits = slices.DeleteFunc(bits, func(bit int) bool { return bit%53 != 0 })
	}
	path := filepath.Join(t.TempDir(), "flipped")
	opened := 0
	for _, bit := range bits {
		b := slices.Clone(original)
		b[bit/8] ^= 1 << (bit % 8)
		require.NoError(t, os.WriteFile(path, b, 0o600))
		f, err := Open(path, Options{bulk: true})
		if err != nil {
			continue
		}
		opened++
		writeOn(t, f, truth, bit)
	}
	t.Logf("%d of %d opened", opened, len(bits))
}

// writeOn writes to a journal that has been damaged and opened all the same.
func writeOn(t *testing.T, f *File, truth everything, bit int) {
	err := f.Append(samples(68, 100)...)
	var w SnapshotWriter
	if err == nil {
		w, err = f.CreateSnapshot(90, sample(90).Fingerprint)
	}
	if err == nil {
		_, err = w.Write(content(9000))
	}
	if err == nil {
		err = w.Commit()
	}
	if err == nil {
		err = f.DeleteSnapshot(33)
	}
	require.NoError(t, f.Close())
	if err != nil {
		return
	}
	_, verr := Verify(f.Path(), VerifyOptions{})
	b, err := os.ReadFile(f.Path())
	require.NoError(t, err)
	e, err := learn(image(b).file())
	if len(e.records) > 67 {
		e.records = e.records[:67]
	}
	for i := range e.records {
		if !sameRecord(e.records[i], truth.records[i]) {
			t.Errorf("bit %d: wrong record %d", bit, i+1)
		}
	}
	if err != nil && verr == nil {
		t.Errorf("bit %d: Verify misses %v", bit, err)
	}
}
