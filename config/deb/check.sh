#!/bin/sh
# Tests .build/deb/*.deb in minimal systems: installs the packages, runs the demo as an ordinary user, boots
# the systems to upgrade and remove the packages while daemons are running, and checks that no files are left.
# Requires root, debootstrap and a Debian mirror. Creates all files in a temporary directory.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
: "${MIRROR:=http://deb.debian.org/debian}" "${SUITES:=bookworm trixie}"

if [ -z "${OWN_MOUNTS:-}" ]; then
    # Restart this script in new namespaces, which remove all mounts and processes when the script exits, even
    # after a failure.
    OWN_MOUNTS=1 exec unshare --mount --pid --fork --mount-proc --kill-child "$0" "$@"
fi
work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT
trap 'exit 130' INT TERM

# bare SUITE: creates a minimal system in $work/SUITE and copies the packages to it.
bare() {
    debootstrap --variant=minbase "$1" "$work/$1" "$MIRROR" >"$work/$1.log" 2>&1 || {
        tail "$work/$1.log" >&2
        echo "check: $MIRROR has no $1 for us" >&2
        exit 1
    }
    cp /etc/resolv.conf "$work/$1/etc/resolv.conf"
    mkdir -p "$work/$1/cutied/config" "$work/$1/cutied/Tests"
    cp "$root"/.build/deb/cutied_*.deb "$root"/.build/deb/cutied-inbox_*.deb \
        "$root"/.build/deb/cutied-indicator_*.deb "$root"/.build/deb/cutie-sandbox_*.deb \
        "$root/config/deb/inside.sh" \
        "$root/config/deb/logins.sh" "$work/$1/cutied"
    newer "$work/$1/cutied"
    cp -R "$root/Tests/Demo" "$work/$1/cutied/Tests/Demo"
    cp "$root"/config/*.svg "$work/$1/cutied/config"
}

# newer DIRECTORY: creates a package `cutied` with a higher version number, to test the upgrade.
newer() {
    mkdir -p "$1/newer"
    dpkg-deb --raw-extract "$root"/.build/deb/cutied_*.deb "$work/newer"
    sed -i '/^Version:/s/$/+1/' "$work/newer/DEBIAN/control"
    dpkg-deb --root-owner-group -Znone --build "$work/newer" "$1/newer" >/dev/null
    rm -r "$work/newer"
}

inside() {
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
        ${http_proxy:+"http_proxy=$http_proxy"} chroot "$work/$suite" "$@"
}

# boot SUITE: boots the system with systemd and without a network. The system runs logins.sh and powers off.
boot() {
    groups=/sys/fs/cgroup
    [ ! -d "$groups/unified" ] || groups=$groups/unified
    groups=$groups/cutied-check-${work##*.}
    if ! command -v systemd-nspawn >/dev/null || ! mkdir "$groups" 2>/dev/null; then
        echo "check: skipped: no upgrade under daemons that run; it takes systemd-nspawn (systemd-container) and cgroups" >&2
        return 0
    fi
    # The kernel kills all processes of the container when its first process exits.
    # shellcheck disable=SC2016
    (
        sh -c 'echo $PPID' >"$groups/cgroup.procs"
        # The user manager expects its cgroup to be below the cgroup of the first process.
        exec timeout -s KILL 300 unshare --mount --pid --cgroup --fork --mount-proc --kill-child sh -ec '
            mount -t tmpfs -o mode=755 tmpfs /run
            mkdir -p /run/systemd/system
            umount -l /sys/fs/cgroup
            mount -t cgroup2 cgroup2 /sys/fs/cgroup
            exec systemd-nspawn --quiet --register=no --keep-unit --private-network --console=pipe \
                --directory "$1" --boot' _ "$work/$1"
    ) </dev/null >"$work/$1.console" 2>&1 || true
    find "$groups" -depth -type d -exec rmdir {} + 2>/dev/null || true
    cat "$work/$1/cutied/logins.log" 2>/dev/null || tail "$work/$1.console" >&2
    [ "$(cat "$work/$1/cutied/logins.status" 2>/dev/null)" = 0 ] || {
        echo "check: $1 with people who are logged in" >&2
        exit 1
    }
}

for suite in $SUITES; do
    echo "== $suite"
    bare "$suite"
    mount -t proc proc "$work/$suite/proc"
    mount -t tmpfs -o mode=1777 tmpfs "$work/$suite/tmp"
    inside sh /cutied/inside.sh
    inside sh /cutied/logins.sh prepare
    mkdir -p "$root/.build/deb/$suite"
    cp "$work/$suite"/cutied/.build/demo/*.png "$root/.build/deb/$suite"
    umount "$work/$suite/tmp" "$work/$suite/proc"
    boot "$suite"
    rm -rf --one-file-system "${work:?}/$suite"
done
