package sqlexport

import (
	"context"
	"database/sql/driver"
	_ "embed"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"modernc.org/sqlite"
)

// What marks a database as one of ours.
const (
	// Version is the version of the tables and views; PRAGMA user_version has
	// it.
	Version = 1
	// ApplicationID is the value of PRAGMA application_id: "Leas".
	ApplicationID = 0x4c656173
)

//go:embed schema.sql
var schema string

//go:embed views.sql
var views string

// building are the settings for a file that nobody else sees, and that is worth
// nothing until it is whole.
const building = `
PRAGMA page_size = 4096;
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
PRAGMA locking_mode = EXCLUSIVE;
PRAGMA cache_size = -65536;
PRAGMA temp_store = FILE;`

// connection is the part of the driver's connection that is used. A million
// events make several million rows, which package sql would take twice the time
// for.
type connection interface {
	driver.Conn
	driver.ExecerContext
}

// database is a database that is being made.
type database struct {
	connection connection
	tables     []*table
}

// open makes a database with empty tables.
func open(path string) (*database, error) {
	name, err := address(path)
	if err != nil {
		return nil, err
	}
	opened, err := new(sqlite.Driver).Open(name)
	if err != nil {
		return nil, err
	}
	d := &database{connection: opened.(connection)}
	marks := fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d;", ApplicationID, Version)
	if err := d.run(building, marks, "BEGIN", schema); err != nil {
		return nil, errors.Join(err, d.close())
	}
	return d, nil
}

// address is a path as a URI: in a plain path the driver takes what follows a
// question mark for settings.
func address(path string) (string, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	absolute = filepath.ToSlash(absolute)
	if !strings.HasPrefix(absolute, "/") {
		absolute = "/" + absolute // a drive
	}
	return (&url.URL{Scheme: "file", Path: absolute}).String(), nil
}

// run executes statements.
func (d *database) run(statements ...string) error {
	for _, s := range statements {
		if _, err := d.connection.ExecContext(context.Background(), s, nil); err != nil {
			return err
		}
	}
	return nil
}

// finish makes the indexes and the views, and closes the database.
func (d *database) finish() error {
	err := d.run(views, "PRAGMA analysis_limit = 1000", "ANALYZE", "COMMIT")
	return errors.Join(err, d.close())
}

// close lets go of the database, whatever state it is in. It may be called
// again.
func (d *database) close() error {
	if d.connection == nil {
		return nil
	}
	var errs []error
	for _, t := range d.tables {
		errs = append(errs, t.statement.Close())
	}
	errs = append(errs, d.connection.Close())
	d.connection, d.tables = nil, nil
	return errors.Join(errs...)
}

// table takes rows of one table.
type table struct {
	statement driver.Stmt
	insert    driver.StmtExecContext
	values    []driver.NamedValue
	rows      uint64
}

// table prepares a table that has so many columns.
func (d *database) table(name string, columns int) (*table, error) {
	places := strings.TrimSuffix(strings.Repeat("?, ", columns), ", ")
	statement, err := d.connection.Prepare(fmt.Sprintf("INSERT INTO %s VALUES (%s)", name, places))
	if err != nil {
		return nil, err
	}
	t := &table{statement: statement, insert: statement.(driver.StmtExecContext), values: make([]driver.NamedValue, columns)}
	for i := range t.values {
		t.values[i].Ordinal = i + 1
	}
	d.tables = append(d.tables, t)
	return t, nil
}

// add inserts a row: int64, string, or nil for NULL, in the columns' order.
func (t *table) add(row ...any) error {
	if len(row) != len(t.values) {
		panic(fmt.Sprintf("sqlexport: a row of %d values for %d columns", len(row), len(t.values)))
	}
	for i, v := range row {
		t.values[i].Value = v
	}
	t.rows++
	_, err := t.insert.ExecContext(context.Background(), t.values)
	return err
}
