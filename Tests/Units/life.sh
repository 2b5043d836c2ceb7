#!/usr/bin/env bash
# Tests the shipped unit in this user manager: without a configuration, with socket activation, a reply, a
# click, a reload, a hang and a crash. The test uses a separate unit name and separate directories, so that it
# does not affect an installed cutied. Usage: life.sh default|stricter
set -euo pipefail

tier=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
products=${CUTIED_PRODUCTS:-$root/.build/release}
name=cutied-units-$$
work=$XDG_RUNTIME_DIR/$name
units=$XDG_RUNTIME_DIR/systemd/user
mark=/tmp/$name
patience=40

say() { printf '%s: %s\n' "$tier" "$*"; }
fail() {
    echo "units: $tier: $*" >&2
    journalctl --user -u "$name.service" -o cat --no-pager 2>/dev/null | tail -20 >&2 || true
    exit 1
}

started=()
clean() {
    local status=$?
    trap - EXIT
    systemctl --user stop "$name.socket" "$name-access.socket" "$name.service" 2>/dev/null || true
    systemctl --user reset-failed "$name.service" 2>/dev/null || true
    for pid in "${started[@]}"; do
        kill "$pid" 2>/dev/null || true
        wait "$pid" 2>/dev/null || true
    done
    rm -rf "$work" "$mark" "$mark".* "$mark"-* "$units/$name.socket" "$units/$name-access.socket" "$units/$name.service" "$units/$name.service.d"
    systemctl --user daemon-reload
    exit "$status"
}
trap clean EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# start NAME COMMAND...: runs a command in the background. The command is stopped at the end of the test.
start() {
    local log=$work/$1.log
    shift
    "$@" >"$log" 2>&1 &
    started+=($!)
}

# await WHAT COMMAND...: repeats a command until it succeeds. WHAT describes the awaited condition.
await() {
    local what=$1 deadline=$((SECONDS + patience))
    shift
    until "$@" >/dev/null 2>&1; do
        [ "$SECONDS" -lt "$deadline" ] || fail "no $what within $patience s"
        sleep 0.1
    done
}

property() { systemctl --user show -p "$1" --value "$name.service"; }
is() { [ "$(property "$1")" = "$2" ]; }
ctl() { CUTIED_SOCKET=$work/socket/control.sock "$products/cutied" ctl "$@"; }

# Prints a shipped file in which the names and directories are replaced by those of this run.
here() {
    sed -e "s,/usr/bin/cutied,$products/cutied," -e "s,cutied\.socket,$name.socket," \
        -e "s,cutied-access\.socket,$name-access.socket,g" -e "s,^Service=.*,Service=$name.service," \
        -e "s,%h/.local/state/cutied,$work/state/cutied,g" -e "s,%C/cutied,$work/cache/cutied,g" \
        -e "s,%E/cutied,$work/config/cutied,g" -e "s,%t/cutied,$work/socket,g" "$1"
}

install_units() {
    mkdir -p "$units/$name.service.d"
    here "$root/systemd/cutied.service" >"$units/$name.service"
    here "$root/systemd/cutied.socket" >"$units/$name.socket"
    here "$root/systemd/cutied-access.socket" >"$units/$name-access.socket"
    if [ "$tier" = stricter ]; then
        here "$root/systemd/cutied.service.d/hardening.conf" >"$units/$name.service.d/hardening.conf"
    fi
    cat >"$units/$name.service.d/run.conf" <<END
[Service]
Environment=XDG_CONFIG_HOME=$work/config XDG_STATE_HOME=$work/state XDG_CACHE_HOME=$work/cache
Environment=CUTIED_SOCKET=$work/socket/control.sock CUTIED_ACCESS_SOCKET=$work/socket/access/access.sock
Environment=DBUS_SESSION_BUS_ADDRESS=$DBUS_SESSION_BUS_ADDRESS
Environment=DISPLAY= WAYLAND_DISPLAY= PATH=$work/bin:/usr/local/bin:/usr/bin:/bin
UnsetEnvironment=DISPLAY WAYLAND_DISPLAY
WatchdogSec=4
$([ "$tier" = default ] || echo "BindReadOnlyPaths=$products")
END
    systemctl --user daemon-reload
}

# Starts a virtual desktop, because the test cannot click on the user's desktop. If the session bus already
# has a notification server, the virtual desktop uses a separate bus.
desktop() {
    export DBUS_SESSION_BUS_ADDRESS=${DBUS_SESSION_BUS_ADDRESS:-unix:path=$XDG_RUNTIME_DIR/bus}
    if has_owner org.freedesktop.Notifications || has_owner org.freedesktop.secrets; then
        start bus dbus-daemon --session --nofork --address="unix:path=$work/bus"
        await "bus" test -S "$work/bus"
        DBUS_SESSION_BUS_ADDRESS=unix:path=$work/bus
    fi
    start xvfb Xvfb -displayfd 1 -screen 0 1024x640x24 -nolisten tcp -noreset
    await "virtual display" grep -q '^[0-9]' "$work/xvfb.log"
    DISPLAY=:$(grep -m1 '^[0-9]' "$work/xvfb.log")
    export DISPLAY
    start dunst dunst -conf "$root/Tests/Demo/dunstrc"
    await "notification server" has_owner org.freedesktop.Notifications
}

# has_owner NAME: succeeds if a program owns the name on the bus.
has_owner() {
    dbus-send --session --print-reply --dest=org.freedesktop.DBus /org/freedesktop/DBus \
        org.freedesktop.DBus.NameHasOwner "string:$1" | grep -q 'boolean true'
}

# Starts a keyring daemon with an unlocked, separate collection. Fails if the required programs are not
# installed.
start_keyring() {
    command -v gnome-keyring-daemon >/dev/null && command -v secret-tool >/dev/null || return
    mkdir -m 700 "$work/keyring"
    start keyring sh -c "echo password | HOME=$work/keyring XDG_DATA_HOME=$work/keyring exec gnome-keyring-daemon \
        --foreground --components=secrets --control-directory=$work/keyring --unlock"
    await "keyring" has_owner org.freedesktop.secrets
}

# The helper that calls libsecret is a child of the daemon and is therefore restricted by the sandbox of the
# unit.
doctor_says() { { XDG_CONFIG_HOME=$work/config CUTIED_SOCKET=$work/socket/control.sock "$products/cutied" doctor || true; } | grep -q "$1"; }
keyring_holds_token() { secret-tool search --all account default 2>&1 | grep -q '^attribute.origin'; }

# stand_in LINE: creates a fake `xdg-open` that runs the line. In the PATH of the daemon, it precedes the real
# `xdg-open`.
stand_in() {
    printf '#!/bin/sh\n%s\n' "$1" >"$work/bin/xdg-open"
    chmod 755 "$work/bin/xdg-open"
    rm -f "$mark"
}

# Creates the program that opens links. It waits until 0.5 s after its parent has exited, by which time a
# process that cannot outlive its parent has been killed. Then it records its cgroup and its permissions.
write_handler() {
    cat >"$work/bin/handler" <<END
#!/bin/sh
while [ -e "/proc/\$2" ] && [ \$((n += 1)) -lt 50 ]; do sleep 0.1; done
sleep 0.5
exec >$mark.part
echo "\$1"
sed -n 's,^0::,in ,p' /proc/self/cgroup
touch "\$HOME/.$name" && rm "\$HOME/.$name" && echo home
unshare --user true && echo namespaces
mv $mark.part $mark
END
    chmod 755 "$work/bin/handler"
    cat >"$work/data/applications/handler.desktop" <<END
[Desktop Entry]
Type=Application
Name=Handler
Exec=$work/bin/started %u
END
    # Simulates `gio open`: starts the handler and exits.
    printf '#!/bin/sh\nexec %s "%s" %s\n' "$work/bin/handler" "\$1" "\$PPID" >"$work/bin/started"
    chmod 755 "$work/bin/started"
    printf '[Default Applications]\nx-scheme-handler/cutie=handler.desktop\n' >"$work/data/applications/mimeapps.list"
}

# Creates the hook. Its arguments contain characters that a shell or systemd could expand. The child of the
# hook must be killed together with the hook.
write_hook() {
    cat >"$work/hook" <<END
#!/bin/sh
grep -q "Yes, you can" || exit
echo "hooked: \$*"
sleep 600 & echo \$! >$mark-child
touch "\$HOME/.$name" && rm "\$HOME/.$name" && echo "\$*" >$mark-hook
END
    chmod 755 "$work/hook"
}

was_shown() { ctl explain "$1" --json | grep -q '"stage" *: *"shown"'; }
other_process() { [ "$(property MainPID)" != "$1" ] && [ "$(property MainPID)" != 0 ]; }

mkdir -m 700 "$work"
mkdir -p "$work/config/cutied" "$work/cache/cutied" "$work/bin" "$work/data/applications"
desktop
keyring=yes
start_keyring || keyring=no
install_units

code=0
echo 'no_such_key: 1' >"$work/config/cutied/config.yaml"
systemctl --user start "$name.service" 2>/dev/null || code=$?
[ "$code" != 0 ] || fail "it started with an invalid config"
await "end with 78" is ExecMainStatus 78
is NRestarts 0 || fail "it was restarted with an invalid config"
systemctl --user reset-failed "$name.service"
rm "$work/config/cutied/config.yaml"
say "with an invalid config it ends with 78 and is left alone"

# Simulates a missing library by an empty file with the same name, which is found first and cannot be loaded.
mkdir "$work/lost"
: >"$work/lost/libcurl.so.4"
printf '[Service]\nEnvironment=LD_LIBRARY_PATH=%s\n' "$work/lost" >"$units/$name.service.d/lost.conf"
systemctl --user daemon-reload
! systemctl --user start "$name.service" 2>/dev/null || fail "it started without libcurl"
await "end with 69" is ExecMainStatus 69
is NRestarts 0 || fail "it was restarted without libcurl"
# Avoids a pipe, because systemctl exits with 3 for a failed unit and pipefail would make the pipeline fail.
names_package() {
    status=$(systemctl --user status --no-pager --lines 20 "$name.service") || true
    [[ $status == *'sudo apt install libcurl4'* ]]
}
await "package in its status" names_package
rm "$units/$name.service.d/lost.conf"
systemctl --user daemon-reload
systemctl --user reset-failed "$name.service"
say "without a library it ends with 69, and systemctl status names the package"

start sandbox "$products/cutie-sandbox" serve --port 0 --database "$work/sandbox.db"
await "sandbox" grep -q '^credentials in' "$work/sandbox.log"
url=$(sed -n 's/^listening on //p' "$work/sandbox.log")
XDG_CONFIG_HOME=$work/config "$products/cutied" setup --app-id app_sandbox --api-url "$url" >/dev/null
write_handler
write_hook
cat >>"$work/config/cutied/config.yaml" <<END
hooks:
  on_reply: [$work/hook, '\$\$', '\${HOME}', '\$HOME', '%h a  b']
questions: false
END
systemctl --user start "$name.socket"
is ActiveState inactive || fail "it runs before somebody asks"
ctl wait --connected --timeout 30 >/dev/null || fail "it did not connect"
is ActiveState active || fail "the socket started another one"
says_connected() { property StatusText | grep -q connected; }
await "connection in its STATUS" says_connected
say "the socket starts it: $(property StatusText)"
policies=$(chrt --all-tasks --pid "$(property MainPID)" | sed -n 's/.*scheduling policy: //p' | sort -u)
[ "$policies" = SCHED_BATCH ] || fail "its threads have the scheduling policies $policies"
say "all its threads have the batch policy"

if [ "$keyring" = yes ]; then
    await "token in the keyring" keyring_holds_token
    doctor_says 'in the secret service$' || fail "doctor does not find the token in the keyring"
    says_keyring() { journalctl "_SYSTEMD_USER_UNIT=$name.service" -o cat --no-pager | grep -i keyring; }
    ! says_keyring || fail "the journal reports a problem with the keyring"
    say "its token is in the keyring"
else
    say "the keyring was skipped: gnome-keyring-daemon or secret-tool is not installed"
fi

conversation=$(ctl new --category question --json "Can I?" |
    sed -n 's/.*"conversationId" *: *"\([^"]*\)".*/\1/p')
message=$("$products/cutie-sandbox" reply --url "$url" "$conversation" "Yes, you can.")
await "notification" was_shown "$message"
await "window of the notification" xdotool search --onlyvisible --class Dunst
say "a reply is on the screen"

await "hook outside of the sandbox" test -s "$mark-hook"
[ "$(cat "$mark-hook")" = "\$\$ \${HOME} \$HOME %h a  b" ] || fail "the hook was given: $(cat "$mark-hook")"
# Selects entries by the journal field: without persistent storage, there is no separate journal for the user.
[ ! -e "/proc/$(cat "$mark-child")" ] || fail "what the hook started lives on"
says_hooked() { journalctl "_SYSTEMD_USER_UNIT=$name.service" -o cat --no-pager | grep hooked:; }
await "words of the hook in the journal" says_hooked
say "its hook runs outside of the sandbox, and what it says is in the journal"

click() { xdotool mousemove 900 80 click 2 && sleep 0.4; }
opens() { click; wait_for_mark; }
wait_for_mark() { for _ in 1 2 3 4 5 6 7 8 9 10; do [ -s "$mark" ] && return; sleep 0.5; done; return 1; }
nothing_is_left() { ! systemctl --user list-units --all --no-legend 'app-cutied-*' | grep -q .; }

# opened HOW: checks that the click opened the right link in the right cgroup, outside of the sandbox. HOW
# describes the opener.
opened() {
    grep -q home "$mark" || fail "$1 opened nothing outside of the sandbox"
    grep -q "^cutie://conversation/$conversation" "$mark" || fail "$1 was started with $(head -1 "$mark")"
    grep -q 'in .*/app.slice/app-cutied-xdg' "$mark" || fail "$1: $(grep '^in ' "$mark")"
    await "end of what $1 started" nothing_is_left
    say "a click opens by $1, outside of the sandbox, in app.slice, and what it opens outlives its starter"
}

# Simulates xdg-open on most desktops: starts the handler of the link and exits.
stand_in "$work/bin/handler \"\$1\" \$\$ &"
await "program that the click opens" opens
opened "a starter that exits"

if command -v gio >/dev/null; then
    stand_in "XDG_DATA_HOME=$work/data exec gio open \"\$1\""
    message=$("$products/cutie-sandbox" reply --url "$url" "$conversation" "And now by gio.")
    await "notification" was_shown "$message"
    await "program that gio opens" opens
    opened "gio open"
fi

tried=$({ XDG_CONFIG_HOME=$work/config "$products/cutied" doctor || true; } | grep ' openers ') ||
    fail "doctor says nothing of openers"
# Checks only part of the result, because the rest depends on whether the environment of the user manager
# contains a display.
case $tried in *' find'*) say "doctor tries the same:${tried#*openers}" ;; *) fail "doctor says: $tried" ;; esac

systemctl --user reload "$name.service"
ctl wait --connected --timeout 30 >/dev/null || fail "it did not come back after a reload"
say "a reload is taken"

configuration=$work/config/cutied/config.yaml
cp "$configuration" "$work/taken.yaml"
echo "no_such_key: 1" >>"$configuration"
code=0
systemctl --user reload "$name.service" 2>/dev/null || code=$?
[ "$code" != 0 ] || fail "a reload of a refused configuration is said to be done"
property ExecReload | grep -q 'status=78' || fail "the reload ended with $(property ExecReload)"
ctl status >/dev/null || fail "it did not go on with the configuration before"
say "a reload of a refused configuration fails with 78, and it goes on"

cp "$work/taken.yaml" "$configuration"
pid=$(property MainPID)
said() { journalctl "_SYSTEMD_USER_UNIT=$name.service" "_PID=$pid" -o cat --no-pager; }
reloads() { said | grep -c 'configuration reloaded' || true; }
before=$(reloads)
kill -HUP "$pid"
reloaded() { [ "$(reloads)" -gt "$before" ]; }
await "reload by SIGHUP" reloaded
await "end of the reload" is SubState running
is MainPID "$pid" || fail "SIGHUP ended it"
say "SIGHUP reads the configuration, too"

pid=$(property MainPID)
kill -STOP "$pid"
await "restart by the watchdog" other_process "$pid"
ctl wait --connected --timeout 30 >/dev/null || fail "it did not come back after a hang"
say "a hang is ended by the watchdog, and it comes back"

pid=$(property MainPID)
kill -KILL "$pid"
await "restart after its death" other_process "$pid"
ctl wait --connected --timeout 30 >/dev/null || fail "it did not come back after its death"
is NRestarts 2 || fail "it was restarted $(property NRestarts) times"
was_shown "$message" || fail "it forgot what it showed"
[ "$keyring" = no ] || doctor_says 'in the secret service$' || fail "the token has left the keyring"
say "a death is mended"

systemctl --user stop "$name.service" 2>/dev/null
is Result success || fail "it did not stop well: $(property Result)"
ctl status >/dev/null || fail "the socket does not start it again"
say "after a stop the socket starts it again"
