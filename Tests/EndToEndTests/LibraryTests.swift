import Foundation
import TestSupport
import Testing

/// Tests with missing libraries. An empty file, which cannot be loaded, replaces each library.
@Suite struct `Missing libraries` {
    private struct Loss {
        let libraries: TemporaryDirectory

        init(of library: String) throws {
            libraries = try TemporaryDirectory()
            try Data().write(to: URL(filePath: libraries.file(library)))
        }

        var environment: [String: String] { ["LD_LIBRARY_PATH": libraries.path] }
    }

    private static let needed = [
        ("libcrypto.so.3", "libssl3"), ("libcurl.so.4", "libcurl4"), ("libgio-2.0.so.0", "libglib2.0-0"),
        ("libglib-2.0.so.0", "libglib2.0-0"), ("libgobject-2.0.so.0", "libglib2.0-0"),
        ("libsqlite3.so.0", "libsqlite3-0"), ("libssl.so.3", "libssl3"), ("libsystemd.so.0", "libsystemd0"),
    ]

    @Test(arguments: needed)
    func `If a library is missing, the daemon names its package, exits with 69 and never reports READY`(
        library: String, package: String
    ) async throws {
        let (loss, manager) = (try Loss(of: library), try UnixSocket(SOCK_DGRAM))
        let session = loss.environment.merging(["NOTIFY_SOCKET": manager.path]) { $1 }
        let daemon = try DaemonFixture(session: session, configuration: "app_id: app_sandbox\n")
        let program = try daemon.launch(logLevel: nil)
        #expect(try await program.waitForExit() == 69)
        #expect(program.standardError.contains("the daemon cannot start without \(library)"))
        #expect(program.standardError.contains("`sudo apt install \(package)`"))
        // The last check of this test fails if READY arrives as a second message.
        let status = try manager.next()
        #expect(status.hasPrefix("STATUS=the daemon cannot start without \(library)"), "\(status)")
        #expect(status.contains(package), "\(status)")
        #expect(throws: POSIXError.self) { try manager.next() }
    }

    @Test(arguments: needed)
    func `Doctor names the package of a missing library, also in the JSON output`(
        library: String, package: String
    ) async throws {
        let loss = try Loss(of: library)
        defer { withExtendedLifetime(loss) {} }
        let daemon = try DaemonFixture(session: loss.environment, configuration: nil)
        let program = try BuiltProduct.path(of: "cutied")
        for (words, expected) in [
            (["doctor"], "sudo apt install \(package)"), (["doctor", "--json"], package),
        ] {
            let doctor = try SpawnedProgram(program, words, environment: daemon.environment)
            #expect(try await doctor.waitForExit() == 69)
            #expect(doctor.standardError.contains(expected), "\(doctor.standardError)")
            #expect(doctor.standardError.hasPrefix("{") == words.contains("--json"))
        }
    }

    @Test(arguments: needed)
    func `The ctl commands run without the daemon's libraries`(library: String, package: String) async throws
    {
        let loss = try Loss(of: library)
        defer { withExtendedLifetime(loss) {} }
        let daemon = try DaemonFixture(session: loss.environment, configuration: nil)
        let status = try SpawnedProgram(
            BuiltProduct.path(of: "cutied"), ["ctl", "status", "--no-wait"], environment: daemon.environment)
        #expect(try await status.waitForExit() == 69)
        #expect(status.standardError.contains("it is not running"), "\(status.standardError)")
    }

    @Test func `Without libnotify, the daemon runs without notifications, and doctor reports the reason`()
        async throws
    {
        let loss = try Loss(of: "libnotify.so.4")
        defer { withExtendedLifetime(loss) {} }
        try await EndToEndFixture.with({ $0.environment = loss.environment }) { fixture in
            let conversation = try await fixture.daemon.startConversation("Alone")
            try await fixture.sandbox.reply("Unseen", in: conversation)
            try await fixture.daemon.waitForBadge(1)
            #expect(try await fixture.daemon.fetchStatus().notifier.available == false)
            #expect(fixture.daemon.journal.contains("libnotify is not installed"))
            let doctor = try SpawnedProgram(
                BuiltProduct.path(of: "cutied"), ["doctor"], environment: fixture.daemon.environment)
            _ = try await doctor.waitForExit()
            #expect(doctor.standardOutput.contains("sudo apt install libnotify4"), "\(doctor.standardOutput)")
        }
    }

    @Test func `The daemon stores secrets in the file if libsecret is missing, even if a keyring is running`()
        async throws
    {
        let loss = try Loss(of: "libsecret-1.so.0")
        defer { withExtendedLifetime(loss) {} }
        try await EndToEndFixture.with({
            $0.environment = loss.environment
            $0.isConnected = false
        }) { fixture in
            let keyring = try await Keyring(on: fixture.bus)
            try await fixture.daemon.start()
            try await fixture.daemon.waitUntilConnected()
            let device = try await fixture.makeDevice()
            #expect(try fixture.daemon.stateFiles(holding: device.token.base64).map(\.name) == ["secrets"])
            #expect(try await !keyring.search("subject", device.id).contains(device.token.base64))
            let doctor = try SpawnedProgram(
                BuiltProduct.path(of: "cutied"), ["doctor"], environment: fixture.daemon.environment)
            _ = try await doctor.waitForExit()
            #expect(doctor.standardOutput.contains("libsecret is not installed"), "\(doctor.standardOutput)")
        }
    }
}
