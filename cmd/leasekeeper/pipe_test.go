package main

import (
	"bufio"
	"fmt"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
)

// A program sends an operation, waits for the answer, and only then sends the
// next. The command must not keep an answer back, nor wait for more input than
// it needs.
func TestRunAnswersAClientInLockStep(t *testing.T) {
	cmd := exec.Command("leasekeeper", "run", "-")
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	answers := bufio.NewReader(out)
	for i := 1; i <= 20; i++ {
		_, err := fmt.Fprintf(in, "[\"acquire\", %d, \"client-%d\", \"L\", 1]\n", i, i)
		require.NoError(t, err)
		answer, err := answers.ReadString('\n')
		require.NoError(t, err)
		require.Equal(t, fmt.Sprintf("[\"granted\",%d,%d]\n", i, i+1), answer)
	}
	require.NoError(t, in.Close())
	require.NoError(t, cmd.Wait())
}
