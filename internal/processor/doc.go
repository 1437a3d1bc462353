// Package processor tells how much of the processors this process has used, for
// benchmarks and tables: on a shared machine that says more than time passed.
package processor
