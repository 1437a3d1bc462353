package history_test

import (
	"fmt"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/history"
)

func ExampleGenerate() {
	profile, _ := history.ProfileNamed("contention") // the name is known to exist
	h := history.Generate(events.Current, profile, 3, 8)
	for _, event := range h.Events {
		fmt.Printf("%s\n", events.AppendJSON(nil, event))
	}
	_, differs, _ := history.Check(h) // the rules are known to exist
	fmt.Println("differs:", differs)
	// Output:
	// ["acquire",11,"c5","L1",3]
	// ["acquire",11,"c2","L1",86400]
	// ["acquire",12,"c4","L1",3]
	// ["release",13,"c5","L1"]
	// ["acquire",13,"c5","L1",1]
	// ["inspect",13,"L1"]
	// ["release",13,"c2","L1"]
	// ["release",13,"c4","L1"]
	// differs: false
}
