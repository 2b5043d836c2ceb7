#!/bin/bash
# Injects faults into deliveries ROUNDS times: kills processes, fills disks and damages databases. Also kills
# the upgrade of a database with a million messages 50 times. Prints a table with the lost and duplicated
# replies and the slowest recovery for each fault and transport. Requires `make debug`. Usage: chaos.sh ROUNDS
# [SEED]
set -euo pipefail
cd "$(dirname "$0")/.."
export CUTIED_CHAOS=$1
export CUTIED_CHAOS_SEED=${2:-$((RANDOM * 32768 + RANDOM))}
CUTIED_CHAOS_TABLE=$(mktemp)
export CUTIED_CHAOS_TABLE
trap 'rm -f "$CUTIED_CHAOS_TABLE"' EXIT
echo "seed $CUTIED_CHAOS_SEED"

code=0
suites='SuddenDeathTests|OtherDeathTests|DatabaseTests|DiskTests|HostileServerTests|IllConversationTests|ProxyTests|SessionRestartTests|LargeMigrationTests|PowerCutTests'
${SWIFT:-swift} test --skip-build --filter "$suites|EndToEndTests.*ClockTests" || code=1
# The column `again` counts replies that were shown again for a valid reason: the daemon was killed between
# `announcing` and `shown`, or a new notification server had to show the previous notifications.
{
    printf 'fault\ttransport\trounds\treplies\tlost\tduplicated\tagain\trecovered in\n'
    sort "$CUTIED_CHAOS_TABLE"
} | awk -F '\t' '{ printf "%-28s %-10s %6s %8s %6s %11s %6s  %s\n", $1, $2, $3, $4, $5, $6, $7, $8 }
    NR > 1 && ($5 || $6) { bad = 1 } END { if (NR == 1) bad = 1; exit bad }' || code=1
echo "seed $CUTIED_CHAOS_SEED"
exit $code
