#!/bin/sh
# Puts a command that reads an operation a line and prints an answer a line behind
# the process protocol of the conformance check:
#
#   leasekeeper fuzz --against 'sh docs/conformance/shell/lines.sh COMMAND ARGUMENT…'
#
# In the process protocol each operation stands on a line of its own: [ in front of
# the first, a comma behind each but the last, ] behind that. So sed can take the
# array apart, and no number is read and written again, as jq before 1.7 would. The
# status is that of the command. LEASEKEEPER_EDITION and LEASEKEEPER_UNIT are in its
# environment.
sed -e '1s/^\[//' -e '$s/\]$//' -e 's/,$//' -e '/^$/d' | "$@"
