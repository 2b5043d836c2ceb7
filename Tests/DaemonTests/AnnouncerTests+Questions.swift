import CutieAPI
import Desktop
import TestSupport
import Testing

@testable import Daemon
@testable import Store

/// What the daemon asks by the way is in no reply's way.
extension AnnouncerTests {
    /// Runs both, put together as the daemon does it.
    private func asking(
        _ announcer: Announcer, _ body: @MainActor (Questions) async throws -> Void
    ) async throws {
        let questions = try Questions(
            store: desk.store, notifier: server, policy: { announcer.policy }, session: { $0.name },
            mayPopUp: true, surroundings: .still, logger: .silent)
        questions.areRepliesFirst = { try announcer.areRepliesFirst() }
        announcer.onReply = { await questions.makeRoom() }
        announcer.onSettled = { questions.repliesMayBeOver() }
        announcer.onReconsider = { questions.reconsider() }
        try await running(announcer.run) {
            try await running(questions.run) { try await body(questions) }
        }
    }

    @Test func `A question goes before a reply comes`() async throws {
        try await asking(announcer()) { questions in
            try questions.ask(.consent)
            try await eventually("it is asked") { questions.live[1] != nil }
            try reply("m1", at: 1)
            try await eventually("it is shown") { try desk.pending().isEmpty }
            #expect(server.calls == ["show 1", "close 1", "show 2"])
            #expect(try questions.open().map(\.kind) == ["consent"])
            // Another run closes nothing under that id.
            #expect(try questions.open().map(\.notification) == [nil])
        }
    }

    @Test func `A reply on the screen goes before a question`() async throws {
        let announcer = announcer()
        try await asking(announcer) { questions in
            try reply("m1", at: 1)
            try await eventually("it is shown") { try desk.pending().isEmpty }
            try questions.ask(.consent)
            try await eventually("the question waits") { questions.isWaitingForReplies }
            #expect(server.shown.count == 1)
            try announcer.closed(1, how: "dismissed")
            try await eventually("it is asked") { questions.live[2] != nil }
        }
    }

    @Test func `A question waits for the replies that a first sync may find`() async throws {
        try desk.store.write {
            try $0.run("UPDATE account SET synced_at = NULL")
        }
        let announcer = announcer()
        try await asking(announcer) { questions in
            try questions.ask(.permission)
            try await eventually("it waits") { questions.isWaitingForReplies }
            #expect(server.shown.isEmpty)
            try desk.store.write { try $0.setSynced(at: .base, of: desk.account) }
            announcer.reconsider()
            try await eventually("it is asked") { questions.live[1] != nil }
        }
    }

    @Test func `A question that meets a reply on the way to the screen goes at once`() async throws {
        let announcer = announcer()
        try await asking(announcer) { questions in
            let areFirst = questions.areRepliesFirst
            var looks = 0
            questions.areRepliesFirst = {
                looks += 1
                return try looks > 2 || areFirst()
            }
            try questions.ask(.consent)
            try await eventually("it went") { server.calls == ["show 1", "close 1"] }
            #expect(questions.live.isEmpty)
        }
    }
}
