package projection

// DescribeActivity draws buckets, each with its operations by answer, and the
// counts over all of them.
func DescribeActivity(buckets []Bucket, totals []ActivityCount) string {
	var d drawing
	for i := range buckets {
		for _, c := range buckets[i].Counts {
			d.row(buckets[i].From, c.operation(), c.Answer, c.Times)
		}
	}
	d.draw("activity", "from | operation | answer | times")
	for _, c := range totals {
		d.row(c.operation(), c.Answer, c.Times)
	}
	d.draw("in all", "operation | answer | times")
	return d.String()
}

func (c *ActivityCount) operation() string {
	if c.Run {
		return c.Operation + " (run)"
	}
	return c.Operation
}
