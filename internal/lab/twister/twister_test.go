package twister

import (
	"bufio"
	"bytes"
	"fmt"
	"math"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mathext/prng"
)

// The first numbers of mt19937ar.out, which the authors of the generator publish
// with it, for the key 0x123, 0x234, 0x345, 0x456.
func TestTheGeneratorGivesItsPublishedNumbers(t *testing.T) {
	bits := prng.NewMT19937()
	bits.SeedFromKeys([]uint32{0x123, 0x234, 0x345, 0x456})
	for i, want := range []uint32{
		1067595299, 955945823, 477289528, 4107218783, 4228976476,
		3344332714, 3355579695, 227628506, 810200273, 2591290167,
	} {
		require.Equal(t, want, bits.Uint32(), i)
	}
}

// What CPython 3.11 draws: three times random(), then, from the seed again, one
// expovariate(2.0). The seeds have one word and two.
func TestSeedsGiveWhatPythonDraws(t *testing.T) {
	for _, test := range []struct {
		seed   uint64
		random [3]float64
		waits  float64
	}{
		{0, [3]float64{0x1.b0580f98a7dbep-1, 0x1.84129978f9c1ap-1, 0x1.aeaa51052e978p-2}, 0.9303035555326117},
		{11, [3]float64{0x1.cf3c95eed0a4ap-2, 0x1.1e9a7c76d6d7ep-1, 0x1.d9322131ff7a0p-1}, 0.301086423948575},
		{23, [3]float64{0x1.d987f031e167ep-1, 0x1.e5afa8128dfe8p-1, 0x1.c8ed05f518dd7p-1}, 1.2942360662472432},
		{1<<32 - 1, [3]float64{0x1.454d9227a7013p-1, 0x1.a0274a3720bf8p-3, 0x1.36f8c1616ef77p-1}, 0.5044188521118893},
		{1 << 32, [3]float64{0x1.ced31cb3df170p-4, 0x1.abdb5477a4f26p-2, 0x1.1139c02ebd380p-6}, 0.059951935807909223},
		{1<<64 - 1, [3]float64{0x1.659799fd7f980p-6, 0x1.5a35a94f333d8p-2, 0x1.b21c0274c09a4p-3}, 0.011033699633267348},
	} {
		python := New(test.seed)
		for i, want := range test.random {
			require.Equal(t, want, python.Random(), "seed %d, number %d", test.seed, i)
		}
		requireAlmost(t, test.waits, New(test.seed).Expovariate(2), "seed %d", test.seed)
	}
}

// Where there is a Python, it draws the same numbers, over more than the
// blocks of 624 words that it makes at once.
func TestPythonDrawsTheSameNumbers(t *testing.T) {
	path, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3")
	}
	for _, seed := range []uint64{0, 1, 11, 23, 1<<32 + 7, 1<<64 - 1} {
		script := fmt.Sprintf("import random\nr = random.Random(%d)\n"+
			"for _ in range(2000): print(r.random().hex(), r.expovariate(1 / 12.0).hex())", seed)
		out, err := exec.CommandContext(t.Context(), path, "-c", script).Output()
		require.NoError(t, err)
		python := New(seed)
		lines := bufio.NewScanner(bytes.NewReader(out))
		count := 0
		for ; lines.Scan(); count++ {
			var random, waits float64
			_, err := fmt.Sscanf(lines.Text(), "%g %g", &random, &waits)
			require.NoError(t, err)
			require.Equal(t, random, python.Random(), "seed %d, number %d", seed, count)
			requireAlmost(t, waits, python.Expovariate(1/12.0), "seed %d, number %d", seed, count)
		}
		require.Equal(t, 2000, count)
	}
}

// requireAlmost allows for the last bits of a logarithm and a division.
func requireAlmost(t *testing.T, want, got float64, about string, arguments ...any) {
	t.Helper()
	require.LessOrEqual(t, math.Abs(got-want), 4e-16*math.Abs(want), append([]any{about}, arguments...)...)
}
