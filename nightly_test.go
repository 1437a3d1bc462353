package leasekeeper_test

import (
	"flag"
	"fmt"
	"os"
	"testing"
)

var nightly = flag.Bool("nightly", false, "look at a hundred times as many histories: go test . -nightly -timeout 4h")

// TestMain gives every property more to do at night, unless the number is
// given too.
func TestMain(m *testing.M) {
	flag.Parse()
	if *nightly && flag.Lookup("rapid.checks").Value.String() == "100" {
		if err := flag.Set("rapid.checks", "10000"); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
	}
	os.Exit(m.Run())
}
