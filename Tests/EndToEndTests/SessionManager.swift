import Foundation
import TestSupport

/// A fake user manager, which provides the environment of the session and starts programs with it.
final class SessionManager {
    private let directory: TemporaryDirectory
    private var listeners: [SilentListener] = []
    /// A directory for `PATH` that contains a fake `systemctl` and a fake `systemd-run`.
    var programs: String { directory.path }
    private var variables: String { directory.file("variables") }

    init() throws {
        directory = try TemporaryDirectory()
        try install(
            "systemctl",
            """
            #!/bin/sh
            [ "$*" = "--user show-environment" ] && exec cat '\(variables)'
            exit 1
            """)
        try install(
            "systemd-run",
            """
            #!/usr/bin/python3
            import os, sys
            options = sys.argv[1:sys.argv.index("--")]
            command = [word.replace("$$", "$") for word in sys.argv[len(options) + 2:]]
            additions = [option[len("--setenv="):] for option in options if option.startswith("--setenv=")]
            pairs = open("\(variables)").read().splitlines() + additions
            os.execvpe(command[0], command, dict(pair.split("=", 1) for pair in pairs))
            """)
        try begin([:])
    }

    private func install(_ name: String, _ text: String) throws {
        try installScript(text, at: directory.file(name))
    }

    /// Replaces the environment of the session, as a desktop does when a session begins.
    func begin(_ environment: [String: String]) throws {
        let lines = ["PATH=/usr/bin:/bin", "ODD=$'a b'"] + environment.map { "\($0)=\($1)" }
        try (lines.joined(separator: "\n") + "\n").write(toFile: variables, atomically: true, encoding: .utf8)
    }

    /// Creates the manager's sockets. Other programs check these sockets to detect whether a manager is
    /// running.
    func listen(in runtime: String) throws {
        try FileManager.default.createDirectory(
            atPath: runtime + "/systemd", withIntermediateDirectories: true)
        listeners = try [runtime + "/systemd/private", runtime + "/bus"].map { try SilentListener(at: $0) }
    }

    /// Starts the daemon in the same way as the manager, which sets `SYSTEMD_EXEC_PID` to the PID of the
    /// daemon.
    func startDaemon(of fixture: EndToEndFixture) throws -> SpawnedProgram {
        try SpawnedProgram(
            "/bin/sh", ["-c", "SYSTEMD_EXEC_PID=$$ exec \(BuiltProduct.path(of: "cutied")) run"],
            environment: fixture.daemon.environment)
    }
}
