import Foundation
import HTTP
import TestSupport
import Testing

struct ResumptionTests {
    private let httpClient = HTTPClient()
    private let certificates: TestCertificates
    private let root: TestCertificates.Certificate
    private let leaf: TestCertificates.Certificate

    init() async throws {
        certificates = try TestCertificates()
        root = try await certificates.makeRoot()
        leaf = try await certificates.makeLeaf(by: root)
    }

    private func server(_ version: String = "TLSv1_3") async throws -> TLSServer {
        try await TLSServer(chain: leaf.file, keyFile: leaf.keyFile, maximumVersion: version)
    }

    private func ask(_ server: TLSServer, _ policy: TLSPolicy) async throws {
        #expect(try await httpClient.send(HTTPRequest(server.url), policy: policy).status == 200)
        await httpClient.retireConnections(using: policy)
    }

    @Test(arguments: ["TLSv1_2", "TLSv1_3"])
    func `A reconnect resumes the TLS session of the previous connection`(version: String) async throws {
        let server = try await server(version)
        let policy = TLSPolicy(minimumVersion: .v1_2, caFile: root.file, pins: [leaf.pin])
        for _ in 0..<3 { try await ask(server, policy) }
        #expect(server.resumedCount == 2)
    }

    @Test func `A TLS session of one TLS policy is not resumed under another TLS policy`()
        async throws
    {
        let server = try await server()
        let copy = certificates.directory.file("copy.pem")
        try FileManager.default.copyItem(atPath: root.file, toPath: copy)
        let foreign = try await certificates.makeRoot("foreign")
        try await ask(server, TLSPolicy(caFile: root.file))
        // None of the following policies may resume a session of another policy: the CA with a pin, the same
        // CA in another file, and three policies that reject the server.
        try await ask(server, TLSPolicy(caFile: root.file, pins: [root.pin]))
        try await ask(server, TLSPolicy(caFile: copy))
        #expect(server.resumedCount == 0)
        for policy in [
            TLSPolicy(caFile: root.file, pins: [foreign.pin]), TLSPolicy(caFile: foreign.file), TLSPolicy(),
        ] {
            await #expect(throws: HTTPError.self) {
                try await httpClient.send(HTTPRequest(server.url), policy: policy)
            }
        }
        #expect(server.requestCount == 3)
    }

    @Test func `After a CA is removed from the CA file, sessions that the CA verified are not resumed`()
        async throws
    {
        let server = try await server()
        let file = certificates.directory.file("changing.pem")
        try FileManager.default.copyItem(atPath: root.file, toPath: file)
        let policy = TLSPolicy(caFile: file)
        try await ask(server, policy)
        try await ask(server, policy)
        #expect(server.resumedCount == 1)
        let foreign = try await certificates.makeRoot("foreign")
        try Data(contentsOf: URL(filePath: foreign.file)).write(to: URL(filePath: file))
        await #expect(throws: HTTPError.self) {
            try await httpClient.send(HTTPRequest(server.url), policy: policy)
        }
        #expect(server.requestCount == 2)
    }

    @Test func `A TLS session is not resumed with a different server`() async throws {
        let first = try await server(), second = try await server()
        let policy = TLSPolicy(caFile: root.file)
        try await ask(first, policy)
        try await ask(second, policy)
        #expect(first.resumedCount + second.resumedCount == 0)
    }

    @Test func `After a reconnect, requests share one HTTP 2 connection with a resumed TLS session`()
        async throws
    {
        let server = try await HTTP2Server(leaf)
        let policy = TLSPolicy(caFile: root.file, pins: [root.pin])
        var connections: Set<String> = []
        for round in 0..<3 {
            let answers = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        let answer = try await httpClient.send(HTTPRequest(server.url), policy: policy)
                        #expect(answer.httpVersion == .http2)
                        return String(decoding: answer.body, as: UTF8.self)
                    }
                }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(answers.count == 1)
            let answer = try #require(answers.first)
            #expect(answer.hasSuffix(round == 0 ? "." : "r"))
            #expect(connections.insert(answer).inserted)
            await httpClient.retireConnections(using: policy)
        }
    }
}
