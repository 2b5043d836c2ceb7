import Config
import CutieAPI
import TestSupport
import Testing

@testable import Doctor

/// Tests of certificate checks with a real TLS server.
struct CertificateProbeTests {
    private let certificates: TestCertificates

    init() throws { certificates = try TestCertificates() }

    /// Returns the TLS check of a server with the certificate `leaf`, for a user who trusts the CA
    /// `authority`.
    private func check(
        _ leaf: TestCertificates.Certificate, trusting authority: TestCertificates.Certificate?,
        pins: [String] = []
    ) async throws -> Check {
        let server = try ChildProcess(
            "/usr/bin/openssl",
            ["s_server", "-accept", "127.0.0.1:0", "-cert", leaf.file, "-key", leaf.keyFile, "-www"])
        let place = try await server.waitForLine(after: "ACCEPT ")
        var account = AccountConfiguration(appID: "app_1")
        account.apiURL = try APIAddress("https://" + place)
        account.tls.caFile = authority?.file
        account.tls.pins = pins.compactMap { CertificatePin($0) }
        let facts = await APIFacts.probe([account])
        return try #require(APIFacts.makeChecks(for: facts)["tls"])
    }

    @Test func `A valid certificate with a pinned key is accepted`() async throws {
        let root = try await certificates.makeRoot()
        let leaf = try await certificates.makeLeaf(by: root)
        let check = try await check(leaf, trusting: root, pins: [root.pin])
        #expect(check == Check("tls", .ok, "the certificate of 127.0.0.1 is valid and has a pinned key"))
    }

    @Test func `An expired certificate is reported`() async throws {
        let root = try await certificates.makeRoot()
        let leaf = try await certificates.makeLeaf(by: root, isExpired: true)
        let check = try await check(leaf, trusting: root)
        #expect(check.verdict == .failure)
        #expect(check.finding == "the certificate of 127.0.0.1 has expired")
    }

    @Test func `A certificate that was issued for a different host name is reported`() async throws {
        let root = try await certificates.makeRoot()
        let leaf = try await certificates.makeLeaf(by: root, hosts: ["DNS:example.org"])
        #expect(try await check(leaf, trusting: root).finding.contains("for another host"))
    }

    @Test func `A certificate that does not match the configured pin is reported`() async throws {
        let root = try await certificates.makeRoot()
        let leaf = try await certificates.makeLeaf(by: root)
        let other = try await certificates.makeRoot("other")
        #expect(
            try await check(leaf, trusting: root, pins: [other.pin]).finding.contains(
                "does not match a pinned key"))
    }

    @Test func `A certificate from an unknown CA is reported`() async throws {
        let root = try await certificates.makeRoot()
        let leaf = try await certificates.makeLeaf(by: root)
        #expect(try await check(leaf, trusting: nil).finding.contains("unknown CA"))
    }
}
