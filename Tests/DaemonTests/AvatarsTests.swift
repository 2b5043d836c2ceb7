import Foundation
import TestSupport
import Testing

@testable import Accounts
@testable import ControlServer
@testable import Daemon
@testable import EventLog
@testable import Notifications

@MainActor
struct AvatarsTests {
    private let fixture: IngestFixture
    private let avatars: Avatars
    private let origins = Shared<[String]>([])

    init() throws {
        fixture = try IngestFixture()
        avatars = fixture.avatars(origins: { [origins] in origins.value })
    }

    /// Returns a server that responds to every picture request with `body`.
    private func server(_ body: String) throws -> RawServer {
        try RawServer { connection, _ in
            while connection.readRequest() != nil { connection.answer(body: body) }
        }
    }

    @Test func `An avatar is fetched for the next notification and stored in a file with mode 0600`()
        async throws
    {
        let server = try server("GIF89a...")
        origins.value = [server.url]
        let address = server.url + "/ann.gif"
        try await running(avatars.run) {
            #expect(avatars.findOrRequestPath(ofPictureAt: address) == nil)
            try await eventually("the avatar is cached") {
                avatars.findOrRequestPath(ofPictureAt: address) != nil
            }
        }
        let path = try #require(avatars.findOrRequestPath(ofPictureAt: address))
        #expect(path.hasPrefix(fixture.directory.path + "/avatars/"))
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(avatars.findOrRequestPath(ofPictureAt: address + "?signed=today") == path)
        #expect(server.connectionCount == 1)
    }

    @Test func `An avatar that is not an image is not stored, and the avatar is not requested again soon`()
        async throws
    {
        let server = try server("<script>alert(1)</script>")
        origins.value = [server.url]
        try await running(avatars.run) {
            #expect(avatars.findOrRequestPath(ofPictureAt: server.url + "/a.png") == nil)
            try await eventually("the avatar is requested") { server.connectionCount >= 1 }
            #expect(avatars.findOrRequestPath(ofPictureAt: server.url + "/a.png") == nil)
        }
        #expect(
            (try? FileManager.default.contentsOfDirectory(atPath: fixture.directory.file("avatars")))?.isEmpty
                != false)
    }

    @Test func `Avatars are not downloaded from this computer, from file URLs or over plain HTTP`()
        async throws
    {
        let server = try server("GIF89a...")
        let port = server.port
        try await running(avatars.run) {
            for address in [
                server.url + "/a.gif", "https://127.0.0.1:\(port)/a.gif", "https://localhost:\(port)/a.gif",
                "http://example.org/a.gif", "file:///etc/passwd", "//x", "",
            ] {
                #expect(avatars.findOrRequestPath(ofPictureAt: address) == nil, "\(address)")
            }
        }
        #expect(server.connectionCount == 0)
    }
}
