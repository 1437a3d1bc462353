// Package picture draws the plots of the lab as SVG: axes with lines to read
// values off, the points that were measured, the curve that the distributions give,
// and a band for what 99 % of all runs show. The same plot always gives the same
// bytes, and they are well-formed XML whatever the titles are.
package picture
