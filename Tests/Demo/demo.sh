#!/usr/bin/env bash
# Demonstrates that a reply from support appears as a notification and in the window. Uses the real daemon,
# the local API and a real notification server with temporary directories. Uses the current desktop if it has
# a notification server, otherwise a virtual desktop. With DEMO_HOLD=1, all programs run until Ctrl-C.
set -euo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
products=${CUTIED_PRODUCTS:-$root/.build/release}
out=$root/.build/demo
patience=60

say() { printf '\n\033[1m%s\033[0m\n' "$*"; }
fail() { echo "demo: $*" >&2; exit 1; }

# Succeeds if a notification server responds on the session bus.
has_desktop() {
    [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] && timeout 10 dbus-send --session --print-reply \
        --dest=org.freedesktop.Notifications /org/freedesktop/Notifications \
        org.freedesktop.Notifications.GetServerInformation >/dev/null 2>&1
}

if [ -z "${DEMO_DESKTOP:-}" ]; then
    if has_desktop; then
        export DEMO_DESKTOP=real
    else
        DEMO_DESKTOP=virtual exec dbus-run-session -- "$0" "$@"
    fi
fi

work=$(mktemp -d)
started=()
clean() {
    local status=$?
    trap - EXIT INT TERM
    # Stops the processes in the reverse order of their start.
    local index
    for ((index = ${#started[@]} - 1; index >= 0; index--)); do
        kill "${started[index]}" 2>/dev/null || true
        wait "${started[index]}" 2>/dev/null || true
    done
    rm -rf "$work"
    exit "$status"
}
trap clean EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# start NAME COMMAND...: runs a command in the background with its output in a file. The command is stopped at
# the end of the demo.
start() {
    local name=$1
    shift
    "$@" >"$out/$name.log" 2>&1 &
    started+=($!)
}

# await WHAT COMMAND...: repeats a command until it succeeds. WHAT describes the awaited condition.
await() {
    local what=$1 deadline=$((SECONDS + patience))
    shift
    until "$@" >/dev/null 2>&1; do
        [ "$SECONDS" -lt "$deadline" ] || fail "no $what within $patience s; see $out/*.log"
        sleep 0.1
    done
}

# Asks the bus instead of calling the notification server, because a call could make the bus start a server.
has_notification_server() {
    dbus-send --session --print-reply --dest=org.freedesktop.DBus /org/freedesktop/DBus \
        org.freedesktop.DBus.NameHasOwner string:org.freedesktop.Notifications | grep -q 'boolean true'
}

virtual_desktop() {
    start xvfb Xvfb -displayfd 1 -screen 0 1024x720x24 -nolisten tcp -noreset
    await "virtual display" grep -q '^[0-9]' "$out/xvfb.log"
    DISPLAY=:$(grep -m1 '^[0-9]' "$out/xvfb.log")
    export DISPLAY
    unset WAYLAND_DISPLAY
    display -window root -size 1024x720 'gradient:#88a8c8-#4a5f86' 2>/dev/null || true
    sed "s,@icons@,$root/config," "$root/Tests/Demo/dunstrc" >"$work/dunstrc"
    start dunst dunst -conf "$work/dunstrc"
    await "notification server" has_notification_server
}

# Takes a screenshot of the notification with a tool that this desktop supports.
screenshot() {
    if [ "$DEMO_DESKTOP" = virtual ]; then
        import -window root "png:$work/whole.png"
        convert "$work/whole.png" -crop 520x240+504+0 +repage "$1"
    elif command -v grim >/dev/null && grim "$1" 2>/dev/null; then
        :
    elif command -v gnome-screenshot >/dev/null && gnome-screenshot -f "$1" 2>/dev/null; then
        :
    elif command -v spectacle >/dev/null && spectacle -b -n -f -o "$1" 2>/dev/null; then
        :
    elif [ -n "${DISPLAY:-}" ] && command -v import >/dev/null; then
        import -window root "png:$1"
    else
        return 1
    fi
}

# Takes a screenshot of the window, or of the whole desktop if the desktop is real.
window_screenshot() {
    if [ "$DEMO_DESKTOP" = virtual ]; then
        import -window "$(inbox_window)" "png:$1"
    else
        screenshot "$1"
    fi
}

# inbox_is_shown also focuses the window, because a virtual display has no window manager.
inbox_window() { xdotool search --onlyvisible --class cutied-inbox | tail -n 1; }
inbox_is_shown() {
    local window
    window=$(inbox_window)
    [ -n "$window" ] && xdotool windowfocus "$window"
}

# Succeeds if no message is unread, which means that the window has shown all messages.
was_read() { "$products/cutied" ctl status --json | grep -q '"total" *: *0'; }

# Succeeds if the ledger of the daemon records that the message was shown.
was_shown() { "$products/cutied" ctl explain "$1" --json | grep -q '"stage" *: *"shown"'; }

mkdir -p "$out"
rm -f "$out"/*
if [ "$DEMO_DESKTOP" = virtual ]; then
    mkdir -m 700 "$work/runtime"
    export XDG_RUNTIME_DIR=$work/runtime
    virtual_desktop
fi
export XDG_CONFIG_HOME=$work/config XDG_STATE_HOME=$work/state XDG_CACHE_HOME=$work/cache
export CUTIED_SOCKET=$work/control.sock
# Uses the translations of the build if the programs are not installed.
[ ! -d "$root/.build/locale" ] || [ "$products" = /usr/bin ] || export CUTIED_LOCALE_DIR=$root/.build/locale
unset CUTIED_APP_ID CUTIED_API_URL CUTIED_LOG_LEVEL CUTIE_CLIENT_ID CUTIE_CLIENT_SECRET NOTIFY_SOCKET

say "The API, on this machine"
start sandbox "$products/cutie-sandbox" serve --port 0 --database "$work/sandbox.db"
await "address of the sandbox" grep -q '^credentials in' "$out/sandbox.log"
url=$(sed -n 's/^listening on //p' "$out/sandbox.log")
echo "$url"

say "The daemon"
"$products/cutied" setup --app-id app_sandbox --api-url "$url" >/dev/null
# The demo asks no questions, so that screenshots show only the reply, and stores no secrets in the user's
# keyring.
printf 'questions: false\nsecrets: file\n' >>"$XDG_CONFIG_HOME/cutied/config.yaml"
start cutied "$products/cutied" run --log-level debug
"$products/cutied" ctl wait --connected --timeout 30 || fail "the daemon did not connect; see $out/cutied.log"

say "A question, and the answer of support"
conversation=$("$products/cutied" ctl new --category question --title "Export to CSV" --json \
    "Can I get my notes out as CSV?" | sed -n 's/.*"conversationId" *: *"\([^"]*\)".*/\1/p')
[ -n "$conversation" ] || fail "the question was not sent; see $out/cutied.log"
message=$("$products/cutie-sandbox" reply --url "$url" "$conversation" \
    "Yes! Settings → Export writes one file for each notebook. Tell us if a column is missing.")
await "notification" was_shown "$message"
# The notification server may accept a notification before drawing it.
[ "$DEMO_DESKTOP" = real ] || await "window of the notification" xdotool search --onlyvisible --class Dunst
sleep 0.5
if screenshot "$out/pop-up.png"; then
    echo "the notification is on the desktop and in $out/pop-up.png"
else
    echo "the notification is on the desktop"
fi

# Skips the window for a recording: a window in front would mark the reply as read, and no notification would
# be shown.
if [ -x "$products/cutied-inbox" ] && [ -z "${DEMO_THEN:-}" ]; then
    say "The conversation in the window"
    [ "$DEMO_DESKTOP" = real ] || export GSK_RENDERER=cairo
    start inbox "$products/cutied-inbox" "$conversation"
    [ "$DEMO_DESKTOP" = real ] || await "window" inbox_is_shown
    # A conversation is marked as read when the window shows it.
    if [ "$DEMO_DESKTOP" = virtual ]; then await "thread that is read" was_read; else sleep 3; fi
    sleep 1
    if window_screenshot "$out/inbox.png"; then
        echo "the window is on the desktop and in $out/inbox.png"
    else
        echo "the window is on the desktop"
    fi
fi

say "cutied ctl status"
"$products/cutied" ctl status

# Runs an optional program while the demo is still running.
if [ -n "${DEMO_THEN:-}" ]; then "$DEMO_THEN" "$url" "$conversation" "$products"; fi

if [ -n "${DEMO_HOLD:-}" ]; then
    say "Running until Ctrl-C. In another terminal:"
    echo "export CUTIED_SOCKET=$CUTIED_SOCKET XDG_RUNTIME_DIR=${XDG_RUNTIME_DIR:-} PATH=$products:\$PATH"
    echo "cutied ctl inbox"
    echo "cutie-sandbox reply --url $url $conversation 'And another one'"
    wait "${started[-1]}"
fi
