package events_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/leasekeeper/leasekeeper/events"
)

// An acquire with names of about twenty bytes stands for the usual event.
var (
	usualEvent events.Event = events.Acquire{At: 1700000000, Client: "batch/etl-worker-0042", Lock: "exports/daily/eu-west", TTL: 60, Mode: events.Exclusive}
	usualText               = events.AppendJSON(nil, usualEvent)
)

func BenchmarkParse(b *testing.B) {
	for name, text := range map[string]string{
		"acquire": string(usualText),
		"escapes": `["acquire",1700000000,"batch\/etl-worker-0042","exports\/daily\/eu-west\u00e9",60]`,
		"invalid": `["acquire",1700000000,"batch/etl-worker-0042","exports/daily/eu-west",60.5]`,
		"repeat":  `["repeat",5,1000,1,["acquire","job{i}","L{i%100}",60]]`,
	} {
		b.Run(name, func(b *testing.B) {
			source := []byte(text)
			b.ReportAllocs()
			for b.Loop() {
				_, _ = events.Current.Parse(source)
			}
		})
	}
}

func BenchmarkAdmit(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		events.Current.Admit(usualEvent)
	}
}

func BenchmarkAppend(b *testing.B) {
	buffer := make([]byte, 0, 256)
	b.ReportAllocs()
	for b.Loop() {
		events.Append(buffer, usualEvent)
	}
}

func BenchmarkAppendJSON(b *testing.B) {
	buffer := make([]byte, 0, 256)
	b.ReportAllocs()
	for b.Loop() {
		events.AppendJSON(buffer, usualEvent)
	}
}

// BenchmarkDecode has the cost of the event's own three allocations beside it,
// below which no decoder can be.
func BenchmarkDecode(b *testing.B) {
	encoded := events.Append(nil, usualEvent)
	b.Run("acquire", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			_, _ = events.Decode(encoded)
		}
	})
	b.Run("allocations", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			keep = events.Acquire{Client: string(encoded[8:29]), Lock: string(encoded[30:51])}
		}
	})
}

// keep keeps the compiler from dropping an allocation.
var keep events.Event

func BenchmarkCompileTemplate(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		events.CompileTemplate(`["acquire","job{i}","L{i%100}",60]`)
	}
}

func BenchmarkTemplateEvent(b *testing.B) {
	for name, text := range map[string]string{
		"acquire": `["acquire","job{i}","L{i%100}",60]`,
		"write":   `["write","L{i+1%100}","part","some value",1]`,
		"invalid": `["acquire","job{i}","L{i%100}",0]`,
	} {
		b.Run(name, func(b *testing.B) {
			template, ok := events.CompileTemplate(text)
			require.True(b, ok)
			b.ReportAllocs()
			for i := int64(0); b.Loop(); i++ {
				template.Event(events.Current, 1700000000, i)
			}
		})
	}
}
