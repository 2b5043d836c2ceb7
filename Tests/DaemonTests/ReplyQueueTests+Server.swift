import CutieAPI
import FeedPolicy
import NotificationPolicy
import Store
import TestSupport
import Testing

@testable import Accounts
@testable import ControlServer
@testable import Daemon
@testable import EventLog
@testable import Notifications

/// Tests of notification servers that start, exit or are replaced.
extension ReplyQueueTests {
    @Test
    func `Without a notification server, replies are held and then shown together by the next server`()
        async throws
    {
        server.set { $0.isThere = false }
        try await running(queue(retry: .quick).run) {
            try reply("m1", in: "a", at: 1)
            try reply("m2", in: "b", at: 2)
            try await eventually("the replies are held") { try stages("m2").last == .held }
            server.set { $0.isThere = true }
            try await eventually("the replies are shown") { try fixture.pending().isEmpty }
        }
        #expect(server.shown.map(\.notification.summary) == ["2 unread replies"])
        #expect(try stages("m1") == [.stored, .held, .announcing, .shown])
    }

    @Test func `A reply that arrives when the server starts is shown together with the held replies`()
        async throws
    {
        server.set { $0.isThere = false }
        let queue = queue(retry: .slow)
        try await running(queue.run) {
            try reply("m1", at: 1)
            try reply("m2", at: 2, unread: 2)
            try await eventually("the replies are held") { try stages("m2").last == .held }
            server.set { $0.isThere = true }
            try reply("m3", at: 3, unread: 3)
            try await eventually("the replies are shown") { try fixture.pending().isEmpty }
        }
        #expect(server.shown.map(\.notification.body) == ["3 new replies:\ntext of m3"])
    }

    @Test func `Held replies are shown after another component has detected a new notification server`()
        async throws
    {
        server.set { $0.isThere = false }
        let queue = queue(retry: .slow)
        try await running(queue.run) {
            try reply("m1", at: 1)
            try await eventually("the reply is held") { try stages("m1").last == .held }
            server.set { $0.isThere = true }
            await queue.screen.queryServerIfUnknown()
            try await eventually("the reply is shown") { try fixture.pending().isEmpty }
        }
    }

    @Test func `After a change of the notification server, open notifications are shown again`() async throws
    {
        try await running(queue().run) {
            try reply("m1", at: 1)
            try await eventually("the first reply is shown") { try fixture.pending().isEmpty }
            server.set {
                $0.refusal = .serverChanged("other")
                $0.name = "other"
            }
            try reply("m2", at: 2, unread: 2)
            try await eventually("the second reply is shown") { try fixture.pending().isEmpty }
        }
        #expect(server.shown.map(\.replaced) == [nil, nil])
        #expect(server.shown.last?.notification.body == "2 new replies:\ntext of m2")
    }

    @Test
    func `A notification is treated as closed if a restarted server reuses its ID`()
        async throws
    {
        try await running(queue().run) {
            try reply("m1", in: "a", at: 1)
            try reply("m2", in: "b", at: 2)
            try await eventually("the first two replies are shown") { try fixture.pending().isEmpty }
            server.set { $0.nextID = 1 }
            try reply("m3", in: "c", at: 3)
            try reply("m4", in: "d", at: 4)
            try await eventually("the next two replies are shown") { try fixture.pending().isEmpty }
            try reply("m5", in: "a", at: 5, unread: 2)
            try fixture.accept(.read("b", leaving: 0, at: 6, event: "e6"))
            try await eventually("the last reply is shown") { try fixture.pending().isEmpty }
        }
        #expect(server.shown.map(\.replaced) == [nil, nil, nil, nil, nil])
        #expect(server.closed.isEmpty)
        let owners = try fixture.store.read { try $0.notifications.fetchAll() }.map(\.owner)
        #expect(owners == ["c", "d", "a"].map { .reply(fixture.account, $0) })
    }
}
