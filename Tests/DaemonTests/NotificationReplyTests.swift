import ControlAPI
import CutieAPI
import NotificationPolicy
import Store
import TestSupport
import Testing

@testable import Accounts
@testable import ControlServer
@testable import Daemon
@testable import EventLog
@testable import Notifications

/// Tests of replies that the user types into a notification.
extension ReplyQueueTests {
    /// Simulates a reply that the user types into the notification `id` while the queue is running.
    private func type(_ text: String, into id: UInt32, of notificationActions: NotificationActionHandler)
        async throws
    {
        let (events, sink) = AsyncStream.makeStream(of: NotificationEvent.self)
        sink.yield(.reply(id: id, text: text))
        sink.finish()
        try await notificationActions.handleEvents(events)
    }

    private func outbox() throws -> [OutboxRecord] {
        var items: [OutboxRecord] = []
        try fixture.store.read { transaction in
            try transaction.outbox.forEachItem(of: fixture.account) {
                items.append($0)
                return true
            }
        }
        return items
    }

    private func payloads() throws -> [OutboxPayload] {
        try outbox().map { try JSON.decode(OutboxPayload.self, from: $0.payload.utf8) }
    }

    private func setStatus(_ status: Status) throws {
        var changed = Conversation(id: "c", status: status)
        changed.updatedAt = .base(plus: 100)
        try fixture.accept(
            Event(id: "status", createdAt: .base(plus: 100), payload: .conversationUpdated(changed)))
    }

    @Test func `A typed reply is queued, and the messages in its notification are marked read`() async throws
    {
        let queue = queue()
        try await running(queue.run) {
            try reply("m1", at: 1)
            try await eventually("the reply is shown") { try fixture.pending().isEmpty }
            // The pause holds the second message. The typed reply must not mark this message read, because
            // the user has not seen it.
            queue.notificationController.policy.pause = .init(end: nil, isPrivate: false)
            try reply("m2", at: 2, unread: 2)
            try await eventually("the second reply is held") { try stages("m2").last == .held }
            try await type("My words \n", into: 1, of: fixture.notificationActions(queue))
        }
        #expect(try payloads() == [.message("My words"), .read(upTo: "m1")])
        #expect(try outbox().map(\.state) == [.waiting, .waiting])
        #expect(try stages("m1").last == .read)
        #expect(
            try fixture.store.read { try $0.conversations.find("c", account: fixture.account) }?.unread == 1)
    }

    @Test func `A typed reply is queued even if the notification has just been closed`() async throws {
        let queue = queue()
        try await running(queue.run) {
            try reply("m1", at: 1)
            try await eventually("the reply is shown") { try fixture.pending().isEmpty }
            _ = try queue.screen.handleClosedNotification(1, reason: .expired)
            try await type("Late words", into: 1, of: fixture.notificationActions(queue))
        }
        #expect(try payloads() == [.message("Late words"), .read(upTo: "m1")])
    }

    @Test(arguments: [Status.resolved, .closed])
    func `A reply to an ended conversation is stored as failed and reported to the user`(_ status: Status)
        async throws
    {
        let queue = queue()
        try await running(queue.run) {
            try reply("m1", at: 1)
            try await eventually("the reply is shown") { try fixture.pending().isEmpty }
            try setStatus(status)
            try await type("It is back", into: 1, of: fixture.notificationActions(queue))
            queue.notificationController.requestReevaluation()
            try await eventually("the failure is reported") {
                server.shown.last?.notification.body.contains("It is back") == true
            }
        }
        let item = try #require(try outbox().first)
        #expect(item.state == .failed && item.kind == "message")
        let notification = try #require(server.shown.last?.notification)
        #expect(notification.body.contains("the conversation is \(status.rawValue)"))
        #expect(notification.actions.map(\.id).contains("retry"))
    }

    @Test func `A reply typed into an unknown notification is shown to the user for copying`()
        async throws
    {
        let queue = queue()
        try await type("Do not lose me", into: 99, of: fixture.notificationActions(queue))
        let notification = try #require(server.shown.last?.notification)
        #expect(notification.body.hasSuffix("Do not lose me"))
        #expect(notification.expireMilliseconds == 0)
        #expect(try outbox().isEmpty)
    }

    @Test func `A typed reply that consists only of spaces is ignored`() async throws {
        let queue = queue()
        try await running(queue.run) {
            try reply("m1", at: 1)
            try await eventually("the reply is shown") { try fixture.pending().isEmpty }
            try await type(" \n\t", into: 1, of: fixture.notificationActions(queue))
        }
        #expect(try outbox().isEmpty)
        #expect(try stages("m1").last == .shown)
    }

    @Test func `A reply field is offered unless the conversation has ended`() async throws {
        let queue = queue()
        try await running(queue.run) {
            try reply("m1", at: 1)
            try await eventually("the first reply is shown") { try fixture.pending().isEmpty }
            try setStatus(.resolved)
            try reply("m2", at: 200, unread: 2)
            try await eventually("the second reply is shown") { try fixture.pending().isEmpty }
        }
        #expect(
            server.shown.map(\.notification.inlineReply) == [
                .init(action: "reply", placeholder: "Your reply to Ann", send: "Send"), nil,
            ])
        #expect(server.shown.allSatisfy { $0.notification.actions.map(\.id).contains("reply") })
    }

    @Test func `An action that the notification does not offer has no effect`() async throws {
        let queue = queue()
        try await running(queue.run) {
            try reply("m1", at: 1)
            try await eventually("the reply is shown") { try fixture.pending().isEmpty }
            let (events, sink) = AsyncStream.makeStream(of: NotificationEvent.self)
            for (id, name) in [(1, "retry"), (1, "reconnect"), (1, "anything"), (9, "mark-read")] {
                sink.yield(.action(id: UInt32(id), name: name, activationToken: nil))
            }
            sink.finish()
            try await fixture.notificationActions(queue).handleEvents(events)
            #expect(try outbox().isEmpty)
            #expect(try stages("m1").last == .shown)
        }
    }
}
