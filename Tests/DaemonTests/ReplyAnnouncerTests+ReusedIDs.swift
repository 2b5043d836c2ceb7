import ControlAPI
import CutieAPI
import NotificationPolicy
@_spi(Accounts) import Store
import TestSupport
import Testing

@testable import Accounts
@testable import ControlServer
@testable import Daemon
@testable import EventLog
@testable import Notifications

/// Tests with a notification server that restarted and assigns its ids again.
extension ReplyAnnouncerTests {
    @Test func `A click on a reply does not answer a question that had the same id`() async throws {
        let announcer = announcer()
        let questions = try fixture.questions(announcer)
        let asking = Task { @MainActor in try? await questions.run() }
        defer { asking.cancel() }
        try questions.ask(.consent)
        try await eventually("it is asked") { announcer.screen.notification(of: 1) != nil }
        _ = try announcer.screen.notificationClosed(1, reason: .expired)
        server.set { $0.nextID = 1 }
        let notificationActions = try fixture.notificationActions(announcer, questions)
        try await running(announcer.run) {
            try reply("m1", at: 1)
            try await eventually("it is shown") {
                announcer.screen.notification(of: 1)?.owner == .reply(fixture.account, "c")
            }
            let (events, sink) = AsyncStream.makeStream(of: NotificationEvent.self)
            sink.yield(.action(id: 1, name: "mark-read", activationToken: nil))
            sink.finish()
            try await notificationActions.run(events)
        }
        let record = try fixture.store.read { try $0.conversations.find("c", account: fixture.account) }
        #expect(record?.unread == 0)
    }

    @Test func `A click on a reply does not retry a failed message that had the same id`() async throws {
        let announcer = announcer()
        let payload = String(decoding: try JSON.encode(OutboxPayload.message("My words")), as: UTF8.self)
        try fixture.store.write {
            try $0.outbox.append(
                OutboxRecord(
                    id: "a", account: fixture.account, conversation: "other", kind: "message",
                    payload: payload, idempotencyKey: "a", state: .failed, error: "no", isReported: false,
                    createdAt: .base))
        }
        try await running(announcer.run) {
            try await eventually("it is told") {
                announcer.screen.notification(of: 1)?.owner == .failure(["a"])
            }
            server.set { $0.nextID = 1 }
            try reply("m1", at: 1)
            try await eventually("it is shown") { try fixture.pending().isEmpty }
        }
        #expect(announcer.screen.notification(of: 1)?.owner == .reply(fixture.account, "c"))
    }
}
