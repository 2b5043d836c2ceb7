import Foundation
import TestSupport
import Testing

/// Tests of the window on a desktop that lacks some usual components.
@Suite struct `The window with missing desktop components` {
    private struct Absence: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let environment: @Sendable (TemporaryDirectory) throws -> [String: String]
    }

    private static let absences: [Absence] = [
        Absence(testDescription: "GSettings schemas") { _ in ["XDG_DATA_DIRS": "/nonexistent"] },
        Absence(testDescription: "icons") { directory in
            for name in ["glib-2.0", "mime"] {
                try FileManager.default.createSymbolicLink(
                    atPath: directory.file(name), withDestinationPath: "/usr/share/" + name)
            }
            return ["XDG_DATA_DIRS": directory.path]
        },
        Absence(testDescription: "a portal") { _ in ["GTK_USE_PORTAL": "1"] },
        Absence(testDescription: "an accessibility bus") { _ in
            ["AT_SPI_BUS_ADDRESS": "unix:path=/nonexistent"]
        },
    ]

    /// Keys that the text fields and windows of GTK handle.
    private static let keysOfGTK = [
        "ctrl+period", "ctrl+semicolon", "shift+F10", "Menu", "ctrl+a", "ctrl+shift+i", "ctrl+shift+d",
    ]

    @Test(.timeLimit(.minutes(10)), arguments: absences)
    private func `No key press crashes the window or the feedback form`(absence: Absence) async throws {
        try await EndToEndFixture.with { fixture in
            let user = try await DesktopUser(before: "cutied-inbox", on: fixture.bus)
            let directory = try TemporaryDirectory()
            let thread = try await fixture.daemon.startConversation("Question", "The first")
            // Critical warnings must not end the program, because GTK logs a critical warning for each
            // missing component.
            let changes = try absence.environment(directory).merging(["G_DEBUG": ""]) { $1 }
            let window = try fixture.startWindow([thread], user, changes)
            let keys = try `Keys in the windows`.listedKeys().subtracting(["ctrl+w", "ctrl+q", "Return"])
            try await user.waitFor(window: "Cuti-E")
            for key in keys.sorted() + Self.keysOfGTK {
                // `ctrl+r` focuses the composer. Escape closes a menu or window that the tested key has
                // opened.
                try await user.pressKeys("ctrl+r", key, in: "Cuti-E")
                try await user.pressKeysInNewestWindow("Escape", "Escape")
                #expect(window.isRunning, "\(key): \(window.standardError.suffix(500))")
            }
            #expect(try await fixture.startWindow(["--compose"], user, changes).waitForExit() == 0)
            for key in Self.keysOfGTK {
                try await user.pressKeys(key, in: "New Feedback")
                #expect(window.isRunning, "\(key): \(window.standardError.suffix(500))")
            }
            try await fixture.saveScreenshot(
                of: user, "without-" + absence.testDescription.filter(\.isLetter))
            window.signal(SIGTERM)
            try await window.waitForExit()
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `Without a display or a font, the window prints the missing component and exits with 69`()
        async throws
    {
        try await EndToEndFixture.with { fixture in
            let user = try await DesktopUser(before: "cutied-inbox", on: fixture.bus)
            let directory = try TemporaryDirectory()
            let fonts = directory.file("fonts.conf")
            try "<?xml version=\"1.0\"?><fontconfig></fontconfig>".write(
                toFile: fonts, atomically: true, encoding: .utf8)
            let rows: [([String: String], String)] = [
                (["DISPLAY": ""], "there is no display; use `cutied ctl` here"),
                (
                    ["DISPLAY": ":4711"],
                    "the display does not respond; check DISPLAY and WAYLAND_DISPLAY, or use `cutied ctl`"
                ),
                (
                    ["GDK_BACKEND": "wayland", "WAYLAND_DISPLAY": "nowhere"],
                    "the display does not respond; check DISPLAY and WAYLAND_DISPLAY, or use `cutied ctl`"
                ),
                (
                    ["FONTCONFIG_FILE": fonts],
                    "no font is installed; install one, for example the package fonts-dejavu-core"
                ),
            ]
            for (changes, sentence) in rows {
                let window = try fixture.startWindow([], user, changes.merging(["G_DEBUG": ""]) { $1 })
                #expect(try await window.waitForExit() == 69, "\(changes)")
                #expect(window.standardError.hasSuffix("cutied-inbox: \(sentence)\n"), "\(changes)")
            }
        }
    }

    @Test(.timeLimit(.minutes(10)), arguments: ["x11", "wayland"])
    func `If the display accepts the connection but does not respond, the window exits with 69`(
        backend: String
    ) async throws {
        try await EndToEndFixture.with { fixture in
            let user = try await DesktopUser(before: "cutied-inbox", on: fixture.bus)
            let directory = try TemporaryDirectory()
            // A number of this process, because other runs of the tests use the same directory.
            let number = 1000 + getpid() % 60_000
            let path = backend == "x11" ? "/tmp/.X11-unix/X\(number)" : directory.file("wayland")
            unlink(path)
            let display = try SilentListener(at: path)
            defer { unlink(path) }
            let window = try fixture.startWindow(
                [], user,
                ["GDK_BACKEND": backend, "DISPLAY": ":\(number)", "WAYLAND_DISPLAY": path, "G_DEBUG": ""])
            #expect(try await window.waitForExit() == 69)
            #expect(window.standardError.hasSuffix("use `cutied ctl`\n"), "\(window.standardError)")
            withExtendedLifetime(display) {}
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `If the session bus ends, the window stays open and can still send a reply`() async throws {
        try await EndToEndFixture.with { fixture in
            let user = try await DesktopUser(before: "cutied-inbox", on: fixture.bus)
            let thread = try await fixture.daemon.startConversation("Question", "The first")
            let window = try fixture.startWindow([thread], user)
            try await user.waitFor(.row("The first, "))
            try await fixture.killBus()
            try await user.pressKeys("ctrl+r", in: "Cuti-E")
            try await user.typeText("After the bus ended", in: "Cuti-E")
            try await user.pressKeys("ctrl+Return", in: "Cuti-E")
            try await eventually("the reply on the server") {
                try await fixture.sandbox.fetchTexts(in: thread).contains("After the bus ended")
            }
            #expect(window.isRunning, "\(window.standardError.suffix(500))")
            window.signal(SIGTERM)
            try await window.waitForExit()
        }
    }
}

/// Tests that the window follows the settings of the desktop.
@Suite struct `The window and the desktop's settings` {
    @Test(
        .enabled(if: FileManager.default.fileExists(atPath: schema), "gsettings-desktop-schemas is missing"),
        .timeLimit(.minutes(10)))
    func `While the window is open, displayed times follow changes of the desktop's clock format`()
        async throws
    {
        try await EndToEndFixture.with { fixture in
            let user = try await DesktopUser(before: "cutied-inbox", on: fixture.bus)
            let directory = fixture.daemon.directory.file("config/glib-2.0/settings")
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
            func set(_ format: String) throws {
                try "[org/gnome/desktop/interface]\nclock-format='\(format)'\n".write(
                    toFile: directory + "/keyfile", atomically: false, encoding: .utf8)
            }
            try set("12h")
            let thread = try await fixture.daemon.startConversation("Question", "The first")
            let window = try fixture.startWindow([thread], user, ["GSETTINGS_BACKEND": "keyfile"])
            let row = try await user.readText(.row("The first, "))
            #expect(row.contains(" AM") || row.contains(" PM"), "\(row)")
            try set("24h")
            try await user.waitForAbsence(.row(row))
            try await user.waitFor(.row("The first, "))
            window.signal(SIGTERM)
            try await window.waitForExit()
        }
    }

    private static let schema = "/usr/share/glib-2.0/schemas/org.gnome.desktop.interface.gschema.xml"
}
