package picture

import (
	"bytes"
	"encoding/xml"
	"io"
	"strings"
	"testing"

	"github.com/leasekeeper/leasekeeper/internal/lab"
	"github.com/stretchr/testify/require"
)

// texts are what stands in a picture to read, which has to be well-formed.
func texts(t *testing.T, svg []byte) (list []string) {
	t.Helper()
	decoder := xml.NewDecoder(bytes.NewReader(svg))
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			return list
		}
		require.NoError(t, err)
		if text, ok := token.(xml.CharData); ok && strings.TrimSpace(string(text)) != "" {
			list = append(list, string(text))
		}
	}
}

// A sweep's picture has its measured values, axes and legend, and nothing is drawn
// outside of it.
func TestPicturesOfTheSweeps(t *testing.T) {
	for name, values := range map[string][]string{
		"sizing": {"zombies, in % (logarithmic)", "length of the lease, in s (logarithmic)", "measured", "expected", "99 % of runs", "0.001"},
		"gap":    {"a stall begins in the gap", "the gap takes time as well", "1000"},
	} {
		x, err := lab.Find(name)
		require.NoError(t, err)
		o, err := x.Run(lab.Setting{Seed: x.Seed, Operations: 300})
		require.NoError(t, err)
		svg := SVG(o.Plot)
		require.Equal(t, svg, SVG(o.Plot))
		require.NotContains(t, string(svg), "NaN")
		require.NotContains(t, string(svg), "Inf")
		read := texts(t, svg)
		for _, value := range values {
			require.Contains(t, read, value, name)
		}
		points := 0
		for _, panel := range o.Plot.Panels {
			for _, s := range panel.Series {
				points += len(s.Points)
			}
		}
		require.Equal(t, points, strings.Count(string(svg), `stroke-width="1.2"`), name)
	}
}

// Titles are texts, whatever they contain, and values beyond an axis lie at its
// end.
func TestTitlesAreTexts(t *testing.T) {
	title := `</title><script>alert(1)</script> & "quotes" ` + "\x00"
	axis := lab.Axis{Title: title, Unit: "<b>", Log: true, Low: 1, High: 10, Ticks: []float64{1, 10}}
	svg := SVG(&lab.Plot{Title: title, X: axis, Panels: []lab.Panel{{Y: axis, Series: []lab.Series{{
		Name: title, Points: []lab.Point{{X: 0, Y: -5}, {X: 1e9, Y: 1e9}},
	}}}}})
	require.NotContains(t, string(svg), "<script")
	require.Contains(t, texts(t, svg), strings.ReplaceAll(title, "\x00", "\ufffd"))
	require.Contains(t, string(svg), `cx="70.0" cy="376.0"`)
	require.Contains(t, string(svg), `cx="770.0" cy="106.0"`)
}
