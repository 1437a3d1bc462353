// Package persist holds the persistent containers that a state is made of:
// Vector, Tree, Index and Schedule, whose copies share what they have in
// common.
//
// A container is a small value; assigning it is a fork and costs O(1). Both
// copies may then be changed, each by its own writer, without either seeing
// the other. Every node carries the Owner that made it. A writer changes a
// node in place if the node is its own, and otherwise copies it first, so the
// first change after a fork copies one path and later changes of the same
// rows copy nothing.
//
// The rule that makes this safe: a fork is complete only when every writer
// that could have changed the nodes takes a new Owner. Reading needs no owner
// and is safe from any number of goroutines, as long as no writer still has
// the owner of the nodes that are read.
package persist

// Owner is the mark of one writer. Two owners are never equal, whatever they
// hold, because they are compared by address.
type Owner struct{ _ byte }

// NewOwner returns a mark that no node carries yet.
func NewOwner() *Owner { return new(Owner) }
