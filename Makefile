# cutied, the Cuti-E notification daemon. `make demo` shows it, `make test` tests it, `make install` installs it.
PREFIX ?= /usr/local
DESTDIR ?=
SWIFT ?= swift

# The programs to build and install. Each program has a separate package.
programs := cutied cutied-inbox cutied-indicator cutie-sandbox
PROGRAMS ?= $(programs)
# A program that users do not start directly; see "Two programs" in Documentation/architecture.md.
internal := $(if $(filter cutied,$(PROGRAMS)),cutied-daemon)
sources := Package.swift Sources Tests Examples Sandbox/Package.swift Sandbox/Sources Sandbox/Tests $(wildcard Benchmarks)
# Makes an import without a declared dependency an error. Otherwise, such an import fails only if a clean build
# happens to compile the modules in another order.
imports := --explicit-target-dependency-import-check error
debug := $(imports)
# The sandbox is a separate Swift package, because no other program needs its dependencies.
sandbox := --package-path Sandbox --scratch-path $(CURDIR)/.build/sandbox
# The build configuration of the sandbox in `make build`. In continuous integration, `debug` saves time, because
# the tests have already built that configuration.
SANDBOX ?= release
# $(call beside,PROGRAMS,SANDBOX): links the sandbox program from the build folder SANDBOX into the build folder
# PROGRAMS.
beside = mkdir -p .build/$(1) && ln -sfn $(CURDIR)/.build/$(2)/cutie-sandbox .build/$(1)/cutie-sandbox
# Does not strip the products: profilers and the packages of debug symbols need the symbols. `install` strips them.
release := -c release --static-swift-stdlib --disable-local-rpath $(imports)
# Puts each function in its own section, so that the linker (LLD, part of the Swift toolchain) can order functions.
# All programs have these settings, because SwiftPM would otherwise compile the modules again for each program.
sections := -Xswiftc -use-ld=lld -Xswiftc -Xfrontend -Xswiftc -function-sections
# The programs of the benchmarks.
bench := .build/bench
# The functions of the daemon in the order in which the linker places them. `make build` creates the file.
order := $(CURDIR)/.build/order.txt
build_daemon = $(SWIFT) build $(release) $(sections) --product cutied-daemon \
    -Xlinker --symbol-ordering-file=$(order) -Xlinker --no-warn-symbol-ordering
# The directory with the built programs, which other targets install, package and measure.
CUTIED_PRODUCTS ?= .build/release
# The prerequisite `build`; empty if the user sets CUTIED_PRODUCTS, which contains built programs.
built := $(if $(filter file,$(origin CUTIED_PRODUCTS)),build)

packages := bash-completion fish zsh \
    libadwaita-1-dev libcurl4-openssl-dev libdbusmenu-glib-dev libnotify-dev libqrencode-dev libsecret-1-dev libsqlite3-dev \
    libssl-dev libsystemd-dev libtss2-dev libyaml-dev pkg-config \
    appstream at-spi2-core binutils bsdutils bubblewrap curl dbus desktop-file-utils dunst fonts-dejavu-core \
    gcc gettext gir1.2-atspi-2.0 gnome-keyring gzip imagemagick iproute2 jq libsecret-tools mandoc nghttp2-proxy \
    nginx-light openssl python3 python3-dbus python3-gi python3-venv socat swtpm util-linux valgrind varlink-go \
    x11-utils xdotool xvfb zbar-tools
sudo := $(if $(filter 0,$(shell id -u)),,sudo)
venv := .build/venv
# Python clients from other projects, for the tests. Authlib needs the package `requests`.
clients := varlink==31.0.0 Authlib==1.9.9 requests==2.34.2

.PHONY: deps packages build translations debug demo documentation examples interfaces man po recording test chaos fuzz sanitize bench bench-deps scale units \
    install uninstall deb deb-check rpm arch package-lists format lint symbols clean

# Compiles the icons of the window. A test checks that the result matches the sources.
window_icons := Sources/Features/Window/Icons/icons.gresource
$(window_icons): $(basename $(window_icons)).gresource.xml $(wildcard Sources/Features/Window/Icons/*.svg)
	glib-compile-resources --sourcedir=$(@D) --target=$@ $<

# Installs the missing packages on Debian and Ubuntu, and the Python clients for the tests in .build.
deps: packages $(venv)/clients

# $(call present,PACKAGES): installs the missing Debian packages. On other systems, prints the names of the
# packages to install.
define present
    command -v apt-get >/dev/null || { config/dependencies.sh $(1); exit 0; }; \
    missing=$$(for package in $(1); do \
        dpkg-query -W -f='$${Status}' $$package 2>/dev/null | grep -q 'ok installed' || echo $$package; done); \
    [ -z "$$missing" ] || { \
        $(sudo) apt-get update -qq && \
        $(sudo) env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$missing; }
endef

packages:
	@$(call present,$(packages))

$(venv)/clients: Makefile | packages
	python3 -m venv $(venv)
	$(venv)/bin/python -m pip install --quiet --disable-pip-version-check $(clients)
	@touch $@

# Builds the daemon. If the daemon has changed, also lists the functions that a reply needs, which requires running the
# daemon, and links the daemon again with these functions next to each other.
define build_ordered_daemon
    @touch -a $(order)
    $(build_daemon)
    @[ $(order) -nt .build/release/cutied-daemon ] || \
        if Benchmarks/order.py $(order); then \
            rm .build/release/cutied-daemon && $(build_daemon) && touch $(order); \
        else echo "the functions of cutied-daemon are not ordered, so each reply takes a little longer" >&2; fi
endef

build: translations $(if $(internal),$(bench)/recorder)
	for program in $(filter-out cutie-sandbox,$(PROGRAMS)); do \
	    $(SWIFT) build $(release) $(sections) --product $$program || exit 1; done
	$(if $(internal),$(build_ordered_daemon))
	$(if $(filter cutie-sandbox,$(PROGRAMS)),$(SWIFT) build $($(SANDBOX)) $(sandbox) --product cutie-sandbox)
	$(if $(filter cutie-sandbox,$(PROGRAMS)),$(call beside,release,sandbox/$(SANDBOX)))

# Compiles one catalogue per language and the translated desktop files. Set CUTIED_LOCALE_DIR to use the
# catalogues without installing them.
locale := .build/locale
languages := $(shell cat po/LINGUAS)
catalogues := $(foreach language,$(languages),$(locale)/$(language)/LC_MESSAGES/cutied.mo)
translated := $(patsubst config/%,.build/desktop/%,$(wildcard config/*.desktop config/*.metainfo.xml))

translations: $(catalogues) $(translated)

$(locale)/%/LC_MESSAGES/cutied.mo: po/%.po
	@mkdir -p $(@D)
	msgfmt --check -o $@ $<

.build/desktop/%.desktop: config/%.desktop $(wildcard po/*.po)
	@mkdir -p $(@D)
	msgfmt --desktop --template=$< -d po -o $@

.build/desktop/%.metainfo.xml: config/%.metainfo.xml $(wildcard po/*.po)
	@mkdir -p $(@D)
	GETTEXTDATADIRS=$(CURDIR)/po msgfmt --xml --template=$< -d po -o $@

# Extracts the translatable strings of the sources into po/cutied.pot, and updates the catalogue of each language.
po:
	po/catalogues update

debug: translations
	$(SWIFT) build --build-tests $(debug)
	$(SWIFT) build --build-tests $(debug) $(sandbox)
	$(call beside,debug,sandbox/debug)

demo: deps $(built)
	CUTIED_PRODUCTS=$(abspath $(CUTIED_PRODUCTS)) Tests/Demo/demo.sh

# Generates the Swift types of the Varlink interfaces and the manual pages of the interfaces.
interfaces: man
	Sources/Core/interfaces.py

# Generates the pages of the interfaces, such as io.cutied.Control(7).
man:
	@mkdir -p .build
	for file in Sources/Core/*/*.varlink; do \
	    page=$$(basename $$file .varlink).7; \
	    awk -f config/man/interface.awk $$file config/man/$$page >.build/$$page || exit; \
	    cp .build/$$page config/man/$$page || exit; \
	done

# The documentation of the library for app developers, generated by DocC. View it with `docc preview` or any
# web server.
documentation := .build/documentation
modules := .build/debug

documentation:
	$(SWIFT) build --target CutiE $(debug)
	@rm -rf $(documentation) && mkdir -p $(documentation)/symbols
	swift-symbolgraph-extract -module-name CutiE -minimum-access-level public -skip-inherited-docs \
	    -target $$($(SWIFT) -print-target-info | sed -n 's/^ *"triple": "\(.*\)",/\1/p') \
	    -I $(modules)/Modules -Xcc -fmodule-map-file=$(CURDIR)/Sources/C/CLinux/include/module.modulemap \
	    -output-dir $(documentation)/symbols
	docc convert Sources/Features/CutiE/CutiE.docc --warnings-as-errors --additional-symbol-graph-dir $(documentation)/symbols \
	    --fallback-display-name CutiE --fallback-bundle-identifier io.cutied.CutiE --output-path $(documentation)/CutiE
	@echo "python3 -m http.server -d $(documentation)/CutiE shows it at http://localhost:8000/documentation/cutie"

# Builds the example as an app developer does: in a separate package that depends only on the library.
examples:
	$(SWIFT) build --package-path Examples/Swift --scratch-path .build/examples

# Records the terminal session that the README shows.
recording: deps
	RECORDING=$(CURDIR)/config/terminal.svg DEMO_THEN=Tests/Demo/record.py CUTIED_PRODUCTS=$(abspath $(CUTIED_PRODUCTS)) \
	    Tests/Demo/demo.sh

# The number of concurrent tests. With more, tests would wait for each other, because their servers share a few
# threads.
width := SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=4

test: debug symbols
	$(width) Tests/suite.sh $(SWIFT) test --skip-build $(debug)
	$(width) Tests/suite.sh $(SWIFT) test --skip-build $(debug) $(sandbox)

# Runs the tests that inject kills, full disks, damaged databases and faulty servers, with ROUNDS faults each,
# and prints a table of the results. Fails if a reply was lost or duplicated. SEED= repeats the timing of a
# previous run.
ROUNDS ?= 200

chaos: debug
	$(width) SWIFT='$(SWIFT)' Tests/chaos.sh $(ROUNDS) $(SEED)

# The dependencies of `bench`.
bench_packages := curl dbus gcc libcurl4-openssl-dev libnotify-bin libnotify-dev libsqlite3-dev openssl pkg-config \
    python3-venv valgrind
bench_libraries := libnotify libcurl gio-2.0 sqlite3

bench-deps:
	@$(call present,$(bench_packages))
	@[ -d $(bench)/venv ] || python3 -m venv $(bench)/venv
	@$(bench)/venv/bin/python -m pip install --quiet --disable-pip-version-check httpx==0.28.1 desktop-notifier==6.2.0 || \
	    { echo "httpx or desktop-notifier cannot be had: the bench goes on without them" >&2; rm -rf $(bench)/venv; }

$(bench)/minimal $(bench)/durable: Benchmarks/stream.c
$(bench)/%: Benchmarks/%.c
	@mkdir -p $(bench)
	$(CC) -O2 -Wall -Wl,--as-needed -o $@ $^ $$(pkg-config --cflags --libs $(bench_libraries))

# Measures the programs of `make build`, in about half an hour. QUICK=1 takes a few minutes and stores no result;
# ONLY= measures one part. If CUTIED_PRODUCTS is given, the directory must also contain `herd`.
bench: bench-deps $(bench)/minimal $(bench)/durable $(bench)/recorder
	$(if $(built),$(SWIFT) build $(release) $(sections) --product herd)
	python3 Benchmarks/bench.py --build $(bench) --products $(CUTIED_PRODUCTS) $(if $(QUICK),--quick) \
	    $(if $(ONLY),--only $(ONLY))

# Measures the costs by the number of messages, watchers and unread conversations.
scale: bench-deps $(bench)/recorder
	python3 Benchmarks/scale.py --build $(bench) --products $(CUTIED_PRODUCTS) $(if $(QUICK),--quick)

races := TSAN_OPTIONS=suppressions=$(CURDIR)/Tests/Sanitizers/thread.txt $(width)

# Runs the tests of the C modules and their adapters with the address sanitizer, and all tests except the
# end-to-end tests with the thread sanitizer.
sanitize:
	ASAN_OPTIONS=detect_leaks=0 $(width) \
	    $(SWIFT) test --sanitize address --scratch-path .build/address \
	    --filter 'DesktopTests|HTTPTests|IdentityTests|PlatformTests|SystemdTests|VarlinkSocketTests'
	$(races) $(SWIFT) test --sanitize thread --package-path Sandbox --scratch-path $(CURDIR)/.build/sandbox-thread
	$(SWIFT) build --build-tests --sanitize thread --scratch-path .build/thread
	$(call beside,thread/debug,sandbox-thread/debug)
	$(races) $(SWIFT) test --skip-build --sanitize thread --scratch-path .build/thread --skip EndToEndTests

# Fuzzes each parser of external input for SECONDS. Stores new inputs in .build/fuzz. SUBJECTS= selects the parsers.
SECONDS ?= 60

fuzz:
	Tests/fuzz.sh $(SECONDS) $(SUBJECTS)

# The object files of the current sources. A wildcard would also match objects of deleted sources.
notify := $(patsubst Sources/C/CNotify/%,.build/debug/CNotify.build/%.o,$(wildcard Sources/C/CNotify/*.c))

# Checks which libraries each program links, and that no program contains modules of another program.
symbols: debug
	@nm .build/debug/cutied-daemon | grep -q 's6Daemon' || { echo "cutied-daemon has no symbols to check" >&2; exit 1; }
	@nm .build/debug/cutied | grep -q 's7Control' || { echo "cutied has no symbols to check" >&2; exit 1; }
	@! readelf -d .build/debug/cutied-daemon | grep -m1 -E 'pixbuf|gtk|adwaita|notify|secret|qrencode' || \
	    { echo "cutied-daemon needs what it does not use, or what is optional" >&2; exit 1; }
	@! readelf -d .build/debug/cutied | grep -m1 -E 'sqlite|curl|systemd|notify|secret|crypto|glib|gtk' || \
	    { echo "cutied needs what is the daemon's" >&2; exit 1; }
	@nm .build/debug/cutied-indicator | grep -q 's9Indicator' || \
	    { echo "cutied-indicator has no symbols to check" >&2; exit 1; }
	@! readelf -d .build/debug/cutied-indicator | grep -m1 -E 'sqlite|curl|systemd|notify|secret|crypto|gtk' || \
	    { echo "cutied-indicator needs libraries of the daemon or of the window" >&2; exit 1; }
	@! readelf -d .build/debug/cutied .build/debug/cutied-daemon .build/debug/cutied-inbox | grep -m1 dbusmenu || \
	    { echo "only cutied-indicator may need dbusmenu" >&2; exit 1; }
	@nm $(notify) | grep -q g_signal_add_emission_hook || { echo "CNotify has no symbols to check" >&2; exit 1; }
	@! nm $(notify) | grep -E ' g_(bus|dbus)_' || \
	    { echo "CNotify calls GDBus, whose connection would be shared" >&2; exit 1; }
	@! nm .build/debug/Answers | grep -m1 -E '\$$s[0-9]+(ControlAPI|Config|CutieAPI|Store|Daemon)' || \
	    { echo "the library brings what is the daemon's" >&2; exit 1; }
	@! readelf -d .build/debug/Answers | grep -m1 -E 'sqlite|curl|systemd|notify|secret|crypto|glib' || \
	    { echo "the library needs what is the daemon's" >&2; exit 1; }

format:
	$(SWIFT) format -i -p -r $(sources)

# Tests the programs of `make build` in a real user manager.
units:
	CUTIED_PRODUCTS=$(abspath $(CUTIED_PRODUCTS)) Tests/Units/run

# The modules that write to database tables. A function that writes is marked @_spi with the owner of its table.
writers := Access Accounts EventLog Notifications

lint: debug
	$(SWIFT) format lint --strict -p -r $(sources)
	@! for module in $(writers); do grep -rn "@_spi($$module)" Sources --include='*.swift' | \
	    grep -v -e '^Sources/Adapters/Store/' -e "^Sources/Features/$$module/"; done | grep . || \
	    { echo "a module writes a table that it does not own" >&2; exit 1; }
	@! grep -rnE '\b(JSONDecoder|JSONEncoder|JSONSerialization)\b' Sources --include='*.swift' | \
	    grep -v '^Sources/Core/JSONReading/' | grep . || { echo "JSON is read only by the module JSONReading" >&2; exit 1; }
	po/catalogues check
	Sources/Core/interfaces.py --check
	SWIFT='$(SWIFT)' Documentation/modules.py --check
	.ci/comments.py
	@if command -v shellcheck >/dev/null; then shellcheck .ci/run po/catalogues Benchmarks/path.sh Benchmarks/pipe.sh Tests/chaos.sh Tests/fuzz.sh Tests/suite.sh \
	    Tests/Demo/demo.sh Tests/Units/life.sh Tests/Units/run Tests/Units/verify Examples/Shell/*.sh config/*.sh config/arch/*.sh config/deb/*.sh config/rpm/*.sh \
	    config/status-bars/*.sh; fi
	@if command -v desktop-file-validate >/dev/null; then desktop-file-validate config/*.desktop; fi
	@if command -v appstreamcli >/dev/null; then appstreamcli validate --no-net --explain config/*.metainfo.xml; fi
	Tests/Units/verify

# The files of each program and their destinations (FILE=DESTINATION), for `install`, `uninstall` and the packages.
icons := share/icons/hicolor
documents := share/doc/cutied
# The user manager searches for units in /usr/lib, /usr/local/lib and ~/.local/share.
units := $(if $(filter /usr%,$(PREFIX)),lib,share)/systemd/user
# polkit searches for actions only in /usr/share, even if PREFIX is /usr/local.
actions := $(if $(filter /usr/local,$(PREFIX)),../share,share)/polkit-1/actions
# $(call manuals,PAGE...): pairs of a manual page and its destination, which depends on the section.
manuals = $(foreach page,$(1),config/man/$(page)=share/man/man$(subst .,,$(suffix $(page)))/$(page))
other_manuals := cutie-sandbox.1 cutied-inbox.1 cutied-indicator.1
files_cutie-sandbox := $(call manuals,cutie-sandbox.1)
files_cutied-inbox := \
    .build/desktop/io.cutied.Inbox.desktop=share/applications/io.cutied.Inbox.desktop \
    .build/desktop/io.cutied.Inbox.metainfo.xml=share/metainfo/io.cutied.Inbox.metainfo.xml \
    config/io.cutied.Inbox.svg=$(icons)/scalable/apps/io.cutied.Inbox.svg \
    config/io.cutied.Inbox-symbolic.svg=$(icons)/symbolic/apps/io.cutied.Inbox-symbolic.svg \
    $(call manuals,cutied-inbox.1)
files_cutied-indicator := \
    systemd/cutied-indicator.service=$(units)/cutied-indicator.service \
    .build/desktop/io.cutied.Indicator.desktop=share/applications/io.cutied.Indicator.desktop \
    $(foreach state,read unread paused,config/io.cutied.Inbox-$(state)-symbolic.svg=$(icons)/symbolic/apps/io.cutied.Inbox-$(state)-symbolic.svg) \
    $(call manuals,cutied-indicator.1)
files_cutied := \
    systemd/cutied.service=$(units)/cutied.service \
    systemd/cutied.socket=$(units)/cutied.socket \
    systemd/cutied-access.socket=$(units)/cutied-access.socket \
    config/polkit/io.cutied.present.policy=$(actions)/io.cutied.present.policy \
    systemd/cutied.service.d/hardening.conf=share/cutied/cutied.service.d/hardening.conf \
    systemd/restart-steps.conf=share/cutied/cutied.service.d/restart-steps.conf \
    .build/desktop/io.cutied.Cutied.desktop=share/applications/io.cutied.Cutied.desktop \
    .build/desktop/io.cutied.Cutied.metainfo.xml=share/metainfo/io.cutied.Cutied.metainfo.xml \
    config/io.cutied.Cutied.svg=$(icons)/scalable/apps/io.cutied.Cutied.svg \
    config/io.cutied.Cutied-symbolic.svg=$(icons)/symbolic/apps/io.cutied.Cutied-symbolic.svg \
    $(call manuals,$(filter-out $(other_manuals),$(notdir $(wildcard config/man/*.[157])))) \
    $(foreach file,config/config.yaml LICENSE README.md,$(file)=$(documents)/$(notdir $(file))) \
    $(foreach file,$(notdir $(wildcard config/status-bars/*)),\
        config/status-bars/$(file)=$(documents)/status-bars/$(file))
files := $(foreach program,$(PROGRAMS),$(files_$(program)))
# The Debian package sets this to vendor-completions, where zsh on Debian searches.
ZSH_COMPLETIONS ?= share/zsh/site-functions
completions := bash=share/bash-completion/completions/ zsh=$(ZSH_COMPLETIONS)/_ \
    fish=share/fish/vendor_completions.d/
# The configuration for all users. Not installed if PREFIX is a home directory.
config := $(if $(filter cutied,$(PROGRAMS)),$(if $(filter /usr%,$(PREFIX)),$(DESTDIR)/etc/xdg/cutied/config.yaml))
STRIP ?= -s
to := $(DESTDIR)$(PREFIX)
# Registers the handler of cutie:// links. Not needed in packages, whose installation triggers the registration.
registered := $(if $(DESTDIR),,$(if $(shell command -v update-desktop-database),\
    update-desktop-database -q $(PREFIX)/share/applications))
places := $(foreach pair,$(files),$(to)/$(lastword $(subst =, ,$(pair))))
# The catalogues belong to `cutied`: all programs share the catalogues and depend on `cutied`.
spoken := $(if $(filter cutied,$(PROGRAMS)),$(languages))

# Installs the programs of `make build`. Run `make build` first, without sudo. PROGRAMS=cutied installs only
# the daemon and its command.
install: translations
	install -D -m 755 $(STRIP) -t $(to)/bin $(PROGRAMS:%=$(CUTIED_PRODUCTS)/%)
	$(if $(internal),install -D -m 755 $(STRIP) -t $(to)/libexec/cutied $(internal:%=$(CUTIED_PRODUCTS)/%))
	@set -e; for pair in $(files); do install -D -m 644 "$${pair%%=*}" "$(to)/$${pair#*=}"; done
	@set -e; for language in $(spoken); do \
	    install -D -m 644 -t $(to)/share/locale/$$language/LC_MESSAGES $(locale)/$$language/LC_MESSAGES/cutied.mo; done
	@sed -i 's,/usr/\(bin\|share\)/,$(PREFIX)/\1/,g' $(places)
	@set -e; for program in $(PROGRAMS); do for pair in $(completions); do \
	    file=$(to)/$${pair#*=}$$program; shell=$${pair%%=*}; [ $$shell != fish ] || file=$$file.fish; \
	    install -d "$${file%/*}"; $(CUTIED_PRODUCTS)/$$program --generate-completion-script $$shell | \
	    sed '1{/^#!/d;}' >$$file; done; done
	$(if $(config),[ -e $(config) ] || install -D -m 644 config/config.yaml $(config))
	$(registered)

# Removes the installed files. Keeps the configuration file if it was changed.
uninstall:
	rm -f $(PROGRAMS:%=$(to)/bin/%) $(internal:%=$(to)/libexec/cutied/%) $(places) $(spoken:%=$(to)/share/locale/%/LC_MESSAGES/cutied.mo)
	$(registered)
	@for program in $(PROGRAMS); do for pair in $(completions); do \
	    rm -f "$(to)/$${pair#*=}$$program" "$(to)/$${pair#*=}$$program.fish"; done; done
	$(if $(internal),-rmdir $(to)/libexec/cutied)
	-rmdir $(to)/$(documents)/status-bars $(to)/$(documents) $(to)/share/cutied/cutied.service.d $(to)/share/cutied
	$(if $(config),! cmp -s config/config.yaml $(config) || rm -r $(dir $(config)))

# Creates .build/deb/{cutied,cutied-inbox,cutied-indicator,cutie-sandbox}_VERSION_ARCH.deb from the programs
# of `make build`, and packages with their debug symbols.
deb: $(built)
	@$(call present,debhelper dpkg-dev lintian)
	CUTIED_PRODUCTS=$(abspath $(CUTIED_PRODUCTS)) config/deb/pack.sh

# Builds .build/rpm/RPMS/*/*.rpm and .build/arch/*.pkg.tar.*. Also works on Debian, to check that the file
# lists are complete.
rpm: $(built)
	@$(call present,rpm)
	CUTIED_PRODUCTS=$(abspath $(CUTIED_PRODUCTS)) config/rpm/pack.sh

arch: $(built)
	@$(call present,libarchive-tools makepkg)
	CUTIED_PRODUCTS=$(abspath $(CUTIED_PRODUCTS)) config/arch/pack.sh

package-lists: deb rpm arch
	Tests/Packages/lists.py

# Installs the packages in minimal systems of Debian 12 and 13, runs the demo there, boots the systems to upgrade the
# packages while daemons are running, and removes the packages.
deb-check: deb
	@$(call present,debootstrap systemd-container)
	$(sudo) config/deb/check.sh

clean:
	rm -rf .build
