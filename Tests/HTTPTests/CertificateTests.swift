import Foundation
import HTTP
import Reasons
import TestSupport
import Testing

struct CertificateTests {
    private let httpClient = HTTPClient()
    private let certificates: TestCertificates
    private let root: TestCertificates.Certificate

    init() async throws {
        certificates = try TestCertificates()
        root = try await certificates.makeRoot()
    }

    @Test func `Only the configured CA is trusted`() async throws {
        let server = try await server(for: try await certificates.makeLeaf(by: root))
        let response = try await httpClient.send(
            HTTPRequest(server.url), policy: TLSPolicy(caFile: root.file))
        #expect(response.body == Array("0 TLSv1.3".utf8))
        await expect(.unknownIssuer, from: server, TLSPolicy())
    }

    @Test func `An expired certificate has its own error code`() async throws {
        let server = try await server(for: try await certificates.makeLeaf(by: root, isExpired: true))
        await expect(.certificateExpired, from: server, TLSPolicy(caFile: root.file))
        #expect(!server.wasAsked)
    }

    @Test func `A certificate that was issued for a different host name has its own error code`() async throws
    {
        let leaf = try await certificates.makeLeaf(by: root, hosts: ["DNS:example.com", "IP:127.0.0.2"])
        let server = try await server(for: leaf)
        await expect(.wrongHost, from: server, TLSPolicy(caFile: root.file))
        #expect(!server.wasAsked)
    }

    @Test func `TLS 1.2 is used only if the TLS policy allows it`() async throws {
        let leaf = try await certificates.makeLeaf(by: root)
        let server = try await TLSServer(
            chain: try certificates.writeChain(leaf), keyFile: leaf.keyFile, maximumVersion: "TLSv1_2")
        await expect(.protocolVersion, from: server, TLSPolicy(caFile: root.file))
        let old = TLSPolicy(minimumVersion: .v1_2, caFile: root.file)
        #expect(try await httpClient.send(HTTPRequest(server.url), policy: old).body.count == 9)
    }

    @Test(arguments: ["/nonexistent/ca.pem", "/dev/null", "/etc/hostname", "/tmp"])
    func `A CA file that contains no certificate causes an error`(file: String) async throws {
        let server = try await server(for: try await certificates.makeLeaf(by: root))
        await expect(.caFileUnreadable, from: server, TLSPolicy(caFile: file))
    }

    @Test func `A CA file that has changed is read again`() async throws {
        let server = try await server(for: try await certificates.makeLeaf(by: root))
        let other = try await certificates.makeRoot("other")
        let file = try certificates.writeChain(other)
        await expect(.unknownIssuer, from: server, TLSPolicy(caFile: file))
        let renewed = try String(contentsOfFile: root.file, encoding: .utf8)
        try (renewed + "\n").write(toFile: file, atomically: true, encoding: .utf8)
        #expect(
            try await httpClient.send(HTTPRequest(server.url), policy: TLSPolicy(caFile: file)).status == 200)
    }

    @Test func `Requests to the same host and port under different TLS policies never share a connection`()
        async throws
    {
        let server = try await server(for: try await certificates.makeLeaf(by: root))
        let plain = TLSPolicy(caFile: root.file)
        let pinned = TLSPolicy(caFile: root.file, pins: [root.pin])
        let wrong = TLSPolicy(caFile: root.file, pins: [try await certificates.makeRoot("other").pin])
        var bodies: [String] = []
        for policy in [plain, pinned, plain, pinned] {
            let response = try await httpClient.send(HTTPRequest(server.url), policy: policy)
            bodies.append(String(decoding: response.body, as: UTF8.self))
        }
        #expect(bodies == ["0 TLSv1.3", "1 TLSv1.3", "0 TLSv1.3", "1 TLSv1.3"])
        await expect(.pinMismatch, from: server, wrong)
    }

    @Test func `The certificate is also verified for streams`() async throws {
        let server = try await server(for: try await certificates.makeLeaf(by: root))
        let other = try await certificates.makeRoot("other")
        let policy = TLSPolicy(caFile: root.file, pins: [other.pin])
        await #expect(throws: HTTPError(.tls(.pinMismatch), .text(""))) {
            try await httpClient.openStream(for: HTTPRequest(server.url), policy: policy)
        }
        #expect(!server.wasAsked)
    }

    private func server(for leaf: TestCertificates.Certificate) async throws -> TLSServer {
        try await TLSServer(chain: leaf.file, keyFile: leaf.keyFile)
    }

    private func expect(_ failure: HTTPError.TLSFailure, from server: TLSServer, _ policy: TLSPolicy) async {
        await #expect(throws: HTTPError(.tls(failure), .text(""))) {
            try await httpClient.send(HTTPRequest(server.url), policy: policy)
        }
    }
}
