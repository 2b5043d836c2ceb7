import Config
import ControlAPI
import ControlClient
import Foundation
import Platform
import Reasons
import Setup
import TestSupport
import Testing
import VarlinkSocket

/// Tests with a stand-in daemon and a fake service manager.
struct DaemonServiceTests {
    private let daemon: StandInDaemon
    private let directory: TemporaryDirectory
    private let file: ConfigurationFile

    init() throws {
        daemon = try StandInDaemon()
        directory = try TemporaryDirectory()
        file = ConfigurationFile(path: directory.file("config.yaml"))
        try "app_id: a\n".write(toFile: file.path, atomically: true, encoding: .utf8)
    }

    private func service(systemctl: String = "cutied-no-systemctl") -> DaemonService {
        let units = UserUnits(environment: ["XDG_RUNTIME_DIR": directory.path], systemctl: systemctl)
        return DaemonService(daemon: DaemonClient(path: daemon.socket), units: units)
    }

    /// Runs `body` with a fake user manager: its socket exists, and `systemctl` executes `script`.
    private func withManager(_ script: String, _ body: (DaemonService) async throws -> Void) async throws {
        try FileManager.default.createDirectory(
            atPath: directory.file("systemd"), withIntermediateDirectories: true)
        let own = try ListeningSocket(bindingTo: directory.file("systemd/private"))
        let bus = try ListeningSocket(bindingTo: directory.file("bus"))
        let program = directory.file("systemctl")
        try installScript(
            "#!/bin/sh\necho \"$@\" >>\(directory.file("asked"))\n\(script)\n", at: program)
        try await body(service(systemctl: program))
        withExtendedLifetime(own) { withExtendedLifetime(bus) {} }
    }

    private var preview: [ConfigurationChange] {
        get throws {
            [ConfigurationChange(try #require(ConfigurationKey("notifications.preview")), .text("count"))]
        }
    }

    private func text() throws -> String { try String(contentsOfFile: file.path, encoding: .utf8) }

    @Test func `A running daemon loads a changed configuration`() async throws {
        let seen = Shared("")
        try await daemon.running {
            $0.on(Reload.self) { _ in
                seen.value = try String(contentsOfFile: file.path, encoding: .utf8)
                return .init()
            }
        } while: {
            let outcome = try await service().apply(preview, to: file)
            #expect(outcome == .reloaded)
        }
        #expect(seen.value == "app_id: a\nnotifications:\n  preview: count\n")
        #expect(try text() == seen.value)
    }

    @Test
    func `If the daemon refuses a configuration change, the change is undone and the reason is reported`()
        async throws
    {
        try await daemon.running {
            $0.on(Reload.self) { _ in throw InvalidConfiguration(reason: "no") }
        } while: {
            await #expect(throws: SetupFailure.rejectedByDaemon(.text("no"))) {
                try await service().apply(preview, to: file)
            }
        }
        #expect(try text() == "app_id: a\n")
    }

    @Test func `Without a running daemon, a configuration change takes effect on the next launch`()
        async throws
    {
        let outcome = try await service().apply(preview, to: file)
        #expect(outcome == .notRunning)
        #expect(try text().contains("preview: count"))
    }

    @Test
    func `If the daemon is incompatible, the configuration change is preserved and an error is reported`()
        async throws
    {
        try await daemon.running {
            $0
        } while: {
            await #expect(throws: IncompatibleDaemon.unknownMethod) {
                try await service().apply(preview, to: file)
            }
        }
        #expect(try text().contains("preview: count"))
    }

    @Test func `The setup enables and starts the service`() async throws {
        try await withManager("") { service in
            let outcome = try await service.start(after: file.setAppID("app_1", apiAddress: nil))
            #expect(outcome == .started)
        }
        let asked = try String(contentsOfFile: directory.file("asked"), encoding: .utf8)
        #expect(asked == "--user enable --now cutied.socket cutied.service\n")
        #expect(try text() == "app_id: app_1\n")
    }

    @Test func `An error from the service manager is reported, and the configuration is preserved`()
        async throws
    {
        let script = "echo 'Created symlink a.'; echo 'Unit file cutied.socket does not exist.' >&2; exit 1"
        try await withManager(script) { service in
            let outcome = try await service.start(after: file.setAppID("app_1", apiAddress: nil))
            #expect(outcome == .notStarted("Unit file cutied.socket does not exist."))
        }
        #expect(try text() == "app_id: app_1\n")
    }

    @Test func `The setup succeeds if the daemon already runs without the service manager`()
        async throws
    {
        try await daemon.running {
            $0.on(Reload.self) { _ in .init() }
        } while: {
            try await withManager("exit 1") { service in
                let outcome = try await service.start(after: file.setAppID("app_1", apiAddress: nil))
                #expect(outcome == .reloaded)
            }
        }
    }

    @Test func `A missing service manager is reported`() async throws {
        let outcome = try await service().start(after: file.setAppID("app_1", apiAddress: nil))
        #expect(outcome == .unmanaged)
        #expect(try text() == "app_id: app_1\n")
    }
}
