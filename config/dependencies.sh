#!/bin/sh
# dependencies.sh DEBIAN_PACKAGE...: prints what these Debian packages are called on this system. `make deps`
# runs this script on systems without apt-get. The names for Fedora, openSUSE and Arch come from package
# search pages and are untested.
set -eu
if command -v dnf >/dev/null; then
    column=2 command='sudo dnf install'
elif command -v zypper >/dev/null; then
    column=3 command='sudo zypper install'
elif command -v pacman >/dev/null; then
    column=4 command='sudo pacman -S --needed'
else
    echo "make deps: this system has none of apt-get, dnf, zypper and pacman; install the equivalents of: $*"
    exit
fi
# Debian                 Fedora                       openSUSE                       Arch          (-: not packaged)
names='
appstream                appstream                    AppStream                      appstream
at-spi2-core             at-spi2-core                 at-spi2-core                   at-spi2-core
bash-completion          bash-completion              bash-completion                bash-completion
binutils                 binutils                     binutils                       binutils
bsdutils                 util-linux-script            util-linux                     util-linux
bubblewrap               bubblewrap                   bubblewrap                     bubblewrap
curl                     curl                         curl                           curl
dbus                     dbus-daemon                  dbus-1                         dbus
desktop-file-utils       desktop-file-utils           desktop-file-utils             desktop-file-utils
dunst                    dunst                        dunst                          dunst
fish                     fish                         fish                           fish
fonts-dejavu-core        dejavu-sans-fonts            dejavu-fonts                   ttf-dejavu
gcc                      gcc                          gcc                            gcc
gettext                  gettext                      gettext-tools                  gettext
gir1.2-atspi-2.0         at-spi2-core                 typelib-1_0-Atspi-2_0          at-spi2-core
gnome-keyring            gnome-keyring                gnome-keyring                  gnome-keyring
gzip                     gzip                         gzip                           gzip
imagemagick              ImageMagick                  ImageMagick                    imagemagick
iproute2                 iproute                      iproute2                       iproute2
jq                       jq                           jq                             jq
libadwaita-1-dev         libadwaita-devel             libadwaita-devel               libadwaita
libarchive-tools         bsdtar                       bsdtar                         libarchive
libcurl4-openssl-dev     libcurl-devel                libcurl-devel                  curl
libdbusmenu-glib-dev     libdbusmenu-devel            libdbusmenu-glib-devel         libdbusmenu-glib
libnotify-bin            libnotify                    libnotify-tools                libnotify
libnotify-dev            libnotify-devel              libnotify-devel                libnotify
libqrencode-dev          qrencode-devel               qrencode-devel                 qrencode
libsecret-1-dev          libsecret-devel              libsecret-devel                libsecret
libsecret-tools          libsecret                    secret-tool                    libsecret
libsqlite3-dev           sqlite-devel                 sqlite3-devel                  sqlite
libssl-dev               openssl-devel                libopenssl-devel               openssl
libsystemd-dev           systemd-devel                systemd-devel                  systemd-libs
libtss2-dev              tpm2-tss-devel               tpm2-0-tss-devel               tpm2-tss
libyaml-dev              libyaml-devel                libyaml-devel                  libyaml
makepkg                  pacman                       -                              pacman
mandoc                   mandoc                       mandoc                         mandoc
nghttp2-proxy            nghttp2                      nghttp2                        -
nginx-light              nginx                        nginx                          nginx
openssl                  openssl                      openssl                        openssl
pkg-config               pkgconf-pkg-config           pkgconf-pkg-config             pkgconf
python3                  python3                      python3                        python
python3-dbus             python3-dbus                 python3-dbus-python            python-dbus
python3-gi               python3-gobject              python3-gobject                python-gobject
python3-venv             python3                      python3                        python
rpm                      rpm-build                    rpm-build                      rpm-tools
socat                    socat                        socat                          socat
swtpm                    swtpm                        swtpm                          swtpm
util-linux               util-linux                   util-linux                     util-linux
valgrind                 valgrind                     valgrind                       valgrind
varlink-go               -                            -                              -
x11-utils                xprop                        xprop                          xorg-xprop
xdotool                  xdotool                      xdotool                        xdotool
xvfb                     xorg-x11-server-Xvfb         xorg-x11-server-Xvfb           xorg-server-xvfb
zbar-tools               zbar                         zbar                           zbar
zsh                      zsh                          zsh                            zsh
'
echo "make deps installs packages on Debian and Ubuntu only. Install:"
printf '%s\n' "$@" | awk -v names="$names" -v column="$column" -v command="$command" '
    BEGIN { count = split(names, lines, "\n"); for (i = 1; i <= count; i++) { split(lines[i], f, " "); name[f[1]] = f[column] } }
    !($1 in name) || name[$1] == "-" { missing = missing " " $1; next }
    !seen[name[$1]]++ { command = command " " name[$1] }
    END {
        print command
        if (missing) print "Debian packages without an equivalent here, which some tests need:" missing
    }'
