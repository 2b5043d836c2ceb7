import Config
import ControlAPI
import CutieAPI
import FeedPolicy
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

/// Tests in which a write to the store fails while a notification is shown or closed.
extension ReplyQueueTests {
    @Test func `If storing a notification fails, the next attempt replaces the notification`() async throws {
        let queue = queue()
        try reply("m1", at: 1)
        try await fixture.runWithFailing("INSERT", of: "popup") {
            await #expect(throws: StoreError.self) { try await queue.run() }
        }
        try await running(queue.run) {
            try await eventually("the reply is recorded as shown") { try fixture.pending().isEmpty }
        }
        #expect(server.shown.map(\.replaced) == [nil, 1])
        #expect(server.shown.map(\.notification.body) == ["text of m1", "text of m1"])
    }

    @Test
    func `If a summary cannot be stored, the next attempt replaces the summary and counts each reply once`()
        async throws
    {
        let queue = queue { $0.maxPopups = 0 }
        try reply("m1", in: "a", at: 1)
        try reply("m2", in: "b", at: 2)
        try await fixture.runWithFailing("INSERT", of: "popup") {
            await #expect(throws: StoreError.self) { try await queue.run() }
        }
        try await running(queue.run) {
            try await eventually("the replies are recorded as shown") { try fixture.pending().isEmpty }
        }
        #expect(server.shown.map(\.replaced) == [nil, 1])
        #expect(server.shown.map(\.notification.summary) == ["2 unread replies", "2 unread replies"])
    }

    @Test func `Reading a reply closes its notification even if the store fails once`() async throws {
        let queue = queue()
        try await running(queue.run) {
            try reply("m1", at: 1)
            try await eventually("the reply is shown") { try fixture.pending().isEmpty }
        }
        try fixture.accept(.read("c", leaving: 0, at: 2, event: "e2"))
        try await fixture.runWithFailing("DELETE", of: "popup") {
            await #expect(throws: StoreError.self) { try await queue.run() }
        }
        try await running(queue.run) {
            try await eventually("the notification is closed") { server.closed == [1] }
        }
    }

    @Test func `A notification that the user closes no longer counts as open, even if the store fails`()
        async throws
    {
        let queue = queue()
        try await running(queue.run) {
            try reply("m1", at: 1)
            try await eventually("the reply is shown") { try fixture.pending().isEmpty }
        }
        try await fixture.runWithFailing("DELETE", of: "popup") {
            #expect(throws: StoreError.self) {
                _ = try queue.screen.handleClosedNotification(1, reason: .dismissed)
            }
        }
        #expect(!queue.screen.state.announcesReplies)
    }

    private func failToSend(_ id: String) throws {
        let payload = String(decoding: try JSON.encode(OutboxPayload.message("My words")), as: UTF8.self)
        try fixture.store.write {
            try $0.outbox.append(
                OutboxRecord(
                    id: id, account: fixture.account, conversation: "c", kind: "message", payload: payload,
                    idempotencyKey: id, state: .failed, error: .text("no"), isReported: false,
                    createdAt: .base))
        }
    }

    @Test func `An unsent message is reported exactly once even if the store fails`() async throws {
        let queue = queue()
        try failToSend("a")
        try await fixture.runWithFailing("UPDATE", of: "outbox") {
            await #expect(throws: StoreError.self) { try await queue.run() }
        }
        #expect(server.shown.isEmpty)
        try await running(queue.run) { try await eventually("the report is shown") { !server.shown.isEmpty } }
        #expect(server.shown.map(\.notification.summary) == ["Not sent"])
    }

    @Test(arguments: [NotifierError.refused("no"), .timedOut])
    func `If the notification server refuses the report of an unsent message, the report is retried`(
        _ error: NotifierError
    ) async throws {
        let queue = queue(retry: .quick)
        server.set { $0.refusal = error }
        try failToSend("a")
        try await running(queue.run) { try await eventually("the report is shown") { !server.shown.isEmpty } }
        #expect(try fixture.store.read { try $0.outbox.fetchUnreportedFailures() }.isEmpty)
    }
}
