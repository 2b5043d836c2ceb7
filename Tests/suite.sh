#!/bin/sh
# Runs the tests and prints the failures again at the end of the long output. Usage: Tests/suite.sh COMMAND...
set -eu
mkdir -p .build
log=.build/test.log
{ status=0; "$@" 2>&1 || status=$?; echo $status >.build/test.status; } | tee $log
status=$(cat .build/test.status)
[ "$status" = 0 ] || grep -a -A 3 -E '^(✘|↳).*(recorded an issue|failed|caught)' $log | head -200 || true
exit "$status"
