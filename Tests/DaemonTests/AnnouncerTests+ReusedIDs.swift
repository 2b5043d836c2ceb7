import ControlAPI
import CutieAPI
import Desktop
import Store
import TestSupport
import Testing

@testable import Daemon

/// A notification server that was restarted gives its ids anew.
extension AnnouncerTests {
    @Test func `A click on a reply is not taken for one on a question that had its id`() async throws {
        let announcer = announcer()
        let questions = try Questions(
            store: desk.store, notifier: server, policy: { announcer.policy }, session: { $0.name },
            mayPopUp: true, surroundings: .still, logger: .silent)
        let asking = Task { @MainActor in try? await questions.run() }
        defer { asking.cancel() }
        try questions.ask(.consent)
        try await eventually("it is asked") { questions.live[1] != nil }
        try questions.closed(1, because: .expired)
        server.set { $0.nextID = 1 }
        let clicks = Clicks(
            announcer: announcer, accounts: try desk.accounts(),
            opener: Opener(command: nil, environment: [:], logger: .silent), others: [questions],
            logger: .silent)
        try await running(announcer.run) {
            try reply("m1", at: 1)
            try await eventually("it is shown") { announcer.live.key(of: 1) != nil }
            let (events, sink) = AsyncStream.makeStream(of: PopupEvent.self)
            sink.yield(.action(id: 1, name: Announcer.Action.markRead, activationToken: nil))
            sink.finish()
            try await clicks.run(events)
        }
        let record = try desk.store.read { try $0.conversation("c", account: desk.account) }
        #expect(record?.unread == 0)
    }

    @Test func `A click on a reply is not taken for one on a failure that had its id`() async throws {
        let announcer = announcer()
        let payload = String(decoding: try JSON.encode(OutboxPayload.message("My words")), as: UTF8.self)
        try desk.store.write {
            try $0.enqueue(
                OutboxRecord(
                    id: "a", account: desk.account, conversation: "other", kind: "message",
                    payload: payload, idempotencyKey: "a", state: .failed, error: "no", isTold: false,
                    createdAt: .base))
        }
        try await running(announcer.run) {
            try await eventually("it is told") { announcer.notices == [1: ["a"]] }
            server.set { $0.nextID = 1 }
            try reply("m1", at: 1)
            try await eventually("it is shown") { try desk.pending().isEmpty }
        }
        #expect(announcer.notices.isEmpty)
    }
}
