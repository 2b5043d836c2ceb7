import ControlAPI
import Foundation
import TestSupport
import Testing
import VarlinkSocket

@testable import Doctor

/// Tests that run the program `cutied doctor` in broken and working environments.
struct DoctorCommandTests {
    private let daemon: StandInDaemon

    init() throws { daemon = try StandInDaemon() }

    private struct Found: Decodable {
        let checks: [Check]
        let ok: Bool
    }

    private func examine(adding: [String: String] = [:]) async throws -> (code: Int32?, found: Found) {
        let program = try await daemon.cutied("doctor", "--json", adding: adding)
        #expect(program.lines.count == 1)
        let found = try JSONDecoder().decode(Found.self, from: Data(program.standardOutput.utf8))
        return (program.exitCode, found)
    }

    private func configure(_ text: String) throws {
        let directory = daemon.directory.file("config/cutied")
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        try text.write(toFile: directory + "/config.yaml", atomically: true, encoding: .utf8)
    }

    @Test func `Doctor reports a missing configuration, bus and daemon, and creates no files`() async throws {
        let (code, found) = try await examine()
        #expect(code == 78)
        #expect(!found.ok)
        let failed = found.checks.filter { $0.verdict == .failure }.map(\.name)
        #expect(failed == ["config", "session bus", "daemon"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: daemon.directory.path) == [])
    }

    @Test func `Doctor does not require a configuration if the running daemon has accounts`() async throws {
        try await daemon.running({ $0.on(GetStatus.self) { _ in .sample(.sample(.connected)) } }) {
            let (code, found) = try await examine()
            #expect(code == 1, "there is no session bus")
            #expect(found.checks["config"]?.verdict == .skipped)
            #expect(found.checks["config"]?.finding.contains("the daemon has accounts of apps") == true)
            #expect(found.checks["config"]?.finding.contains("default") == true)
        }
    }

    @Test func `Doctor reports an invalid line in the configuration`() async throws {
        try configure("app_id: app_1\npoll_intervall: 5\n")
        let (code, found) = try await examine()
        #expect(code == 78)
        #expect(found.checks["config"]?.finding.contains("config.yaml:2: poll_intervall: ") == true)
    }

    @Test func `Doctor reports wrong file modes and an unreachable API`() async throws {
        try configure("app_id: app_1\napi_url: http://127.0.0.1:1\n")
        let state = daemon.directory.file("state/cutied")
        try FileManager.default.createDirectory(
            atPath: state, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        let (code, found) = try await examine()
        #expect(code == 1)
        #expect(found.checks["files"]?.advice == "run: chmod 700 \(state)")
        #expect(found.checks["api"]?.verdict == .failure)
    }

    @Test func `Doctor reports an account that was stopped because the API refused it`() async throws {
        try configure("app_id: app_1\napi_url: http://127.0.0.1:1\n")
        let account = AccountView.sample(.stopped, because: "the API refused the token twice")
        try await daemon.running({ $0.on(GetStatus.self) { _ in .sample(account) } }) {
            let (code, found) = try await examine()
            #expect(code == 1)
            #expect(found.checks["daemon"]?.verdict == .ok)
            #expect(found.checks["account default"]?.finding == "stopped: the API refused the token twice")
            #expect(found.checks["control socket"]?.verdict == .ok)
        }
    }

    @Test func `Doctor reports a buffering proxy`() async throws {
        let api = try RawServer { connection, _ in
            while connection.readRequest() != nil, connection.answer("401 Unauthorized") {}
        }
        try configure("app_id: app_1\napi_url: \(api.url)\n")
        var account = AccountView.sample(.connected, by: "long-poll", because: "no byte came")
        account.heldBack = true
        try await daemon.running({ $0.on(GetStatus.self) { [account] _ in .sample(account) } }) {
            let check = try await examine().found.checks["account default"]
            #expect(check?.verdict == .warning)
            #expect(check?.finding.contains("a proxy seems to buffer") == true)
        }
    }

    @Test func `Doctor reports the link handler and tries to start the program that a click opens`()
        async throws
    {
        try configure("app_id: app_1\napi_url: http://127.0.0.1:1\n")
        let applications = daemon.directory.file("share/applications")
        try FileManager.default.createDirectory(atPath: applications, withIntermediateDirectories: true)
        try "[Desktop Entry]\nName=Cuti-E\n".write(
            toFile: applications + "/io.cutied.Cutied.desktop", atomically: true, encoding: .utf8)
        try "[MIME Cache]\nx-scheme-handler/cutie=io.cutied.Cutied.desktop;\n".write(
            toFile: applications + "/mimeinfo.cache", atomically: true, encoding: .utf8)
        for name in ["xdg-open", "x-terminal-emulator"] { try daemon.install(name, "exit 0") }
        let session = [
            "PATH": daemon.directory.file("bin") + ":/usr/bin:/bin", "DISPLAY": ":7",
            "XDG_DATA_DIRS": daemon.directory.file("share"),
        ]
        let found = try await examine(adding: session).found
        #expect(found.checks["openers"]?.verdict == .ok)
        #expect(
            found.checks["links"]?.finding
                == "Cuti-E (io.cutied.Cutied.desktop) opens cutie:// links, in x-terminal-emulator")
    }

    @Test func `Doctor reports a disabled unit and missing lingering`() async throws {
        try configure("app_id: app_1\napi_url: http://127.0.0.1:1\n")
        try daemon.install(
            "systemctl", "case $2 in is-enabled) echo disabled; exit 1;; *) echo inactive; exit 3; esac")
        try daemon.install("loginctl", "echo no")
        let (_, found) = try await examine(adding: ["PATH": daemon.directory.file("bin")])
        #expect(found.checks["unit"]?.advice == "run: systemctl --user enable --now cutied")
        #expect(found.checks["linger"]?.verdict == .warning)
        #expect(found.checks["hardening"]?.verdict == .skipped)
    }

    @Test func `Doctor reports a missing notification server and a server with few capabilities`()
        async throws
    {
        let bus = try await PrivateBus()
        let alone = try await examine(adding: bus.environment).found
        #expect(alone.checks["session bus"]?.verdict == .ok)
        #expect(alone.checks["notification server"]?.verdict == .failure)
        var modest = RecordingNotificationServer.Appearance()
        modest.capabilities = ["body"]
        let server = try await RecordingNotificationServer(on: bus, as: modest)
        let served = try await examine(adding: bus.environment).found
        #expect(served.checks["notification server"]?.verdict == .warning)
        #expect(server.notifications.isEmpty)
    }

    @Test func `Doctor exits with 0 if all checks pass`() async throws {
        let bus = try await PrivateBus()
        let server = try await RecordingNotificationServer(on: bus)
        let api = try RawServer { connection, _ in
            while connection.readRequest() != nil, connection.answer("401 Unauthorized") {}
        }
        try configure("app_id: app_1\napi_url: \(api.url)\n")
        let account = AccountView.sample(.connected, by: "stream")
        try await daemon.running({ $0.on(GetStatus.self) { _ in .sample(account) } }) {
            let program = try await daemon.cutied("doctor", adding: bus.environment)
            #expect(program.exitCode == 0, "\(program.standardOutput)")
            #expect(program.standardOutput.contains("✓ account default       connected by stream\n"))
            #expect(!program.standardOutput.contains("✗"))
        }
        try await server.killProcess()
    }
}
