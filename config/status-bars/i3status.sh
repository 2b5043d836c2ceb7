#!/bin/sh
# i3status runs no commands itself: this puts the badge before what it prints. In i3's or sway's `bar`:
#     status_command sh /usr/share/doc/cutied/status-bars/i3status.sh
# i3status has to print the protocol of i3bar: in its configuration, general { output_format = "i3bar" }.
# The badge comes with i3status's next line; needs jq.
badge=$(mktemp) || exit 1
cutied ctl watch --waybar >>"$badge" 2>/dev/null &
watcher=$!
trap 'kill "$watcher" 2>/dev/null; rm -f "$badge"' EXIT
trap 'exit 0' HUP INT TERM

i3status | {
    # The protocol's header and the array that never ends.
    IFS= read -r line && printf '%s\n' "$line"
    IFS= read -r line && printf '%s\n' "$line"
    while IFS= read -r line; do
        block=$(tail -n 1 "$badge" | jq -c 'select(.alt != "none") |
            {name: "cutied",
             full_text: (["✉", (.text | select(. != "")), (.alt | select(. != "unread"))] | join(" ")),
             color: (if .alt == "unread" then "#ff9f7a" else "#7b8494" end)}')
        case $line in
        ,\[*) printf ',[%s%s\n' "${block:+$block,}" "${line#,[}" ;;
        \[*) printf '[%s%s\n' "${block:+$block,}" "${line#[}" ;;
        *) printf '%s\n' "$line" ;;
        esac
    done
}
