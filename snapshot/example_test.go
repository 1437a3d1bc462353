package snapshot_test

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/snapshot"
)

// A state is written, looked at, and read back to go on from.
func Example() {
	s, err := fsm.New(events.Current)
	if err != nil {
		fmt.Println(err)
		return
	}
	s, _ = fsm.Apply(s, events.Acquire{At: 0, Client: "etl-a", Lock: "exports/daily", TTL: 30, Mode: events.Exclusive})
	s, _ = fsm.Apply(s, events.Acquire{At: 5, Client: "etl-b", Lock: "exports/daily", TTL: 20, Mode: events.Exclusive})

	var file bytes.Buffer
	written, err := snapshot.Write(&file, s)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d bytes: %d clients, %d lease, %d request\n",
		written.Size, written.Rows.Clients, written.Rows.Leases, written.Rows.Requests)

	header, err := snapshot.ReadHeader(bytes.NewReader(file.Bytes()))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("after event %d, t=%d, edition %d\n", header.Sequence, header.Clock, header.Rules.Edition)

	restored, err := snapshot.Read(bytes.NewReader(file.Bytes()))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("the same state:", restored.Fingerprint() == s.Fingerprint())
	_, result := fsm.Apply(restored, events.Release{At: 8, Client: "etl-a", Lock: "exports/daily"})
	for _, effect := range result.Effects {
		fmt.Println(effect)
	}

	file.Bytes()[90] ^= 4 // a bit of the disk has turned
	_, err = snapshot.Read(&file)
	fmt.Println(errors.Is(err, snapshot.ErrCorrupt), err)
	// Output:
	// 161 bytes: 2 clients, 1 lease, 1 request
	// after event 2, t=5, edition 3
	// the same state: true
	// t=8 released exports/daily etl-a token 1 (release)
	// t=8 granted exports/daily etl-b exclusive token 2 until 28 (release)
	// true snapshot: corrupt, chunk 1 (bytes 49 to 120): the checksum does not match
}
