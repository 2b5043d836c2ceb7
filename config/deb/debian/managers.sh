# user_managers ARGUMENT...: runs `systemctl --user ARGUMENT...` for each running user manager, as its user.
# `deb-systemd-invoke --user restart` cannot be used, because it also starts the service for users who have
# stopped the service. On Debian 12, after the command finds a user who runs the service, it starts the
# service for all remaining users.
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
        # A manager that hangs must not delay the other managers and dpkg.
        timeout 60 setpriv --reuid "$person" --regid "$group" --init-groups --reset-env \
            env XDG_RUNTIME_DIR="$place" systemctl --user "$@" </dev/null >/dev/null 2>&1 || true
    done
}
