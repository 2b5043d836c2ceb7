import CutieAPI
import Desktop
import FeedPolicy
import NotificationPolicy
@_spi(Accounts) import Store
import TestSupport
import Testing

@testable import Accounts
@testable import ControlServer
@testable import Daemon
@testable import EventLog
@testable import Notifications

@MainActor
struct AnnouncerFaultTests {
    private let desk: Desk
    private let server = FakePopupServer()
    private let announcer: ReplyAnnouncer

    init() throws {
        desk = try Desk()
        announcer = desk.announcer(server, policy: Policy(zone: LocalZone { _ in 0 }))
    }

    private func last(_ id: Message.ID) throws -> LedgerEntry? {
        try desk.steps(of: id).last
    }

    @Test func `A refused notification is retried with a growing delay`() async throws {
        let announcer = desk.announcer(
            server, retry: Backoff(base: .milliseconds(100), cap: .seconds(10)))
        server.set { $0.refusals = 3 }
        try await running(announcer.run) {
            try desk.accept(.reply(.sample("m1", at: 1), unread: 1, event: "e1"))
            try await eventually("it is shown") { try desk.pending().isEmpty }
        }
        let gaps = zip(server.attempts, server.attempts.dropFirst()).map { $1 - $0 }
        #expect(gaps == [.milliseconds(100), .milliseconds(200), .milliseconds(400)])
        #expect(try last("m1")?.stage == .shown)
    }

    @Test func `A notification that is always refused is given up, and the next one is shown`() async throws {
        let announcer = desk.announcer(server, retry: .quick)
        server.set { $0.refusals = 10 }
        try await running(announcer.run) {
            try desk.accept(.reply(.sample("m1", at: 1), unread: 1, event: "e1"))
            try await eventually("it is given up") { try desk.pending().isEmpty }
            #expect(try last("m1")?.reason == .notShown)
            #expect(try last("m1")?.detail == "refused by the notification server: no")
            try desk.accept(.reply(.sample("m2", at: 2), unread: 2, event: "e2"))
            try await eventually("the next is shown") { try last("m2")?.stage == .shown }
        }
        #expect(server.shown.map(\.popup.body) == ["text of m2"])
    }

    @Test func `Replies that a run failed to release are shown by the next run`() async throws {
        announcer.attention.policy.pause = .init(end: nil, isPrivate: false)
        try await running(announcer.run) {
            try desk.accept(.reply(.sample("m1", at: 1), unread: 1, event: "e1"))
            try await eventually("it is held") { try last("m1")?.stage == .held }
        }
        try await desk.locked {
            announcer.attention.policy.pause = nil
            await #expect(throws: StoreError.self) { try await announcer.run() }
        }
        try await running(announcer.run) {
            try await eventually("it is shown") { try last("m1")?.stage == .shown }
        }
    }

    private func fail(_ id: String, told: Bool = false, _ text: String = "My words") throws {
        let payload = String(decoding: try JSON.encode(OutboxPayload.message(text)), as: UTF8.self)
        try desk.store.write {
            try $0.outbox.append(
                OutboxRecord(
                    id: id, account: desk.account, conversation: "c", kind: "message", payload: payload,
                    idempotencyKey: id, state: .failed, error: "there is no such conversation",
                    isReported: told, createdAt: .base))
        }
        announcer.attention.reconsider()
    }

    @Test func `A message that cannot be sent is reported once with its text, until it is retried`()
        async throws
    {
        try await running(announcer.run) {
            try fail("a")
            try fail("b", told: true)
            try await eventually("it is told") { server.shown.count >= 1 }
            let popup = server.shown[0].popup
            #expect(popup.summary == "Not sent")
            #expect(popup.body == "there is no such conversation:\nMy words")
            #expect(popup.actions.map(\.id) == ["retry", "default"])
            #expect(announcer.screen.popup(of: 1)?.owner == .failure(["a"]))
            try desk.store.write { _ = try $0.outbox.remove("a") }
            announcer.attention.reconsider()
            try await eventually("it is closed") { server.closed == [1] }
        }
        try await running(announcer.run) {
            try desk.accept(.reply(.sample("m1", at: 1), unread: 1, event: "e1"))
            try await eventually("a reply is shown") { try desk.pending().isEmpty }
        }
        #expect(server.shown.count == 2)
    }

    @Test func `Several unsent messages are one notification`() async throws {
        for number in 0..<20 { try fail("\(number)") }
        try await running(announcer.run) { try await eventually("they are told") { server.shown.count >= 1 } }
        #expect(server.shown.map(\.popup.summary) == ["20 messages were not sent"])
    }

    @Test func `The report waits for the end of a pause, and a private pause hides the text`() async throws {
        announcer.attention.policy.pause = .init(end: nil, isPrivate: false)
        try await running(announcer.run) {
            try fail("a")
            try desk.accept(.reply(.sample("m1", at: 1), unread: 1, event: "e1"))
            try await eventually("a reply is held") { try last("m1")?.stage == .held }
            #expect(server.shown.isEmpty)
            announcer.attention.policy.pause = .init(end: nil, isPrivate: true)
            try await eventually("both are shown") { server.shown.count >= 2 }
        }
        #expect(
            !server.shown.contains { $0.popup.body.contains("words") || $0.popup.body.contains("text of") })
    }

    @Test func `A private pause hides the text of open notifications`() async throws {
        try await running(announcer.run) {
            try desk.accept(.reply(.sample("m1", at: 1), unread: 1, event: "e1"))
            try await eventually("it is shown") { try desk.pending().isEmpty }
            announcer.attention.policy.pause = .init(end: nil, isPrivate: true)
            try await eventually("it is hidden") { server.shown.count >= 2 }
            announcer.attention.policy.pause = nil
            try desk.accept(.reply(.sample("m2", at: 2), unread: 2, event: "e2"))
            try await eventually("the next is shown") { server.shown.count >= 3 }
        }
        #expect(server.shown.map(\.replaced) == [nil, 1, 1])
        #expect(server.shown.map(\.popup.body) == ["text of m1", "", "2 new replies:\ntext of m2"])
        #expect(server.shown[1].popup.summary == "1 new reply" && server.shown[1].popup.isUpdate)
    }

    @Test func `A click on the report retries the message`() async throws {
        let popupActions = try desk.popupActions(announcer)
        try await running(announcer.run) {
            try fail("a")
            try await eventually("it is told") { server.shown.count >= 1 }
            let (events, sink) = AsyncStream.makeStream(of: PopupEvent.self)
            sink.yield(.action(id: 1, name: "retry", activationToken: nil))
            sink.finish()
            try await popupActions.run(events)
            #expect(try desk.store.read { try $0.outbox.item("a") }?.state == .waiting)
            announcer.attention.reconsider()
            try await eventually("the pop-up goes") { server.closed == [1] }
        }
    }
}
