import Desktop
import Store
import TestSupport
import Testing

@testable import Daemon

/// The notification server is away, or dies.
extension AnnouncerTests {
    @Test func `Without a server and with nothing to show there is no timer`() async throws {
        server.set { $0.isThere = false }
        let announcer = announcer()
        try await running(announcer.run) {
            try await eventually("it rests") { announcer.isIdle }
            #expect(announcer.wakeAt == nil)
        }
    }

    @Test func `A server that dies before a read closes one pop-up is shown the others anew`() async throws {
        let announcer = announcer()
        try await running(announcer.run) {
            for (second, conversation) in ["a", "b", "c"].enumerated() {
                try reply(.init("m-\(conversation)"), in: .init(conversation), at: Int64(second + 1))
            }
            try await eventually("they are shown") { try desk.pending().isEmpty }
            server.set { $0.isThere = false }
            try desk.accept(.read("a", leaving: 0, at: 4, event: "e4"))
            try await eventually("the others are held") { try stages("m-c").last == .held }
            server.set { $0.isThere = true }
            try await eventually("they are shown again") { try desk.pending().isEmpty }
        }
        #expect(server.shown.last?.popup.summary == "2 unread replies")
        #expect(try stages("m-a").contains(.held) == false)
    }

    @Test func `Another server that a question meets first is shown what was on the screen`() async throws {
        let announcer = announcer()
        try await running(announcer.run) {
            try reply("m1", at: 1)
            try await eventually("it is shown") { try desk.pending().isEmpty }
            server.set { $0.name = "other" }
            let other = try #require(await server.server())
            #expect(announcer.session(heardOf: other).hasSuffix(" other"))
            try await eventually("it is shown again") { server.shown.count == 2 }
        }
        #expect(server.shown.map(\.replaced) == [nil, nil])
        #expect(announcer.server?.name == "other")
    }
}
