import ControlAPI
import CutieAPI
import NotificationPolicy
import Reasons
@_spi(Accounts) import Store
import TestSupport
import Testing

@testable import Accounts
@testable import ControlServer
@testable import Daemon
@testable import EventLog
@testable import Notifications

/// Tests with a restarted notification server that assigns previously used IDs again.
extension ReplyQueueTests {
    @Test func `A click on a reply does not answer an earlier question with the same notification ID`()
        async throws
    {
        let queue = queue()
        let questions = try fixture.questions(queue)
        let asking = Task { @MainActor in try? await questions.run() }
        defer { asking.cancel() }
        try questions.ask(.consent)
        try await eventually("the question is shown") { queue.screen.notification(withID: 1) != nil }
        _ = try queue.screen.handleClosedNotification(1, reason: .expired)
        server.set { $0.nextID = 1 }
        let notificationActions = try fixture.notificationActions(queue, questions)
        try await running(queue.run) {
            try reply("m1", at: 1)
            try await eventually("the reply is shown") {
                queue.screen.notification(withID: 1)?.owner == .reply(fixture.account, "c")
            }
            let (events, sink) = AsyncStream.makeStream(of: NotificationEvent.self)
            sink.yield(.action(id: 1, name: "mark-read", activationToken: nil))
            sink.finish()
            try await notificationActions.handleEvents(events)
        }
        let record = try fixture.store.read { try $0.conversations.find("c", account: fixture.account) }
        #expect(record?.unread == 0)
    }

    @Test func `A click on a reply does not retry an earlier failed message with the same notification ID`()
        async throws
    {
        let queue = queue()
        let payload = String(decoding: try JSON.encode(OutboxPayload.message("My words")), as: UTF8.self)
        try fixture.store.write {
            try $0.outbox.append(
                OutboxRecord(
                    id: "a", account: fixture.account, conversation: "other", kind: "message",
                    payload: payload, idempotencyKey: "a", state: .failed, error: .text("no"),
                    isReported: false,
                    createdAt: .base))
        }
        try await running(queue.run) {
            try await eventually("the failure is reported") {
                queue.screen.notification(withID: 1)?.owner == .failure(["a"])
            }
            server.set { $0.nextID = 1 }
            try reply("m1", at: 1)
            try await eventually("the reply is shown") { try fixture.pending().isEmpty }
        }
        #expect(queue.screen.notification(withID: 1)?.owner == .reply(fixture.account, "c"))
    }
}
