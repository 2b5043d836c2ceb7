import Foundation
import Sandbox
import TestSupport
import Testing

/// A python with PyPI's `authlib`: the venv of `make deps`, or what `CUTIED_TEST_PYTHON` names.
private let authlibPython: String? = {
    if let chosen = ProcessInfo.processInfo.environment["CUTIED_TEST_PYTHON"] { return chosen }
    // `make deps` leaves it when all clients are there: an older venv has a python, and not this client.
    let venv = URL(filePath: ".build/venv")
    guard FileManager.default.fileExists(atPath: venv.appending(path: "clients").path) else { return nil }
    return venv.appending(path: "bin/python").path
}()

@Suite(.enabled(if: authlibPython != nil, "run `make deps`, or set CUTIED_TEST_PYTHON"))
struct `An OAuth client that is not ours` {
    @Test func `It signs in by browser and by device, verifies the ID token, refreshes and revokes`()
        async throws
    {
        try await withSandbox({ $0.deviceCodeInterval = 0 }) { sandbox in
            let issuer = try await sandbox.issuer()
            let script = try #require(
                Bundle.module.url(forResource: "authlib-client", withExtension: "py"))
            let client = try ChildProcess(
                try #require(authlibPython),
                [script.path, sandbox.address.url, issuer.email, issuer.password, issuer.adminID]
                    + [sandbox.address.client.id, sandbox.address.client.secret])
            #expect(try await client.exit() == 0, "\(client.standardError)")
            #expect(
                client.standardOutput.split(separator: "\n") == [
                    "metadata", "browser", "id token", "userinfo", "refreshed", "conversations", "revoked",
                    "device pending", "device", "program",
                ])
        }
    }
}
