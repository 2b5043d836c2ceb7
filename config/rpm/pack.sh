#!/bin/sh
# Creates .build/rpm/RPMS/*/*.rpm from the programs of `make build`. On Debian, rpmbuild lacks systemd's macros.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
: "${CUTIED_PRODUCTS:=$root/.build/release}"
export CUTIED_PRODUCTS
top=$root/.build/rpm
rm -rf "$top"
mkdir -p "$top"

set --
if [ "$(rpm --eval '%{_userunitdir}')" = '%{_userunitdir}' ]; then
    # Define the macros that Fedora has in its package systemd-rpm-macros.
    cat >"$top/macros" <<'EOF'
%_userunitdir /usr/lib/systemd/user
%systemd_user_post() /usr/lib/systemd/systemd-update-helper install-user-units %{?*} || :
%systemd_user_preun() [ $1 -ne 0 ] || /usr/lib/systemd/systemd-update-helper remove-user-units %{?*} || :
%systemd_user_postun_with_restart() [ $1 -lt 1 ] || /usr/lib/systemd/systemd-update-helper mark-restart-user-units %{?*} || :
EOF
    set -- --load "$top/macros"
fi
# Skip the check of dependencies (--nodeps), because the RPM database is empty on Debian.
rpmbuild -bb --build-in-place --nodeps --without build "$@" --define "_topdir $top" "$root/config/rpm/cutied.spec" \
    >"$top/build.log" 2>&1 || {
    cat "$top/build.log" >&2
    exit 1
}
ls "$top"/RPMS/*/*.rpm
