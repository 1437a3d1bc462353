package lab

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// column is what people read in the columns of a table, row by row.
func column(t *testing.T, o *Outcome, keys ...string) (rows []string) {
	t.Helper()
	for _, row := range o.Table.Rows {
		var cells []string
		for i, c := range o.Table.Columns {
			for _, key := range keys {
				if c.Key == key {
					cells = append(cells, c.Cell(row[i]))
				}
			}
		}
		require.Len(t, cells, len(keys))
		rows = append(rows, strings.Join(cells, " | "))
	}
	return rows
}

func reference(t *testing.T, x Experiment) *Outcome {
	t.Helper()
	o, err := x.Run(x.Reference())
	require.NoError(t, err)
	for _, c := range o.Claims {
		require.True(t, c.Holds, "%+v", c)
	}
	return o
}

// The figures of the reference runs are those that are known of these
// distributions, seeds and 20,000 operations, to the last digit.
func TestSizingGivesTheKnownFigures(t *testing.T) {
	require.Equal(t, []string{
		"1 s | 3306 | 16.53 % | 0.9 ms", "5 s | 226 | 1.13 % | 4.5 ms", "10 s | 102 | 0.51 % | 9.0 ms",
		"30 s | 9 | 0.04 % | 27.0 ms", "60 s | 2 | 0.01 % | 54.0 ms",
	}, column(t, reference(t, sizing), "ttl_s", "zombies", "zombies_percent", "wait_ms"))
}

func TestDesignsGiveTheKnownFigures(t *testing.T) {
	require.Equal(t, []string{
		"no expiry | 0 | 80", "lease only | 641 | 0", "lease and client check | 12 | 0", "lease and fence | 0 | 0",
	}, column(t, reference(t, designs), "design", "lost", "wedged"))
}

func TestGapsGiveTheKnownFigures(t *testing.T) {
	o := reference(t, gaps)
	require.Equal(t, []string{
		"1 ms | 8 | 1.2 % | 8", "10 ms | 53 | 8.3 % | 54", "100 ms | 201 | 31.4 % | 205", "1000 ms | 465 | 72.5 % | 529",
	}, column(t, o, "gap_ms", "lost", "share_percent", "lost_gap_counted"))
	require.Equal(t, []string{"Without a check, 641 updates of 20000 operations are lost."}, o.Notes)
}

// model is the large experiments in another language: formulas, and no service.
const model = `
import random, sys
seed, n = int(sys.argv[1]), int(sys.argv[2])
rng, zombies, crashes = random.Random(seed), [0] * 5, 0
for _ in range(n):
    work = rng.expovariate(1 / 0.5)
    stall = rng.expovariate(1 / 0.05) if rng.random() > 0.02 else rng.expovariate(1 / 8.0)
    zombies = [z + (work + stall > ttl) for z, ttl in zip(zombies, (1, 5, 10, 30, 60))]
    crashes += rng.random() < 0.001
rng, wedged, lost, slipped = random.Random(seed), 0, 0, [0] * 8
for _ in range(n):
    work = rng.expovariate(1 / 0.5)
    stall = rng.expovariate(1 / 0.05) if rng.random() > 0.05 else rng.expovariate(1 / 12.0)
    where, _ = rng.random(), rng.random()
    wedged += stall > 30
    lost += work + stall > 5
    for i, gap in enumerate((0.001, 0.01, 0.1, 1)):
        inside = where * (work + gap) > work
        check, write = (work, work + stall) if inside else (work + stall, work + stall)
        slipped[2 * i] += check < 5 < write
        slipped[2 * i + 1] += check < 5 < write + gap
print(*zombies, crashes, wedged, lost, *slipped)
`

// Formulas in another language count what the service's answers amount to, for
// seeds that nobody has chosen.
func TestAnswersAmountToWhatFormulasSay(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3")
	}
	const n = 1500
	for _, seed := range []uint64{1, 2, 1 << 40} {
		formulas, err := exec.CommandContext(t.Context(), python, "-c", model, fmt.Sprint(seed), fmt.Sprint(n)).Output()
		require.NoError(t, err)
		setting := Setting{Seed: seed, Operations: n}
		sized, err := sizing.Run(setting)
		require.NoError(t, err)
		compared, err := designs.Run(setting)
		require.NoError(t, err)
		gapped, err := gaps.Run(setting)
		require.NoError(t, err)
		var counted []string
		counted = append(counted, column(t, sized, "zombies")...)
		counted = append(counted, column(t, sized, "crashes")[0], column(t, compared, "wedged")[0], column(t, compared, "lost")[1])
		for _, both := range column(t, gapped, "lost", "lost_gap_counted") {
			counted = append(counted, strings.Split(both, " | ")...)
		}
		require.Equal(t, strings.Fields(string(formulas)), counted, "seed %d", seed)
		require.Equal(t, "0", column(t, compared, "lost")[3], "the fence loses nothing, seed %d", seed)
	}
}
