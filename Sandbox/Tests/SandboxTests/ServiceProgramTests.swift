import Foundation
import FoundationNetworking
import TestSupport
import Testing

/// Tests of `cutie-sandbox service` as a process.
@Suite struct ServiceProgramTests {
    @Test func `The service program announces its service, which can then be discovered`()
        async throws
    {
        let sandbox = try await SandboxFixture()
        let service = try await SandboxService(
            issuer: sandbox, name: "Library", protocols: ["org.example.notes"])
        #expect(try await Self.found(["org.example.notes"], at: sandbox.url) == ["Library"])
        #expect(try await Self.found(["com.cuti-e.staff"], at: sandbox.url) == ["Cuti-E sandbox"])
        #expect(try await service.stop() == 0)
    }

    @Test func `The service program starts without credentials, but prints a warning`() async throws {
        let sandbox = try await SandboxFixture()
        let service = try await SandboxService(issuer: sandbox, isAnnounced: false)
        try await eventually("the warning is printed") {
            service.standardError.hasPrefix("cutie-sandbox: not announced: no credentials")
        }
        let (data, _) = try await URLSession.shared.data(
            from: #require(URL(string: service.url + "/rsd.json")))
        #expect(!data.isEmpty)
        #expect(try await Self.found(["com.cuti-e.staff"], at: sandbox.url) == ["Cuti-E sandbox"])
    }

    @Test func `A service with an unreadable description is not announced`() async throws {
        let sandbox = try await SandboxFixture()
        let service = try await SandboxService(
            issuer: sandbox, faults: ["xml-description"], isAnnounced: false)
        #expect(try await service.stop() == 0)
        #expect(try await Self.found([], at: sandbox.url) == ["Cuti-E sandbox"])
    }

    @Test(arguments: [
        ["--fault", "everything"], ["--token-life", "0"], ["--name", ""], ["--protocol", "a b"],
        ["--issuer", "nowhere"], ["--protocol", "x", "--protocol", "x"], ["--client-id", "x"],
    ])
    func `The service program rejects an invalid command-line option`(arguments: [String]) async throws {
        let program = try ChildProcess(
            BuiltProduct.path(of: "cutie-sandbox"), ["service"] + arguments)
        #expect(try await program.waitForExit() == 64)
        #expect(!program.standardError.isEmpty && program.standardOutput.isEmpty)
    }

    /// Returns the names of all services that support the protocols `names`.
    private static func found(_ names: [String], at url: String) async throws -> [String] {
        struct Document: Decodable { let engineName: String }
        var request = URLRequest(url: try #require(URL(string: url + "/v1/discovery")))
        request.httpMethod = "POST"
        request.httpBody = try JSONEncoder().encode(names)
        let (data, _) = try await URLSession.shared.data(for: request)
        return try JSONDecoder().decode([Document].self, from: data).map(\.engineName)
    }
}
