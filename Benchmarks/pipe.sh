#!/bin/bash
# A typical notifier as a shell script. Usage: pipe.sh URL
curl -sN "$1" | while IFS= read -r line; do
    [[ $line == data:* && $line =~ \"message\":\"([^\"]*)\" ]] && notify-send Reply "${BASH_REMATCH[1]}"
done
