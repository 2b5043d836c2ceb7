import CutieAPI
import NotificationPolicy
import TestSupport
import Testing

@testable import Accounts
@testable import ControlServer
@testable import Daemon
@testable import EventLog
@testable import Notifications
@_spi(EventLog) @testable import Store

/// Tests that questions from the daemon do not delay replies.
extension ReplyQueueTests {
    /// Runs the queue and the questions, with the same dependencies as in the daemon.
    private func asking(
        _ queue: ReplyQueue, hasPendingReplies: (() throws -> Bool)? = nil,
        _ body: @MainActor (Questions) async throws -> Void
    ) async throws {
        let questions = try fixture.questions(queue, hasPendingReplies: hasPendingReplies)
        try await running(queue.run) {
            try await running(questions.run) { try await body(questions) }
        }
    }

    @Test func `An open question is closed before a reply is shown`() async throws {
        let queue = queue()
        try await asking(queue) { questions in
            try questions.ask(.consent)
            try await eventually("the question is shown") { queue.screen.notification(withID: 1) != nil }
            try reply("m1", at: 1)
            try await eventually("the reply is shown") { try fixture.pending().isEmpty }
            #expect(server.calls == ["show 1", "close 1", "show 2"])
            #expect(try questions.fetchOpenQuestions().map(\.kind) == ["consent"])
            // The stored notification of the question must be deleted. Otherwise, the next run would close
            // the notification of the reply, which may have the same ID.
            #expect(
                try fixture.store.read { try $0.notifications.fetchAll() }.map(\.owner) == [
                    .reply(fixture.account, "c")
                ])
        }
    }

    @Test func `A question from the daemon waits while the notification of a reply is open`() async throws {
        let queue = queue()
        try await asking(queue) { questions in
            try reply("m1", at: 1)
            try await eventually("the reply is shown") { try fixture.pending().isEmpty }
            try questions.ask(.consent)
            try await eventually("the question waits") { queue.screen.state.notifiesAtEnd }
            #expect(server.shown.count == 1)
            _ = try queue.screen.handleClosedNotification(1, reason: .dismissed)
            try await eventually("the question is shown") { queue.screen.notification(withID: 2) != nil }
        }
    }

    @Test func `A question from the daemon is not shown before the first sync is complete`() async throws {
        try fixture.store.write {
            try $0.run("UPDATE account SET synced_at = NULL")
        }
        let queue = queue()
        try await asking(queue) { questions in
            try questions.ask(.permission)
            try await eventually("the question waits") { queue.screen.state.notifiesAtEnd }
            #expect(server.shown.isEmpty)
            try fixture.store.write { try $0.accounts.setFirstSyncTime(.base, of: fixture.account) }
            queue.notificationController.requestReevaluation()
            try await eventually("the question is shown") { queue.screen.notification(withID: 1) != nil }
        }
    }

    @Test
    func `A question is closed immediately if a reply becomes pending while the question is being shown`()
        async throws
    {
        let queue = queue()
        var looks = 0
        let areFirst: () throws -> Bool = {
            looks += 1
            return try looks > 2 || queue.hasPendingReplies()
        }
        try await asking(queue, hasPendingReplies: areFirst) { questions in
            try questions.ask(.consent)
            try await eventually("the question is closed") { server.calls == ["show 1", "close 1"] }
            #expect(queue.screen.state.notifications.isEmpty)
        }
    }
}
