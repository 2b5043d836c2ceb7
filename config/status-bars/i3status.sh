#!/bin/sh
# Inserts the badge before the output of i3status, which cannot run commands itself. In the `bar` block of i3 or sway:
#     status_command sh /usr/share/doc/cutied/status-bars/i3status.sh
# i3status must use the i3bar protocol. In its configuration: general { output_format = "i3bar" }.
# The badge is updated with the next line of i3status. Needs jq.
badge=$(mktemp) || exit 1
cutied ctl watch --waybar >>"$badge" 2>/dev/null &
watcher=$!
trap 'kill "$watcher" 2>/dev/null; rm -f "$badge"' EXIT
trap 'exit 0' HUP INT TERM

i3status | {
    # The header of the protocol, and the start of the endless array.
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
