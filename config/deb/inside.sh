#!/bin/sh
# Runs in the bare system: installs /cutied/*.deb, looks, shows the demo, removes it, looks again.
set -eu
fail() { echo "check: $*" >&2; exit 1; }
quietly() { "$@" >/tmp/log 2>&1 || { tail -n 20 /tmp/log >&2; fail "$*"; }; }

quietly apt-get update
quietly apt-get install -y --no-install-recommends /cutied/cutied_*.deb
echo "installed $(dpkg-query -W cutied) with $(dpkg-query -W -f '${Depends}' cutied)"

# Nothing is enabled for anybody, and without an App ID it says what to type.
[ -z "$(find /etc/systemd/user -name 'cutied*' 2>/dev/null)" ] || fail "a unit is enabled"
useradd --create-home person
person() { su person -c "cd; export XDG_RUNTIME_DIR=/tmp/run; mkdir -p -m 700 /tmp/run; $*"; }
status=0
said=$(person cutied run 2>&1) || status=$?
[ "$status" = 78 ] || fail "cutied run ended with $status: $said"
case $said in *"cutied setup"*) ;; *) fail "no advice: $said" ;; esac
for file in $(dpkg -L cutied); do
    case $file in
    *.gz) gzip -t "$file" ;;
    */bash-completion/*/*) bash -n "$file" ;;
    esac
done

# What the demo shows a pop-up with.
quietly apt-get install -y --no-install-recommends \
    dbus dunst fonts-dejavu-core imagemagick librsvg2-common x11-utils xdotool xvfb
mkdir /cutied/.build
chown person /cutied/.build
su person -c 'CUTIED_PRODUCTS=/usr/bin /cutied/Tests/Demo/demo.sh' || fail "the demo"

files=$(dpkg -L cutied)
quietly apt-get purge -y cutied
[ -z "$(find / -xdev -path /cutied -prune -o -path /home -prune -o -name '*cutied*' -print)" ] ||
    fail "left behind: $(find / -xdev -path /cutied -prune -o -path /home -prune -o -name '*cutied*' -print)"
for file in $files; do [ -d "$file" ] || [ ! -e "$file" ] || fail "left behind: $file"; done
echo "removed, and nothing is left"
