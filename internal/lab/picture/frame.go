package picture

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/leasekeeper/leasekeeper/internal/lab"
)

// frame is a panel: two axes, and where it stands.
type frame struct {
	x, y lab.Axis
	top  float64
}

func (f frame) atX(v float64) float64 { return left + f.x.Place(v)*(right-left) }
func (f frame) atY(v float64) float64 { return f.top + height - f.y.Place(v)*height }

// at is a point as SVG writes it.
func (f frame) at(x, y float64) string { return fmt.Sprintf("%.1f,%.1f", f.atX(x), f.atY(y)) }

// finer are the lines between the decades of a logarithmic axis.
func finer(a lab.Axis) (list []float64) {
	if !a.Log {
		return nil
	}
	for decade := math.Pow10(int(math.Floor(math.Log10(a.Low)))); decade < a.High; decade *= 10 {
		for step := 2.0; step < 10; step++ {
			if v := decade * step; a.Low < v && v < a.High {
				list = append(list, v)
			}
		}
	}
	return list
}

// describe tells the points to who cannot see them.
func describe(p *lab.Plot) string {
	var text strings.Builder
	for _, panel := range p.Panels {
		for _, s := range panel.Series {
			fmt.Fprintf(&text, "%s, by %s:", s.Name, p.X.Title)
			for i, point := range s.Points {
				if i > 0 {
					text.WriteByte(',')
				}
				fmt.Fprintf(&text, " %s %s %s %s", number(point.X), p.X.Unit, strconv.FormatFloat(point.Y, 'f', panel.Y.Digits, 64), panel.Y.Unit)
			}
			text.WriteString(". ")
		}
	}
	return strings.TrimSpace(text.String())
}

func number(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
