#!/bin/sh
# Installs .build/deb/cutied_*.deb into bare systems, shows the demo there as a person, and removes it again.
# Needs root, debootstrap and a mirror of Debian. What it makes is in a directory that is thrown away.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
: "${MIRROR:=http://deb.debian.org/debian}" "${SUITES:=bookworm trixie}"

if [ -z "${OWN_MOUNTS:-}" ]; then
    # What is mounted and started in here is gone with the namespaces, whatever happens.
    OWN_MOUNTS=1 exec unshare --mount --pid --fork --kill-child "$0" "$@"
fi
work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT
trap 'exit 130' INT TERM

# bare SUITE: the way to a fresh system with nothing in it but what is essential.
bare() {
    debootstrap --variant=minbase "$1" "$work/$1" "$MIRROR" >"$work/$1.log" 2>&1 || {
        tail "$work/$1.log" >&2
        echo "check: $MIRROR has no $1 for us" >&2
        exit 1
    }
    cp /etc/resolv.conf "$work/$1/etc/resolv.conf"
    mkdir -p "$work/$1/cutied/config" "$work/$1/cutied/Tests"
    cp "$root"/.build/deb/cutied_*.deb "$root/config/deb/inside.sh" "$work/$1/cutied"
    cp -R "$root/Tests/Demo" "$work/$1/cutied/Tests/Demo"
    cp "$root"/config/*.svg "$work/$1/cutied/config"
}

for suite in $SUITES; do
    echo "== $suite"
    bare "$suite"
    mount -t proc proc "$work/$suite/proc"
    mount -t tmpfs -o mode=1777 tmpfs "$work/$suite/tmp"
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
        ${http_proxy:+"http_proxy=$http_proxy"} chroot "$work/$suite" sh /cutied/inside.sh
    mkdir -p "$root/.build/deb/$suite"
    cp "$work/$suite"/cutied/.build/demo/pop-up.png "$root/.build/deb/$suite"
    umount "$work/$suite/tmp" "$work/$suite/proc"
    rm -rf --one-file-system "${work:?}/$suite"
done
