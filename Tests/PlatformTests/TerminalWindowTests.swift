import Foundation
import Platform
import TestSupport
import Testing

struct TerminalWindowTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func install(_ names: String...) throws {
        for name in names {
            let file = directory.file(name)
            #expect(FileManager.default.createFile(atPath: file, contents: Data("#!/bin/sh\n".utf8)))
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file)
        }
    }

    private func windows(_ additions: [String: String] = [:]) -> [[String]] {
        let environment = ["PATH": directory.path].merging(additions) { $1 }
        return TerminalEmulator.findInstalled(in: environment).map {
            [$0.name] + $0.commandLine(running: ["a", "b"]).dropFirst()
        }
    }

    @Test func `No terminal window can be opened if no terminal program is installed`() {
        #expect(windows(["TERMINAL": "nothing", "XDG_CURRENT_DESKTOP": "GNOME"]) == [])
    }

    @Test func `Without x-terminal-emulator, the desktop's own terminal is tried first`() throws {
        try install("ptyxis", "kgx", "gnome-terminal", "konsole", "xfce4-terminal", "xterm")
        #expect(
            windows(["XDG_CURRENT_DESKTOP": "ubuntu:GNOME"]).first == [
                "ptyxis", "--new-window", "--", "a", "b",
            ])
        #expect(windows(["XDG_CURRENT_DESKTOP": "KDE"]).first == ["konsole", "-e", "a", "b"])
        #expect(windows(["XDG_CURRENT_DESKTOP": "XFCE"]).first == ["xfce4-terminal", "-x", "a", "b"])
        #expect(windows(["XDG_CURRENT_DESKTOP": "sway"]).count == 6)
    }

    @Test func `The terminal that the user chose is tried first, and each terminal is tried once`()
        throws
    {
        try install("x-terminal-emulator", "gnome-terminal", "mine", "xterm")
        #expect(
            windows(["TERMINAL": "mine"]).map(\.[0]) == [
                "mine", "x-terminal-emulator", "gnome-terminal", "xterm",
            ])
        #expect(windows(["TERMINAL": "mine"]).first == ["mine", "-e", "a", "b"])
        let named = windows(["TERMINAL": directory.file("gnome-terminal")])
        #expect(named.first == ["gnome-terminal", "--", "a", "b"])
        #expect(named.count == 3)
    }
}
