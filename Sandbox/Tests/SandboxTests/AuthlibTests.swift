import Foundation
import Sandbox
import TestSupport
import Testing

/// The path of a Python interpreter that has the package `authlib`: from `CUTIED_TEST_PYTHON`, or from the
/// virtual environment that `make deps` creates.
private let authlibPython: String? = {
    if let chosen = ProcessInfo.processInfo.environment["CUTIED_TEST_PYTHON"] { return chosen }
    // If the virtual environment is incomplete or outdated, the file `clients` is missing, because `make
    // deps` creates it last.
    let venv = URL(filePath: #filePath).appending(path: "../../../../.build/venv").standardized
    guard FileManager.default.fileExists(atPath: venv.appending(path: "clients").path) else { return nil }
    return venv.appending(path: "bin/python").path
}()

@Suite(.enabled(if: authlibPython != nil, "run `make deps`, or set CUTIED_TEST_PYTHON"))
struct `Authlib as a foreign OAuth client` {
    @Test
    func `Authlib completes both sign-in flows, verifies the ID token, and refreshes and revokes tokens`()
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
            #expect(try await client.waitForExit() == 0, "\(client.standardError)")
            #expect(
                client.standardOutput.split(separator: "\n") == [
                    "metadata", "browser", "id token", "userinfo", "refreshed", "conversations", "revoked",
                    "device pending", "device", "program",
                ])
        }
    }

    @Test(arguments: ["A service", "Cuti-E sandbox"])
    func `Authlib creates an assertion and exchanges the assertion for a service token`(name: String)
        async throws
    {
        try await withSandbox { sandbox in
            try await withService(issuer: sandbox.address.url) { service in
                let document = try await service.call("GET", "/rsd.json").body
                let announced = try await sandbox.admin().call(
                    "POST", "/v1/sandbox/services", String(decoding: document, as: UTF8.self))
                #expect(announced.status == 201)
                let tokens = try await sandbox.issuer().tokens()
                let script = try #require(
                    Bundle.module.url(forResource: "authlib-service", withExtension: "py"))
                let client = try ChildProcess(
                    try #require(authlibPython),
                    [script.path, sandbox.address.url, tokens.access_token, name])
                #expect(try await client.waitForExit() == 0, "\(client.standardError)")
                #expect(
                    client.standardOutput.split(separator: "\n") == [
                        "found", "assertion", "service token", "counts once", "app token", "called",
                        "refreshed", "revoked",
                    ])
            }
        }
    }
}
