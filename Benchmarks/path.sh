#!/usr/bin/env bash
# Counts the functions on the way of one reply, from its arrival until the notification is on the screen. Counts the
# functions that a debug build of the daemon runs; path.py contains the rule. Needs valgrind, dunst, Xvfb and
# `make debug`. Usage: Benchmarks/path.sh [--list] [--all]
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
products=$root/.build/debug
[ -n "${PATH_DESKTOP:-}" ] || PATH_DESKTOP=1 exec xvfb-run -a dbus-run-session -- "$0" "$@"

work=$(mktemp -d)
started=()
clean() {
    for process in "${started[@]}"; do kill "$process" 2>/dev/null || true; done
    wait
    rm -rf "$work"
}
trap clean EXIT
mkdir -m 700 "$work/runtime"
export XDG_RUNTIME_DIR=$work/runtime XDG_CONFIG_HOME=$work/config XDG_STATE_HOME=$work/state
export XDG_CACHE_HOME=$work/cache CUTIED_SOCKET=$work/control.sock

shown() { dunstctl count displayed; }

dunst >"$work/dunst.log" 2>&1 &
started+=($!)
"$products/cutie-sandbox" serve --port 0 --database "$work/sandbox.db" >"$work/sandbox.log" 2>&1 &
started+=($!)
until grep -q '^credentials in' "$work/sandbox.log"; do sleep 0.2; done
url=$(sed -n 's/^listening on //p' "$work/sandbox.log")
"$products/cutied" setup --app-id app_sandbox --api-url "$url" >/dev/null
printf 'questions: false\nsecrets: file\n' >>"$XDG_CONFIG_HOME/cutied/config.yaml"

# valgrind cannot read the debug information; path.py reads it from the original.
objcopy --strip-debug "$products/cutied-daemon" "$work/cutied-daemon"
valgrind --tool=callgrind --instr-atstart=no --separate-threads=yes --callgrind-out-file="$work/calls" \
    "$work/cutied-daemon" run >"$work/daemon.log" 2>&1 &
daemon=$!
started+=("$daemon")
"$products/cutied" ctl wait --connected --timeout 180 >/dev/null
conversation=$("$products/cutied" ctl new --category question --json "A question" |
    sed -n 's/.*"conversationId" *: *"\([^"]*\)".*/\1/p')

# The first reply fills caches and is not counted.
"$products/cutie-sandbox" reply --url "$url" "$conversation" "one" >/dev/null
until [ "$(shown)" -gt 0 ]; do sleep 0.1; done
sleep 10
dunstctl close-all
until [ "$(shown)" = 0 ]; do sleep 0.1; done
sleep 5
callgrind_control -i on "$daemon" >/dev/null
"$products/cutie-sandbox" reply --url "$url" "$conversation" "two" >/dev/null
until [ "$(shown)" -gt 0 ]; do sleep 0.1; done
sleep 1
callgrind_control -i off "$daemon" >/dev/null
callgrind_control -d "$daemon" >/dev/null
sleep 2
"$root/Benchmarks/path.py" "$products/cutied-daemon" "$work"/calls.1-* "$@"
