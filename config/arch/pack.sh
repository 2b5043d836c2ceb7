#!/bin/sh
# Creates .build/arch/*.pkg.tar.zst and .build/arch/.SRCINFO from the programs of `make build`. makepkg
# refuses to run as root, so root runs it as the user `nobody`.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
: "${CUTIED_PRODUCTS:=$root/.build/release}"
export CUTIED_PRODUCTS
target=$root/.build/arch
rm -rf "$target"
mkdir -p "$target"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
cp "$root/config/arch/PKGBUILD" "$work"
user=
if [ "$(id -u)" = 0 ]; then
    chown -R nobody "$work"
    user='setpriv --reuid nobody --regid nogroup --clear-groups'
fi
export HOME="$work" CUTIED_SOURCE="$root" PKGDEST="$work" SRCDEST="$work" BUILDDIR="$work"
cd "$work"
# Skip the check of dependencies (--nodeps), because the database of pacman is empty on Debian.
# shellcheck disable=SC2086
$user makepkg --noextract --nodeps --force >"$target/build.log" 2>&1 || {
    cat "$target/build.log" >&2
    exit 1
}
# shellcheck disable=SC2086
$user makepkg --printsrcinfo >"$target/.SRCINFO"
cp ./*.pkg.tar.* "$target"
ls "$target"/*.pkg.tar.*
