import AccessAPI
import Foundation
import TestSupport
import Testing

@testable import CutiE

/// Tests of the library's access to the services of the user's institution.
struct AccessTests {
    @Test func `An authorized service has a URL for each protocol, and an access token`() async throws {
        let server = try FakeAccessServer()
        try await server.running {
            let access = CutiEAccess(
                clientId: "c1", appId: "org.example.Notes", appName: "Notes",
                cutiE: CutiE(socket: server.socket))
            let services = try await access.authorize(protocols: ["com.cuti-e.replies"], single: true)
            let service = try #require(services.first)
            let endpoint = try #require(service.protocols["com.cuti-e.replies"])
            #expect(endpoint.url.absoluteString == "https://notes.example/v1")
            #expect(endpoint.settings == ["scope": .object(["read": .text("r"), "n": .integer(1)])])
            #expect(service.authorization.header == "Bearer at_1")
            #expect(service.authorization.expiresAt == Date(timeIntervalSince1970: 1_763_700_000))
            #expect(try await access.revoke(at: service.link))
        }
        let asked = try #require(try server.received(AuthorizeProtocols.self).first)
        #expect((asked.clientId, asked.appId, asked.appName) == ("c1", "org.example.Notes", "Notes"))
        #expect((asked.protocols, asked.single, asked.renew) == (["com.cuti-e.replies"], true, nil))
        #expect(try server.received(RevokeToken.self).map(\.engineLink) == ["https://notes.example/"])
    }

    @Test(arguments: [[], [""], Array(repeating: "a", count: 33)])
    func `Invalid protocol names are rejected before a request is sent`(protocols: [String]) async throws {
        let access = CutiEAccess(
            clientId: "c1", appId: "a", appName: "A", cutiE: CutiE(socket: "/nowhere/access.sock"))
        await #expect(throws: CutiEError.invalidRequest) { try await access.authorize(protocols: protocols) }
    }
}
