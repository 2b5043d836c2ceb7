import CutieAPI
import Foundation
import Sandbox
import TestSupport
import Testing

@Suite struct ServingTests {
    @Test func `Stopping the server closes open streams`() async throws {
        let stream = Box<OpenStream>()
        try await withSandbox { sandbox in
            let device = try await sandbox.device()
            let opened = try OpenStream(device)
            try await opened.opened()
            await stream.put(opened)
        }
        let opened = try #require(await stream.value)
        try await eventually("end of the stream") { opened.isEnded }
    }

    @Test func `The error suggests the option --port if the port is already in use`() async throws {
        try await withSandbox { sandbox in
            var options = SandboxOptions()
            options.port = try #require(URL(string: sandbox.address.url)?.port)
            let second = try SandboxServer(options)
            let error = await #expect(throws: SandboxError.self) {
                try await second.run(until: patience) { _ in }
            }
            #expect(error?.code == .addressInUse)
            #expect(error?.description.contains("--port") == true)
        }
    }

    @Test func `The error for an invalid database file names the file`() throws {
        let directory = try TemporaryDirectory()
        let file = directory.file("sandbox.db")
        try String(repeating: "no database ", count: 500).write(
            toFile: file, atomically: true, encoding: .utf8)
        var options = SandboxOptions()
        options.database = file
        let error = #expect(throws: SandboxError.self) { try SandboxServer(options) }
        #expect(error?.code == .badDatabase)
        #expect(error?.description.contains(file) == true)
    }

    @Test func `Only one sandbox at a time can open a database file, and the file has mode 0600`()
        throws
    {
        let directory = try TemporaryDirectory()
        var options = SandboxOptions()
        options.database = directory.file("sandbox.db")
        let first = try SandboxServer(options)
        let mode = try FileManager.default.attributesOfItem(atPath: options.database)[.posixPermissions]
        #expect(mode as? Int == 0o600)
        let error = #expect(throws: SandboxError.self) { try SandboxServer(options) }
        #expect(error?.code == .badDatabase)
        withExtendedLifetime(first) {}
    }

    @Test func `The sandbox uses TLS for responses and streams if a certificate is configured`() async throws
    {
        let certificates = try TestCertificates()
        let root = try await certificates.makeRoot()
        let leaf = try await certificates.makeLeaf(by: root)
        try await withSandbox({ $0.tls = .init(certificate: leaf.file, key: leaf.keyFile) }) { sandbox in
            #expect(sandbox.address.url.hasPrefix("https://"))
            let address = sandbox.address.url.dropFirst("https://".count)
            let request = """
                POST /v1/device/register HTTP/1.1\r
                Host: localhost\r
                Connection: close\r
                X-App-ID: app_sandbox\r
                X-Device-ID: device_\(UUID().uuidString)\r
                Content-Length: 24\r
                \r
                {"app_id":"app_sandbox"}
                """
            let client = try ChildProcess(
                "/usr/bin/openssl",
                ["s_client", "-quiet", "-verify_return_error", "-CAfile", root.file]
                    + ["-verify_hostname", "localhost", "-connect", String(address)],
                input: request)
            #expect(try await client.waitForExit() == 0)
            #expect(client.standardOutput.contains("\"is_new\":true"), "\(client.standardError)")
        }
    }

    @Test func `The error for an unreadable certificate names the file`() async throws {
        var options = SandboxOptions()
        options.port = 0
        options.tls = .init(certificate: "/nonexistent/c.pem", key: "/nonexistent/k.pem")
        let server = try SandboxServer(options)
        let error = await #expect(throws: SandboxError.self) {
            try await server.run(until: patience) { _ in }
        }
        #expect(error?.code == .badCertificate)
        #expect(error?.description.contains("/nonexistent/c.pem") == true)
    }

    @Test func `Each server address has its own credentials file with mode 0600`() async throws {
        let directory = try TemporaryDirectory()
        let environment = ["XDG_STATE_HOME": directory.path]
        try await withSandbox { one in
            try await withSandbox { two in
                let file = try CredentialsFile.write(for: one.address, environment: environment)
                _ = try CredentialsFile.write(for: two.address, environment: environment)
                let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions]
                #expect(mode as? Int == 0o600)
                for sandbox in [one, two] {
                    let url = sandbox.address.url
                    let client = sandbox.address.client
                    #expect(try CredentialsFile.read(forURL: url, environment: environment) == client)
                    let named = url.replacingOccurrences(of: "127.0.0.1", with: "localhost")
                    #expect(try CredentialsFile.read(forURL: named, environment: environment) == client)
                }
                CredentialsFile.remove(for: one.address, environment: environment)
                CredentialsFile.remove(for: one.address, environment: environment)
                let error = #expect(throws: SandboxError.self) {
                    try CredentialsFile.read(forURL: one.address.url, environment: environment)
                }
                #expect(error?.code == .noCredentials)
            }
        }
    }
}

/// Waits for 30 s. A test passes this function to a server that should fail to start, so that the test ends
/// even if the server starts.
@Sendable private func patience() async { try? await Task.sleep(for: .seconds(30)) }

/// A value that a test reads after the sandbox has stopped.
actor Box<Value: Sendable> {
    private(set) var value: Value?

    func put(_ value: Value) { self.value = value }
}
