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

@MainActor
struct ReplyQueueFaultTests {
    private let fixture: IngestFixture
    private let server = FakeNotificationServer()
    private let queue: ReplyQueue

    init() throws {
        fixture = try IngestFixture()
        queue = fixture.queue(server, policy: Policy(zone: LocalZone { _ in 0 }))
    }

    private func last(_ id: Message.ID) throws -> LedgerEntry? {
        try fixture.steps(of: id).last
    }

    @Test func `A refused notification is retried with increasing delays`() async throws {
        let queue = fixture.queue(
            server, retry: Backoff(base: .milliseconds(100), cap: .seconds(10)))
        server.set { $0.refusals = 3 }
        try await running(queue.run) {
            try fixture.accept(.reply(.sample("m1", at: 1), unread: 1, event: "e1"))
            try await eventually("the reply is shown") { try fixture.pending().isEmpty }
        }
        let gaps = zip(server.attempts, server.attempts.dropFirst()).map { $1 - $0 }
        #expect(gaps == [.milliseconds(100), .milliseconds(200), .milliseconds(400)])
        #expect(try last("m1")?.stage == .shown)
    }

    @Test
    func `A notification that is always refused is eventually dropped, and the next notification is shown`()
        async throws
    {
        let queue = fixture.queue(server, retry: .quick)
        server.set { $0.refusals = 10 }
        try await running(queue.run) {
            try fixture.accept(.reply(.sample("m1", at: 1), unread: 1, event: "e1"))
            try await eventually("the reply is dropped") { try fixture.pending().isEmpty }
            #expect(try last("m1")?.reason == .notShown)
            #expect(try last("m1")?.detail == "refused by the notification server: no")
            try fixture.accept(.reply(.sample("m2", at: 2), unread: 2, event: "e2"))
            try await eventually("the next reply is shown") { try last("m2")?.stage == .shown }
        }
        #expect(server.shown.map(\.notification.body) == ["text of m2"])
    }

    @Test func `If releasing held replies fails, the next run of the queue releases the replies`()
        async throws
    {
        queue.notificationController.policy.pause = .init(end: nil, isPrivate: false)
        try await running(queue.run) {
            try fixture.accept(.reply(.sample("m1", at: 1), unread: 1, event: "e1"))
            try await eventually("the reply is held") { try last("m1")?.stage == .held }
        }
        try await fixture.runWithLockedDatabase {
            queue.notificationController.policy.pause = nil
            await #expect(throws: StoreError.self) { try await queue.run() }
        }
        try await running(queue.run) {
            try await eventually("the reply is shown") { try last("m1")?.stage == .shown }
        }
    }

    private func fail(_ id: String, isReported: Bool = false, _ text: String = "My words") throws {
        let payload = String(decoding: try JSON.encode(OutboxPayload.message(text)), as: UTF8.self)
        try fixture.store.write {
            try $0.outbox.append(
                OutboxRecord(
                    id: id, account: fixture.account, conversation: "c", kind: "message", payload: payload,
                    idempotencyKey: id, state: .failed, error: .text("there is no such conversation"),
                    isReported: isReported, createdAt: .base))
        }
        queue.notificationController.requestReevaluation()
    }

    @Test func `A message that cannot be sent is reported once, and the report contains the message's text`()
        async throws
    {
        try await running(queue.run) {
            try fail("a")
            try fail("b", isReported: true)
            try await eventually("the failure is reported") { server.shown.count >= 1 }
            let notification = server.shown[0].notification
            #expect(notification.summary == "Not sent")
            #expect(notification.body == "there is no such conversation:\nMy words")
            #expect(notification.actions.map(\.id) == ["retry", "default"])
            #expect(queue.screen.notification(withID: 1)?.owner == .failure(["a"]))
            try fixture.store.write { _ = try $0.outbox.remove("a") }
            queue.notificationController.requestReevaluation()
            try await eventually("the report is closed") { server.closed == [1] }
        }
        try await running(queue.run) {
            try fixture.accept(.reply(.sample("m1", at: 1), unread: 1, event: "e1"))
            try await eventually("a reply is shown") { try fixture.pending().isEmpty }
        }
        #expect(server.shown.count == 2)
    }

    @Test func `Several unsent messages are reported in one notification`() async throws {
        for number in 0..<20 { try fail("\(number)") }
        try await running(queue.run) {
            try await eventually("the failures are reported") { server.shown.count >= 1 }
        }
        #expect(server.shown.map(\.notification.summary) == ["20 messages were not sent"])
    }

    @Test func `Failed messages are not reported during a pause; a private pause only hides their text`()
        async throws
    {
        queue.notificationController.policy.pause = .init(end: nil, isPrivate: false)
        try await running(queue.run) {
            try fail("a")
            try fixture.accept(.reply(.sample("m1", at: 1), unread: 1, event: "e1"))
            try await eventually("a reply is held") { try last("m1")?.stage == .held }
            #expect(server.shown.isEmpty)
            queue.notificationController.policy.pause = .init(end: nil, isPrivate: true)
            try await eventually("both reports are shown") { server.shown.count >= 2 }
        }
        #expect(
            !server.shown.contains {
                $0.notification.body.contains("words") || $0.notification.body.contains("text of")
            })
    }

    @Test func `A private pause hides the text of notifications that are already open`() async throws {
        try await running(queue.run) {
            try fixture.accept(.reply(.sample("m1", at: 1), unread: 1, event: "e1"))
            try await eventually("the reply is shown") { try fixture.pending().isEmpty }
            queue.notificationController.policy.pause = .init(end: nil, isPrivate: true)
            try await eventually("the text is hidden") { server.shown.count >= 2 }
            queue.notificationController.policy.pause = nil
            try fixture.accept(.reply(.sample("m2", at: 2), unread: 2, event: "e2"))
            try await eventually("the next notification is shown") { server.shown.count >= 3 }
        }
        #expect(server.shown.map(\.replaced) == [nil, 1, 1])
        #expect(server.shown.map(\.notification.body) == ["text of m1", "", "2 new replies:\ntext of m2"])
        #expect(
            server.shown[1].notification.summary == "1 new reply" && server.shown[1].notification.isUpdate)
    }

    @Test func `The button "Try Again" of the notification retries the failed message`() async throws {
        let notificationActions = try fixture.notificationActions(queue)
        try await running(queue.run) {
            try fail("a")
            try await eventually("the failure is reported") { server.shown.count >= 1 }
            let (events, sink) = AsyncStream.makeStream(of: NotificationEvent.self)
            sink.yield(.action(id: 1, name: "retry", activationToken: nil))
            sink.finish()
            try await notificationActions.handleEvents(events)
            #expect(try fixture.store.read { try $0.outbox.findItem("a") }?.state == .waiting)
            queue.notificationController.requestReevaluation()
            try await eventually("the notification is closed") { server.closed == [1] }
        }
    }
}
