# user_managers ARGUMENT...: runs `systemctl --user ARGUMENT...` for each running user manager, as its user.
# Used instead of `deb-systemd-invoke --user restart`, because that command also starts the service for users
# who have stopped it. (On Debian 12, it starts the service for every user that it finds after a user who runs
# the service.)
user_managers() {
    [ -z "${DPKG_ROOT:-}" ] && [ -d /run/systemd/system ] || return 0
    policy=/usr/sbin/policy-rc.d
    if [ -x "$policy" ]; then
        "$policy" cutied "$1" >/dev/null 2>&1 || [ $? != 101 ] || return 0
    fi
    for place in /run/user/*; do
        [ -S "$place/systemd/private" ] || continue
        person=${place##*/}
        group=$(id -g "$person" 2>/dev/null) || continue
        # Limit the time, so that an unresponsive manager does not block the other managers and dpkg.
        timeout 60 setpriv --reuid "$person" --regid "$group" --init-groups --reset-env \
            env XDG_RUNTIME_DIR="$place" systemctl --user "$@" </dev/null >/dev/null 2>&1 || true
    done
}
