# tell_managers ARGUMENT...: `systemctl --user ARGUMENT...` to the manager of everyone who has one, as they
# themselves. `deb-systemd-invoke --user restart` starts it for those who stopped it, too, and on Debian 12 for all
# who come after one that runs it.
tell_managers() {
    [ -z "${DPKG_ROOT:-}" ] && [ -d /run/systemd/system ] || return 0
    policy=/usr/sbin/policy-rc.d
    if [ -x "$policy" ]; then
        "$policy" cutied "$1" >/dev/null 2>&1 || [ $? != 101 ] || return 0
    fi
    for place in /run/user/*; do
        [ -S "$place/systemd/private" ] || continue
        person=${place##*/}
        group=$(id -g "$person" 2>/dev/null) || continue
        # A manager that hangs must not hold up all others and dpkg.
        timeout 60 setpriv --reuid "$person" --regid "$group" --init-groups --reset-env \
            env XDG_RUNTIME_DIR="$place" systemctl --user "$@" </dev/null >/dev/null 2>&1 || true
    done
}
