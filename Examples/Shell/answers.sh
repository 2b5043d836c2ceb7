#!/bin/sh
# Sends a question to the developer of an app and waits for the reply: answers.sh APP_ID WORDS [API_URL]
# Requires varlinkctl of systemd 257 or newer, and jq.
set -eu
[ $# -ge 2 ] || { echo "usage: answers.sh APP_ID WORDS [API_URL]" >&2; exit 64; }
socket=${CUTIED_ACCESS_SOCKET:-${XDG_RUNTIME_DIR:-/run/user/$(id -u)}/cutied/access/access.sock}
[ -S "$socket" ] || { echo "cutied is not running: no process listens at $socket" >&2; exit 69; }
entries=$(mktemp -u)
mkfifo -m 600 "$entries"
trap 'rm -f "$entries"' EXIT

# call METHOD NAME VALUE...: calls a method with string parameters.
call() {
    method=$1; shift
    varlinkctl --timeout=150 --json=short call "unix:$socket" "io.cutied.Access.$method" \
        "$(jq -nc '[$ARGS.positional | _nwise(2) | {(.[0]): .[1]}] | add' --args "$@")"
}

# The first call asks the user whether the app may receive replies.
call Configure appId "$1" appName "Shell example" ${3:+apiUrl "$3"} >/dev/null
varlinkctl --more --timeout=infinity --json=short call "unix:$socket" io.cutied.Access.Watch '{}' >"$entries" &
watcher=$!
# Each entry begins with a record separator (RFC 7464).
jq --seq --unbuffered -r '[.type, .message.own, .message.conversationId, .message.senderName // "Support",
    (.message.message // "" | gsub("\n"; " "))] | map(tostring) | join("\u001f")' <"$entries" |
while IFS=$(printf '\037') read -r type own conversation sender message; do
    case $type:$own in
    snapshot:*) call CreateConversation category question message "$2" >/dev/null; echo sent ;;
    message:false)
        echo "$sender: $message"
        call MarkRead conversation "$conversation" >/dev/null
        kill "$watcher"
        break ;;
    esac
done
