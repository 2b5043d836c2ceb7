#!/bin/sh
# logins.sh prepare: prepares the minimal system for booting and for logins. logins.sh: runs as root in the
# booted system while two users are logged in. Tests how an upgrade, a removal and a purge affect the daemon
# of each user. Writes the exit status to /cutied/logins.status.
set -eu
export DEBIAN_FRONTEND=noninteractive
patience=60
fail() {
    echo "check: $*"
    journalctl --no-pager -o cat -n 20
    exit 1
}
quietly() { "$@" >/tmp/log 2>&1 || { tail -n 20 /tmp/log; fail "$*"; }; }

prepare() {
    # Install all packages now, because the booted system has no network. The dependencies of cutied are
    # already installed.
    quietly apt-get install -y --no-install-recommends systemd-sysv dbus-user-session libpam-systemd bash-completion procps
    useradd --create-home other
    mkdir -p /var/lib/systemd/linger /etc/systemd/system/multi-user.target.wants
    touch /var/lib/systemd/linger/person /var/lib/systemd/linger/other
    # Prevent the user manager of `other` from creating user namespaces, for the test of the stricter sandbox.
    forbids=/etc/systemd/system/user@$(id -u other).service.d
    mkdir -p "$forbids"
    printf '[Service]\nRestrictNamespaces=~user\n' >"$forbids/namespaces.conf"
    cat >/etc/systemd/system/logins.service <<END
[Unit]
After=multi-user.target
[Service]
Type=oneshot
ExecStart=/bin/sh /cutied/logins.sh
StandardOutput=append:/cutied/logins.log
StandardError=inherit
ExecStopPost=/bin/sh -c 'echo \$EXIT_STATUS >/cutied/logins.status'
ExecStopPost=systemctl poweroff --no-block
END
    ln -s ../logins.service /etc/systemd/system/multi-user.target.wants/logins.service
    ln -sf /lib/systemd/system/multi-user.target /etc/systemd/system/default.target
}

# as PERSON COMMAND...: runs the command as the user, with the environment of their user manager.
as() {
    name=$1
    shift
    runuser -u "$name" -- env "HOME=/home/$name" "XDG_RUNTIME_DIR=/run/user/$(id -u "$name")" "$@"
}

# await WHAT COMMAND...: repeats the command until it succeeds.
await() {
    what=$1
    shift
    end=$(($(date +%s) + patience))
    until "$@" >/dev/null 2>&1; do
        [ "$(date +%s)" -lt "$end" ] || fail "no $what within $patience s"
        sleep 0.2
    done
}

property() { as "$1" systemctl --user show -p "$2" --value "${3:-cutied.service}"; }
has() { [ "$(property "$1" "$2" "${4:-}")" = "$3" ]; }
links() { find /home /etc/systemd/user /run/user -name '*cutied*' -type l 2>/dev/null; }

# Log in two users who have both enabled the daemon: for one user the daemon runs, and the other user has
# stopped it.
log_in() {
    for name in person other; do
        await "manager of $name" as "$name" systemctl --user is-active default.target
        as "$name" cutied setup --app-id app_sandbox --api-url http://127.0.0.1:8787 >/dev/null
        quietly as "$name" systemctl --user enable cutied
    done
    quietly as person systemctl --user start cutied.socket cutied
    as person cutied ctl wait >/dev/null || fail "the daemon does not answer"
    has other ActiveState inactive || fail "it runs for somebody who did not start it"
}

# Completes a command as bash does: bash-completion loads the installed file by the name of the program.
cat >/tmp/tab <<'END'
. /usr/share/bash-completion/bash_completion
declare -F _comp_load >/dev/null && _comp_load cutied || _completion_loader cutied
COMP_WORDS=(cutied ctl show '') COMP_CWORD=3 COMP_LINE='cutied ctl show ' COMP_POINT=16
function=$(complete -p cutied | sed 's/.*-F \([^ ]*\).*/\1/')
"$function" cutied '' show
printf '%s\n' "${COMPREPLY[@]}"
END
complete_ids() {
    quietly dpkg -i /cutied/cutie-sandbox_*.deb
    quietly as person systemd-run --user --unit=sandbox cutie-sandbox serve --port 8787 --database :memory:
    await "connection" as person cutied ctl wait --connected --timeout 5
    id=$(as person cutied ctl new --category bug "It crashes.")
    offered=$(as person bash /tmp/tab 2>&1) || true
    [ "$offered" = "$id" ] || fail "TAB offers '$offered' instead of $id"
    echo "TAB offers the conversations of the daemon that runs"
    as person systemctl --user stop sandbox
}

upgrade() {
    before=$(property person MainPID)
    quietly dpkg -i /cutied/newer/*.deb
    after=$(property person MainPID)
    case $after in 0 | "$before") fail "after an upgrade $before runs on, or nothing does ($after)" ;; esac
    has person ActiveState active || fail "after an upgrade it is $(property person ActiveState)"
    as person cutied ctl status >/dev/null || fail "after an upgrade it does not answer"
    has other ActiveState inactive || fail "an upgrade starts it for somebody who stopped it"
    has other ExecMainPID 0 || fail "an upgrade started it for somebody who stopped it"
    [ -n "$(links)" ] || fail "an upgrade takes it out of the logins"
    echo "an upgrade restarts the daemon of who runs it, and of nobody else"
}

# Tests the stricter sandbox for user `other`, for whom it cannot work: `doctor` must report the problem, and
# its advice must solve the problem.
stricter() {
    place=/home/other/.config/systemd/user/cutied.service.d
    as other mkdir -p "$place"
    as other cp /usr/share/cutied/cutied.service.d/hardening.conf "$place"
    as other systemctl --user daemon-reload
    ! as other systemctl --user start cutied 2>/dev/null || fail "the stricter tier works without user namespaces"
    as other systemd-run --user --quiet --pipe --wait cutied doctor >/tmp/doctor 2>&1 || true
    grep -q 'its sandbox cannot be set up' /tmp/doctor || fail "the doctor does not see it: $(cat /tmp/doctor)"
    advice=$(sed -n 's/^ *type: \(rm .*hardening.conf .*\)/\1/p' /tmp/doctor | head -1)
    quietly as other sh -c "$advice"
    has other ActiveState active || fail "'$advice' does not heal it"
    as other systemctl --user stop cutied cutied.socket cutied-access.socket
    echo "where the stricter tier cannot work, the doctor says what to type, and that heals"
}

# gone VERB: checks, after apt has run VERB (remove or purge), that no daemon runs and no unit would start one.
gone() {
    ! pgrep -x cutied-daemon >/dev/null || fail "after a $1 it runs: $(pgrep -a cutied-daemon)"
    for name in person other; do
        for unit in cutied.service cutied.socket cutied-access.socket; do
            has "$name" ActiveState inactive "$unit" || fail "after a $1 $unit is $(property "$name" ActiveState "$unit")"
        done
    done
    [ -z "$(links)" ] || fail "a $1 leaves $(links)"
    echo "a $1 stops everybody's daemon and socket, and leaves no link"
}

run() {
    quietly dpkg -i /cutied/cutied_*.deb
    log_in
    complete_ids
    upgrade
    stricter
    quietly dpkg --remove cutied
    gone remove

    quietly dpkg -i /cutied/cutied_*.deb
    for name in person other; do ! as "$name" systemctl --user is-enabled cutied >/dev/null || fail "$name is enabled again"; done
    log_in
    quietly systemctl --global enable cutied
    quietly dpkg --purge cutied
    gone purge
}

if [ "${1:-}" = prepare ]; then prepare; else run; fi
