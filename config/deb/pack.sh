#!/bin/sh
# Creates .build/deb/cutied_VERSION_ARCH.deb from the programs of `make build`, and a second package with the
# debug symbols.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
: "${CUTIED_PRODUCTS:=$root/.build/release}"
CUTIED=$root
export CUTIED CUTIED_PRODUCTS

version=$("$CUTIED_PRODUCTS/cutied" --version)
version=${version#cutied }
packaged=$(dpkg-parsechangelog -l "$root/config/deb/debian/changelog" -S Version)
[ "$version" = "$packaged" ] || {
    echo "pack: cutied is $version and config/deb/debian/changelog $packaged; add an entry there" >&2
    exit 1
}

rm -rf "$root/.build/deb"
tree=$root/.build/deb/cutied-$version
mkdir -p "$tree"
cp -R "$root/config/deb/debian" "$tree"
cd "$tree"
dpkg-buildpackage --build=binary --no-sign --no-pre-clean >../build.log 2>&1 || {
    cat ../build.log >&2
    exit 1
}
cd ..
rm -rf "$tree"
lintian --profile debian --fail-on error --tag-display-limit 0 ./*.changes
ls ./*.deb
