#!/bin/sh
# Runs inside the minimal system. Installs /cutied/*.deb, checks the result, runs the demo, removes the
# packages, and checks that no files are left.
set -eu
fail() { echo "check: $*" >&2; exit 1; }
quietly() { "$@" >/tmp/log 2>&1 || { tail -n 20 /tmp/log >&2; fail "$*"; }; }

quietly apt-get update
quietly apt-get install -y --no-install-recommends /cutied/cutied_*.deb
depends=$(dpkg-query -W -f '${Depends}' cutied)
echo "installed $(dpkg-query -W cutied) with $depends"
# The daemon must not depend on an image library.
case $depends in *pixbuf*) fail "a dependency that is not used: $depends" ;; esac
# libnotify and libsecret must be optional, because the daemon also runs on servers without a desktop.
case $depends in *libnotify* | *libsecret*) fail "a dependency that is optional: $depends" ;; esac
case $(dpkg-query -W -f '${Recommends}' cutied) in
*libnotify4*libsecret-1-0*) ;;
*) fail "notifications and the keyring are not recommended" ;;
esac
# The package must not recommend a notification server, because apt would install it in addition to the server
# of the desktop.
case $(dpkg-query -W -f '${Recommends}' cutied) in *notification-daemon*) fail "a server is recommended" ;; esac
[ ! -e /usr/bin/cutie-sandbox ] || fail "the sandbox is in the package of the daemon"

# The package must not enable a unit for any user. Without an App ID, the program must print the command to
# run.
[ -z "$(find /etc/systemd/user -name 'cutied*' 2>/dev/null)" ] || fail "a unit is enabled"
useradd --create-home person
person() { su person -c "cd; export XDG_RUNTIME_DIR=/tmp/run; mkdir -p -m 700 /tmp/run; $*"; }
status=0
said=$(person cutied doctor 2>&1) || status=$?
[ "$status" = 78 ] || fail "cutied doctor ended with $status: $said"
case $said in *"cutied setup"*) ;; *) fail "no advice: $said" ;; esac

# If a library is missing, `systemctl status` must name the package of the library.
library=$(find /usr/lib -name 'libcurl.so.4' | head -1)
mv "$library" "$library.away"
status=0
said=$(person cutied run 2>&1) || status=$?
mv "$library.away" "$library"
[ "$status" = 69 ] || fail "without libcurl cutied run ended with $status: $said"
case $said in *"sudo apt install libcurl4"*) ;; *) fail "no package: $said" ;; esac

case $(dpkg-query -W -f '${Recommends}' cutied) in *cutied-inbox*) ;; *) fail "no window is recommended" ;; esac
[ ! -e /usr/bin/cutied-inbox ] || fail "the window is in the package of the daemon"
quietly apt-get install -y --no-install-recommends /cutied/cutie-sandbox_*.deb /cutied/cutied-inbox_*.deb \
    /cutied/cutied-indicator_*.deb
depends=$(dpkg-query -W -f '${Depends}' cutied-inbox)
echo "installed $(dpkg-query -W cutied-inbox) with $depends"
# GTK loads the icons of the window with this package, but only recommends it.
case $depends in *librsvg2-common*) ;; *) fail "the loader of the icons is missing: $depends" ;; esac
[ -z "$(find /etc/systemd/user -name 'cutied*' 2>/dev/null)" ] || fail "a unit of the window or the icon is enabled"
for file in $(dpkg -L cutied cutied-inbox cutied-indicator cutie-sandbox); do
    case $file in
    *.gz) gzip -t "$file" ;;
    */bash-completion/*/*) bash -n "$file" ;;
    esac
done

# Install the programs that the demo needs to show a notification.
quietly apt-get install -y --no-install-recommends \
    libnotify4 libsecret-1-0 dbus dunst fonts-dejavu-core imagemagick x11-utils xdotool xvfb
mkdir /cutied/.build
chown person /cutied/.build
su person -c 'CUTIED_PRODUCTS=/usr/bin /cutied/Tests/Demo/demo.sh' || fail "the demo"

files=$(dpkg -L cutied cutied-inbox cutied-indicator cutie-sandbox)
quietly apt-get purge -y cutied cutied-inbox cutied-indicator cutie-sandbox
left=$(find / -xdev -path /cutied -prune -o -path /home -prune -o \( -name '*cutied*' -o -name '*cutie-*' \) -print)
[ -z "$left" ] || fail "left behind: $left"
for file in $files; do [ -d "$file" ] || [ ! -e "$file" ] || fail "left behind: $file"; done
echo "removed, and nothing is left"
