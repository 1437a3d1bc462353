package journal

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"hash/crc32"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/vmihailenco/msgpack/v5"
	"pgregory.net/rapid"

	"github.com/leasekeeper/leasekeeper/events"
)

// TestRecordIsMsgpack: any msgpack library can read a record.
func TestRecordIsMsgpack(t *testing.T) {
	r := sample(1)
	r.Marks = Clamped
	entry := r.append(nil)
	var array []any
	require.NoError(t, msgpack.Unmarshal(entry[keySize:], &array))
	text, _ := r.Answer.JSON()
	event := []any{int8(1), uint32(1_700_000_001), "client-0000000000001", "exports/daily/000001", uint16(3600), int8(1)}
	sum := crc32.Checksum(entry[:len(entry)-5], crc32.MakeTable(crc32.Castagnoli))
	require.Equal(t, []any{int8(1), r.Fingerprint[:], string(text), event, sum}, array)
}

// TestGenesisIsMsgpack: and a genesis.
func TestGenesisIsMsgpack(t *testing.T) {
	g := testGenesis()
	var array []any
	require.NoError(t, msgpack.Unmarshal(g.encode(), &array))
	require.Equal(t, []any{"leasekeeper journal", int8(1), int8(3), int8(1), g.ID[:], int8(0), nil}, array[:7])
	g.Base = Head{Sequence: 160, Hash: sha256.Sum256(nil)}
	array = nil
	require.NoError(t, msgpack.Unmarshal(g.encode(), &array))
	require.Equal(t, []any{uint8(160), g.Base.Hash[:]}, array[5:7])
}

// TestRecordsRoundTrip: what is stored comes back, and there is one form.
func TestRecordsRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := Record{
			Sequence: rapid.Uint64().Draw(t, "sequence"),
			Event:    append([]byte{0x90 | byte(rapid.IntRange(0, 15).Draw(t, "elements"))}, rapid.SliceOf(rapid.Byte()).Draw(t, "event")...),
			Answer:   NewAnswer(bytes.Repeat([]byte("a"), rapid.IntRange(1, MaxAnswer+3).Draw(t, "answer"))),
			Marks:    Mark(rapid.IntRange(0, int(marksEnd)-1).Draw(t, "marks")),
		}
		copy(r.Fingerprint[:], rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "fingerprint"))
		require.NoError(t, r.validate())
		got, reason := decodeRecord(r.append(nil))
		require.Empty(t, reason)
		require.True(t, sameRecord(r, got))
	})
}

// TestMalformedEntries have right checksums and are refused all the same.
func TestMalformedEntries(t *testing.T) {
	r := sample(7)
	whole := r.append(nil)
	for name, spoil := range map[string]func([]byte) []byte{
		"no array":       func(b []byte) []byte { b[8] = 0x85; return b },
		"other length":   func(b []byte) []byte { b[8] = 0x96; return b },
		"unknown mark":   func(b []byte) []byte { b[9] = 4; return b },
		"no fingerprint": func(b []byte) []byte { b[10] = 0xd9; return b },
		"short":          func(b []byte) []byte { return b[:20] },
		"empty answer":   func(b []byte) []byte { return append(b[:28:28], 0xa0, 0x91, 1) },
		"long form": func(b []byte) []byte {
			return slices.Insert(b, 28, 0xd9)[:40]
		},
		"answer beyond its bounds": func(b []byte) []byte { return append(b[:28:28], 0xda, 0x10, 0x01) },
		"hash of 31 bytes":         func(b []byte) []byte { return append(append(b[:28:28], 0xc4, 31), make([]byte, 40)...) },
		"no event":                 func(b []byte) []byte { return append(b[:28:28], 0xa1, '0') },
		"event is no array":        func(b []byte) []byte { return append(b[:28:28], 0xa1, '0', 0xa1, '0') },
		"nothing":                  func(b []byte) []byte { return nil },
	} {
		b := spoil(slices.Clone(whole[:len(whole)-checksumSize]))
		_, reason := decodeRecord(appendChecksum(b, 0))
		require.NotEmpty(t, reason, name)
	}
}

// TestGenesisForms: newer formats and genesis that cannot be are told apart.
func TestGenesisForms(t *testing.T) {
	random := bytes.NewReader(content(20))
	g, err := NewGenesis(events.Current, random)
	require.NoError(t, err)
	require.Equal(t, content(16), g.ID[:])
	_, err = NewGenesis(events.Current, random)
	require.ErrorContains(t, err, "no random id")
	_, err = NewGenesis(events.Rules{}, nil)
	require.ErrorContains(t, err, "edition")
	other, err := NewGenesis(events.Current, nil)
	require.NoError(t, err)
	require.NotEqual(t, g.ID, other.ID)

	newer := g
	newer.Format = Format + 1
	_, reason, err := decodeGenesis(newer.encode())
	require.Empty(t, reason)
	require.ErrorIs(t, err, ErrFormat)
	for _, spoil := range []func(*Genesis){
		func(g *Genesis) { g.Format = 0 },
		func(g *Genesis) { g.Rules.Edition = 9 },
		func(g *Genesis) { g.Rules.Unit = 60 },
		func(g *Genesis) { g.Base = Head{Sequence: 17, Hash: sha256.Sum256(nil)} },
	} {
		bad := g
		spoil(&bad)
		_, reason, err := decodeGenesis(bad.encode())
		require.True(t, reason != "" && err == nil)
	}
	_, reason, _ = decodeGenesis(nil)
	require.NotEmpty(t, reason)
	require.NotEqual(t, g.identity(), other.identity())
	compacted := g
	compacted.Base = Head{Sequence: 16, Hash: sha256.Sum256(nil)}
	require.Equal(t, g.identity(), compacted.identity())
}

// TestHeadText: what is printed can be read.
func TestHeadText(t *testing.T) {
	h := Head{Sequence: 812, Hash: sha256.Sum256([]byte("x"))}
	got, err := ParseHead(h.String())
	require.NoError(t, err)
	require.Equal(t, h, got)
	for _, text := range []string{"", "812", "812:ab", ":" + strings.Repeat("0", 64), "x:" + strings.Repeat("0", 64), "-1:" + strings.Repeat("0", 64), "1:" + strings.Repeat("0", 66)} {
		_, err := ParseHead(text)
		require.Error(t, err, text)
	}
}

// TestDamageText: an error names part, reason and place.
func TestDamageText(t *testing.T) {
	d := &Damage{Part: "record 812", Sequence: 812, Offset: 8200, Length: 100, Reason: "its checksum does not match"}
	require.EqualError(t, d, "journal: record 812 is damaged: its checksum does not match (bytes 8200 to 8299 of the file, page 2)")
	require.ErrorIs(t, d, ErrDamaged)
	require.False(t, errors.Is(d, ErrFailed))
	require.EqualError(t, &Damage{Part: "the genesis", Reason: "it is missing"}, "journal: the genesis is damaged: it is missing")
}

// FuzzDecode: no bytes make the decoders panic, and what they accept is in its
// only form.
func FuzzDecode(f *testing.F) {
	r := sample(1)
	f.Add(r.append(nil)[:40])
	f.Add(testGenesis().encode())
	f.Add(Snapshot{Sequence: 1, Bytes: 1 << 40}.encode())
	f.Fuzz(func(t *testing.T, b []byte) {
		entry := appendChecksum(slices.Clone(b), 0)
		if r, reason := decodeRecord(entry); reason == "" {
			require.Equal(t, entry, r.append(nil))
		}
		if s, reason := decodeSnapshot(entry); reason == "" {
			require.Equal(t, entry[keySize:], s.encode())
		}
		value := appendChecksum(append([]byte(genesisKey), b...), 0)[len(genesisKey):]
		if g, reason, err := decodeGenesis(value); reason == "" && err == nil {
			require.Equal(t, value, g.encode())
		}
	})
}
