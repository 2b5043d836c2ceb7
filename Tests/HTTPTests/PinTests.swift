import Config
import CutieAPI
import HTTP
import Reasons
import TestSupport
import Testing

struct PinTests {
    private let httpClient = HTTPClient()
    private let certificates: TestCertificates

    init() throws { certificates = try TestCertificates() }

    @Test(arguments: TestCertificates.Key.allCases)
    func `A pin may match the root, the intermediate or the leaf certificate`(key: TestCertificates.Key)
        async throws
    {
        let root = try await certificates.makeRoot(key: key)
        let intermediate = try await certificates.makeIntermediate(by: root, key: key)
        let leaf = try await certificates.makeLeaf(by: intermediate, key: key)
        // The server does not send the root certificate, but the verified chain contains it.
        let server = try await TLSServer(
            chain: try certificates.writeChain(leaf, intermediate), keyFile: leaf.keyFile)
        for pin in [root.pin, intermediate.pin, leaf.pin] {
            #expect(try await answer(of: server, root.file, [pin, Self.foreignPin]) == .success(200))
        }
        #expect(try await answer(of: server, root.file, [Self.foreignPin]) == Self.mismatch)
        #expect(server.requestCount == 3)
    }

    @Test
    func `A renewed leaf certificate is accepted with a pinned CA, but not with a pinned leaf certificate`()
        async throws
    {
        let root = try await certificates.makeRoot()
        let old = try await certificates.makeLeaf("old", by: root),
            new = try await certificates.makeLeaf("new", by: root)
        let server = try await TLSServer(chain: new.file, keyFile: new.keyFile)
        #expect(try await answer(of: server, root.file, [root.pin]) == .success(200))
        #expect(try await answer(of: server, root.file, [old.pin]) == Self.mismatch)
    }

    @Test func `A pinned certificate outside the verified chain is not accepted`() async throws {
        let pinned = try await certificates.makeRoot("pinned")
        let foreign = try await certificates.makeRoot("foreign")
        let intermediate = try await certificates.makeIntermediate(by: foreign)
        let leaf = try await certificates.makeLeaf(by: intermediate)
        let server = try await TLSServer(
            chain: try certificates.writeChain(leaf, intermediate, pinned), keyFile: leaf.keyFile)
        #expect(try await answer(of: server, foreign.file, [pinned.pin]) == Self.mismatch)
        // The result must be the same if both roots are trusted.
        let both = try certificates.writeChain(foreign, pinned)
        #expect(try await answer(of: server, both, [pinned.pin]) == Self.mismatch)
        #expect(!server.wasAsked)
    }

    @Test func `A pin does not make an unknown issuer trusted`() async throws {
        let root = try await certificates.makeRoot()
        let leaf = try await certificates.makeLeaf(by: root)
        let server = try await TLSServer(
            chain: try certificates.writeChain(leaf, root), keyFile: leaf.keyFile)
        await #expect(throws: HTTPError(.tls(.unknownIssuer), .text(""))) {
            try await httpClient.send(HTTPRequest(server.url), policy: TLSPolicy(pins: [root.pin, leaf.pin]))
        }
    }

    @Test(arguments: [
        "", "sha256//", "sha256//AAAA", "sha1//\(String(repeating: "A", count: 43))=", "sha256//%%%",
    ])
    func `An invalid pin causes an error`(pin: String) async throws {
        await #expect(throws: HTTPError(.badRequest, .text(""))) {
            try await httpClient.send(HTTPRequest("https://127.0.0.1:1/"), policy: TLSPolicy(pins: [pin]))
        }
    }

    private static let foreignPin = "sha256//\(String(repeating: "A", count: 43))="
    private static let mismatch = Result<Int, HTTPError>.failure(HTTPError(.tls(.pinMismatch), .text("")))

    private func answer(
        of server: TLSServer, _ caFile: String, _ pins: Set<String>
    ) async throws -> Result<Int, HTTPError> {
        do throws(HTTPError) {
            let policy = TLSPolicy(caFile: caFile, pins: pins)
            return .success(try await httpClient.send(HTTPRequest(server.url), policy: policy).status)
        } catch {
            return .failure(error)
        }
    }
}

struct AccountPolicyTests {
    @Test func `The TLS policy of an account contains its minimum version, its CA file and its pins`() throws
    {
        var account = AccountConfiguration(appID: "app_1")
        #expect(TLSPolicy(of: account).pins == Set(HostedService.pins.map(\.description)))
        #expect(TLSPolicy(of: account).minimumVersion == .v1_3)
        account.apiURL = try APIAddress("https://api.example.com")
        account.tls.minimumVersion = .v1_2
        account.tls.caFile = "/ca.pem"
        #expect(TLSPolicy(of: account) == TLSPolicy(minimumVersion: .v1_2, caFile: "/ca.pem"))
    }
}
