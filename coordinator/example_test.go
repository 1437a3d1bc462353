package coordinator_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/leasekeeper/leasekeeper/coordinator"
)

// One leader at a time, and a former leader's writes are refused.
func Example() {
	clock := coordinator.NewManualClock(time.Date(2030, 6, 1, 12, 0, 0, 0, time.UTC))
	c, err := coordinator.New(coordinator.WithClock(clock))
	if err != nil {
		panic(err)
	}
	defer c.Close()
	ctx := context.Background()

	first, err := c.Grant(ctx, "exports", 5*time.Second)
	if err != nil {
		panic(err)
	}
	fmt.Println("token", first.Token, "until", first.ExpiresAt.Format(time.TimeOnly))
	_, err = c.Grant(ctx, "exports", 5*time.Second)
	fmt.Println("held:", errors.Is(err, coordinator.ErrLeaseHeld))

	clock.Advance(6 * time.Second) // timeout and margin are over
	second, err := c.Grant(ctx, "exports", 5*time.Second)
	if err != nil {
		panic(err)
	}
	fmt.Println("token", second.Token)
	fmt.Println("may write:", c.CheckToken("exports", first.Token), c.CheckToken("exports", second.Token))
	// Output:
	// token 1 until 12:00:06
	// held: true
	// token 2
	// may write: false true
}

// Watch follows a key.
func ExampleCoordinator_Watch() {
	clock := coordinator.NewManualClock(time.Date(2030, 6, 1, 12, 0, 0, 0, time.UTC))
	c, err := coordinator.New(coordinator.WithClock(clock))
	if err != nil {
		panic(err)
	}
	ctx := context.Background()
	if _, err := c.Grant(ctx, "exports", 5*time.Second); err != nil {
		panic(err)
	}
	for change := range c.Watch(ctx, "exports") {
		fmt.Println(change.Kind, "token", change.Token, change.Instant.Format(time.TimeOnly))
		switch change.Kind {
		case coordinator.Held:
			clock.Advance(time.Minute)
		case coordinator.Expired:
			_ = c.Close() // ends the watch
		}
	}
	// Output:
	// held token 1 12:00:00
	// expired token 1 12:00:06
}
