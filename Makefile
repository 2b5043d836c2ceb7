# cutied, the Cuti-E notification daemon. `make demo` shows it, `make test` tests it, `make install` installs it.
PREFIX ?= /usr/local
DESTDIR ?=
SWIFT ?= swift

programs := cutied cutie-sandbox conformance
sources := Package.swift Sources Tests $(wildcard Benchmarks)
# Without it a module that is used but not declared is found only when a clean build orders it otherwise.
imports := --explicit-target-dependency-import-check error
release := -c release --static-swift-stdlib -Xlinker -s $(imports)

packages := libcurl4-openssl-dev libnotify-dev libqrencode-dev libsecret-1-dev libsqlite3-dev libssl-dev libsystemd-dev \
    libtss2-dev pkg-config \
    binutils curl dbus desktop-file-utils dunst fonts-dejavu-core gnome-keyring gzip imagemagick iproute2 libsecret-tools mandoc nghttp2-proxy openssl \
    python3 python3-dbus python3-gi python3-venv swtpm util-linux varlink-go x11-utils xdotool xvfb zbar-tools
sudo := $(if $(filter 0,$(shell id -u)),,sudo)
venv := .build/venv
varlink := varlink==31.0.0

.PHONY: deps packages build debug demo test sanitize units install uninstall format lint symbols clean

# What Debian and Ubuntu offer is installed where it is missing; the tests' Python client goes into .build.
deps: packages $(venv)/varlink

packages:
	@missing=$$(for package in $(packages); do \
	    dpkg-query -W -f='$${Status}' $$package 2>/dev/null | grep -q 'ok installed' || echo $$package; done); \
	[ -z "$$missing" ] && exit 0; \
	command -v apt-get >/dev/null || { echo "no apt-get here; install what is like:" $$missing >&2; exit 1; }; \
	$(sudo) apt-get update -qq && \
	$(sudo) env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$missing

$(venv)/varlink: Makefile | packages
	python3 -m venv $(venv)
	$(venv)/bin/pip install --quiet --disable-pip-version-check '$(varlink)'
	@touch $@

build:
	for program in $(programs); do $(SWIFT) build $(release) --product $$program || exit 1; done

debug:
	$(SWIFT) build --build-tests $(imports)

demo: deps build
	Tests/Demo/demo.sh

# All at once, the tests would wait for each other: their servers answer from the same few threads.
width := SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=4

test: debug symbols
	$(width) $(SWIFT) test --skip-build $(imports)

# The shims and what drives them under the address sanitizer, all but whole programs under the thread sanitizer.
sanitize:
	ASAN_OPTIONS=detect_leaks=0 $(width) $(SWIFT) test --sanitize address --scratch-path .build/address \
	    --filter 'DesktopTests|HTTPTests|PlatformTests|VarlinkSocketTests'
	$(width) $(SWIFT) test --sanitize thread --scratch-path .build/thread --skip EndToEndTests

# The import check does not see products of packages that nobody declared: SwiftNIO is the sandbox's alone.
symbols: debug
	@nm .build/debug/cutied | grep -q 's6Daemon' || { echo "cutied has no symbols to check" >&2; exit 1; }
	@! nm .build/debug/cutied | grep -m1 -E '\$$s[0-9]+NIO' || { echo "cutied contains SwiftNIO" >&2; exit 1; }

format:
	$(SWIFT) format -i -p -r $(sources)

# In a real user manager, of what `make build` left.
units:
	Tests/Units/run

lint: debug
	$(SWIFT) format lint --strict -p -r $(sources)
	@if command -v shellcheck >/dev/null; then shellcheck .ci/run Tests/Demo/demo.sh Tests/Units/life.sh \
	    Tests/Units/run Tests/Units/verify; fi
	@if command -v desktop-file-validate >/dev/null; then desktop-file-validate config/*.desktop; fi
	Tests/Units/verify

bin := $(DESTDIR)$(PREFIX)/bin
units := $(DESTDIR)$(PREFIX)/lib/systemd/user
share := $(DESTDIR)$(PREFIX)/share
icons := $(share)/icons/hicolor

# Of what `make build` left: run that as yourself first.
install:
	install -D -m 755 -t $(bin) .build/release/cutied .build/release/cutie-sandbox
	install -d $(units)
	sed 's,/usr/bin/cutied,$(PREFIX)/bin/cutied,' systemd/cutied.service >$(units)/cutied.service
	install -m 644 systemd/cutied.socket $(units)/cutied.socket
	install -D -m 644 -t $(share)/applications config/io.cutied.Cutied.desktop
	install -D -m 644 -t $(icons)/scalable/apps config/io.cutied.Cutied.svg
	install -D -m 644 -t $(icons)/symbolic/apps config/io.cutied.Cutied-symbolic.svg
	for section in 1 5 7; do install -D -m 644 -t $(share)/man/man$$section config/man/*.$$section; done
	install -D -m 644 -t $(share)/doc/cutied config/config.yaml LICENSE README.md
	install -D -m 644 -t $(share)/cutied/cutied.service.d systemd/cutied.service.d/hardening.conf \
	    systemd/restart-steps.conf
	install -d $(share)/bash-completion/completions $(share)/zsh/site-functions \
	    $(share)/fish/vendor_completions.d
	.build/release/cutied --generate-completion-script bash >$(share)/bash-completion/completions/cutied
	.build/release/cutied --generate-completion-script zsh >$(share)/zsh/site-functions/_cutied
	.build/release/cutied --generate-completion-script fish >$(share)/fish/vendor_completions.d/cutied.fish

uninstall:
	rm -f $(bin)/cutied $(bin)/cutie-sandbox $(units)/cutied.service $(units)/cutied.socket
	rm -f $(share)/applications/io.cutied.Cutied.desktop
	rm -f $(icons)/scalable/apps/io.cutied.Cutied.svg $(icons)/symbolic/apps/io.cutied.Cutied-symbolic.svg
	rm -f $(share)/bash-completion/completions/cutied $(share)/zsh/site-functions/_cutied
	rm -f $(share)/fish/vendor_completions.d/cutied.fish
	rm -f $(addprefix $(share)/man/man1/,cutie-sandbox.1 cutied.1 cutied-ctl.1) $(share)/man/man5/cutied.yaml.5
	rm -f $(share)/man/man7/io.cutied.Control.7
	rm -rf $(share)/doc/cutied $(share)/cutied

clean:
	rm -rf .build
