package audit

import "encoding/json"

// leasesOf reads the rows of a view's holders, or of a status' leases: four
// columns each, as JSON texts. What does not have that form gives no rows.
func leasesOf(text string) (rows [][4]string) {
	var list [][]json.RawMessage
	if json.Unmarshal([]byte(text), &list) != nil {
		return nil
	}
	for _, columns := range list {
		if len(columns) != 4 {
			return nil
		}
		var row [4]string
		for i, c := range columns {
			row[i] = compacted(c)
		}
		rows = append(rows, row)
	}
	return rows
}

// unquoted is the text of a JSON string, "" if it is none.
func unquoted(text string) (plain string) {
	if json.Unmarshal([]byte(text), &plain) != nil {
		return ""
	}
	return plain
}
