import Foundation
import TestSupport
import Testing

@Suite struct `Storage of the device token` {
    @Test func `Without a keyring, the device token is stored in a file and not in the database`()
        async throws
    {
        try await EndToEndFixture.with { fixture in
            let token = try await fixture.makeDevice().token
            #expect(try fixture.daemon.stateFiles(holding: token.base64).map(\.name) == ["secrets"])
            #expect(try fixture.daemon.stateFiles(holding: token).isEmpty)
            #expect(try fixture.daemon.mode(of: "secrets") == 0o600)
        }
    }

    @Test
    func `A device token is stored in an available keyring, and is moved if the configuration changes`()
        async throws
    {
        try await EndToEndFixture.with({ $0.isConnected = false }) { fixture in
            let keyring = try await Keyring(on: fixture.bus)
            try await fixture.daemon.start()
            try await fixture.daemon.waitUntilConnected()
            let device = try await fixture.makeDevice()
            func isInKeyring() async throws -> Bool {
                try await keyring.search("subject", device.id).contains(device.token.base64)
            }
            #expect(try await isInKeyring())
            #expect(try fixture.daemon.stateFiles(holding: device.token.base64).isEmpty)
            #expect(try fixture.daemon.stateFiles(holding: device.token).isEmpty)

            try fixture.configure("secrets: file")
            #expect(try await fixture.daemon.ctl("reload").code == 0)
            try await eventually("the token is only in the file") {
                try await !isInKeyring() && fixture.daemon.stateFiles(holding: device.token.base64).count == 1
            }
            try fixture.configure("secrets: secret-service")
            try await fixture.daemon.restart()
            try await fixture.daemon.waitUntilConnected()
            try await eventually("the token is only in the keyring") {
                try await isInKeyring() && fixture.daemon.stateFiles(holding: device.token.base64).isEmpty
            }
            #expect(try await fixture.makeDevice().token == device.token)
        }
    }

    @Test
    func `When a keyring becomes available, the token moves into it without a new registration`()
        async throws
    {
        try await EndToEndFixture.with { fixture in
            let device = try await fixture.makeDevice()
            #expect(try fixture.daemon.stateFiles(holding: device.token.base64).map(\.name) == ["secrets"])
            let keyring = try await Keyring(on: fixture.bus)
            #expect(try await fixture.daemon.ctl("reload").code == 0)
            try await eventually("the token is only in the keyring") {
                try await keyring.search("subject", device.id).contains(device.token.base64)
                    && fixture.daemon.stateFiles(holding: device.token.base64).isEmpty
            }
            try await fixture.daemon.restart()
            try await fixture.daemon.waitUntilConnected()
            #expect(try await fixture.makeDevice().token == device.token)
        }
    }

    @Test func `The daemon waits for a locked keyring instead of registering again`() async throws {
        try await EndToEndFixture.with({ $0.isConnected = false }) { fixture in
            let keyring = try await Keyring(on: fixture.bus)
            try await fixture.daemon.start()
            try await fixture.daemon.waitUntilConnected()
            let device = try await fixture.makeDevice()
            try await fixture.daemon.stop()
            try await keyring.lock()
            try await fixture.daemon.start()
            let status = try await fixture.daemon.waitForStatus("a reason") { $0.accounts[0].reason != nil }
            #expect(status.accounts[0].reason?.contains("keyring") == true)
            #expect(status.state != "connected")
            try await keyring.stop()
            try await keyring.restart()
            #expect(try await fixture.daemon.ctl("reconnect").code == 0)
            try await fixture.daemon.waitUntilConnected()
            #expect(try await fixture.makeDevice().token == device.token)
        }
    }

    @Test func `A keyring that does not respond delays neither startup nor commands`() async throws {
        try await EndToEndFixture.with({ $0.isConnected = false }) { fixture in
            let hanging = try await Keyring.startHangingService(on: fixture.bus)
            try await fixture.daemon.start()
            let clock = ContinuousClock()
            let time = try await clock.measure { _ = try await fixture.daemon.fetchStatus() }
            // The time limit of a call to the keyring is 10 s.
            #expect(time < .seconds(8))
            try await fixture.daemon.waitUntilConnected()
            let token = try await fixture.makeDevice().token
            #expect(try fixture.daemon.stateFiles(holding: token.base64).map(\.name) == ["secrets"])
            try await hanging.killProcess()
        }
    }

    @Test func `A token in the database of an earlier version is moved to the secrets file`() async throws {
        try await EndToEndFixture.with({ $0.isConnected = false }) { fixture in
            try await fixture.daemon.start()
            try await fixture.daemon.waitUntilConnected()
            let device = try await fixture.makeDevice()
            try await fixture.daemon.stop()
            try FileManager.default.removeItem(atPath: fixture.daemon.stateFile("secrets"))
            try await execute(
                "UPDATE account SET device_token = '\(device.token)'", in: fixture.daemon.databaseFile)
            #expect(try fixture.daemon.stateFiles(holding: device.token).map(\.name) == ["cutied.db"])
            try await fixture.daemon.start()
            try await fixture.daemon.waitUntilConnected()
            #expect(try fixture.daemon.stateFiles(holding: device.token).isEmpty)
            #expect(try fixture.daemon.stateFiles(holding: device.token.base64).map(\.name) == ["secrets"])
            #expect(try await fixture.makeDevice().token == device.token)
        }
    }

    @Test func `A device token is not sent to a server at a different origin`() async throws {
        try await EndToEndFixture.with { fixture in
            let token = try await fixture.makeDevice().token
            let other = try await SandboxFixture(appID: fixture.sandbox.appID)
            try fixture.daemon.configure("app_id: \(other.appID)\napi_url: \(other.url)\n")
            #expect(try await fixture.daemon.ctl("reload").code == 0)
            try await fixture.daemon.waitForStatus("a connection to the other server") {
                $0.state == "connected" && $0.accounts[0].apiUrl == other.url
            }
            let id = try await fixture.daemon.fetchStatus().accounts[0].deviceId
            #expect(try await other.device(id).token != token)
            try await other.stop()
        }
    }
}

extension DaemonFixture {
    fileprivate func stateFile(_ name: String) -> String { directory.file("state/cutied/" + name) }

    /// Returns the files in the state directory that contain `text`.
    func stateFiles(holding text: String) throws -> [(name: String, path: String)] {
        while true {
            do {
                return try FileManager.default.contentsOfDirectory(atPath: stateFile("")).sorted()
                    .map { ($0, stateFile($0)) }
                    .filter { try Data(contentsOf: URL(filePath: $0.1)).range(of: Data(text.utf8)) != nil }
            } catch CocoaError.fileReadNoSuchFile {
                // The daemon replaced a file during the search, so the loop searches again.
            }
        }
    }

    fileprivate func mode(of name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: stateFile(name))[.posixPermissions] as? Int
    }
}

extension String {
    /// The string in base64, which is its encoding in the secrets file.
    var base64: String { Data(utf8).base64EncodedString() }
}
