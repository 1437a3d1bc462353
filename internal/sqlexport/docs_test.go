package sqlexport

import (
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/internal/oplog"
	"github.com/stretchr/testify/require"
)

// asked is a query of a document with its result.
var asked = regexp.MustCompile("(?s)```sql\n(.*?)```\n\n```text\n(.*?)```")

// Every query of docs/sql.md has the result that stands below it.
func TestQueriesOfTheDocument(t *testing.T) {
	document, err := os.ReadFile("../../docs/sql.md")
	require.NoError(t, err)
	db := export(t, fresh(t, events.Current), recording(t, "../../docs/sql/night.ndjson"))
	queries := asked.FindAllStringSubmatch(string(document), -1)
	require.Equal(t, strings.Count(string(document), "```sql\n"), len(queries), "a query without a result")
	require.GreaterOrEqual(t, len(queries), 7)
	for _, query := range queries {
		found, err := db.Query(query[1])
		require.NoError(t, err, query[1])
		columns, err := found.Columns()
		require.NoError(t, err)
		require.NoError(t, found.Close())
		shown := strings.Join(columns, "|") + "\n"
		for _, row := range rows(t, db, query[1]) {
			texts := make([]string, len(row))
			for i, value := range row {
				if value != nil {
					texts[i] = fmt.Sprint(value)
				}
			}
			shown += strings.Join(texts, "|") + "\n"
		}
		require.Equal(t, query[2], shown, query[1])
	}
}

// recording reads the operations of a file.
func recording(t *testing.T, name string) (list []events.Event) {
	t.Helper()
	file, err := os.Open(name)
	require.NoError(t, err)
	defer file.Close()
	reader, err := oplog.Open(name, file)
	require.NoError(t, err)
	defer reader.Close()
	for {
		entry, err := reader.Next()
		if err == io.EOF {
			return list
		}
		require.NoError(t, err)
		e, err := events.Current.Parse(entry.Operation)
		require.NoError(t, err)
		list = append(list, e)
	}
}
