import ControlAPI
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
@testable import Services

/// Tests of conversations that the user marks as muted or unread.
extension ReplyQueueTests {
    private func marks(_ queue: ReplyQueue) throws -> MarkMethods {
        MarkMethods(
            service: MarkService(
                ingest: fixture.ingest, accounts: try fixture.accounts(),
                notificationController: queue.notificationController,
                runtime: fixture.runtime))
    }

    private func view(_ conversation: String = "a") async throws -> ConversationView? {
        try await fixture.conversations(of: fixture.accounts()).listConversations(ListConversations())
            .conversations.first { $0.conversationId == conversation }
    }

    @Test
    func `A reply in a muted conversation is neither shown nor counted, and the ledger contains the reason`()
        async throws
    {
        let queue = queue()
        try reply("m1", in: "a", at: 1)
        #expect(fixture.badge.total == 1)
        let marks = try marks(queue)
        try await running(queue.run) {
            try await eventually("the reply is shown") { try fixture.pending().isEmpty }
            _ = try marks.mute(Mute(conversation: "a"))
            #expect(fixture.badge.total == 0)
            #expect(try await view()?.muted == true)
            try reply("m2", in: "a", at: 2, unread: 2)
            try reply("m3", in: "b", at: 3)
            try await eventually("both replies are processed") { try fixture.pending().isEmpty }
            #expect(fixture.badge.total == 1)
            // Muting the conversation must not mark its messages read.
            #expect(try await view()?.unreadCount == 2)
            _ = try marks.unmute(Unmute(conversation: "a"))
            try reply("m4", in: "a", at: 4, unread: 3)
            try await eventually("the next reply is shown") { try fixture.pending().isEmpty }
        }
        #expect(server.shown.map(\.notification.body).filter { $0.contains("m2") }.isEmpty)
        #expect(server.shown.last?.notification.body.contains("text of m4") == true)
        #expect(try fixture.steps(of: "m2").last?.detail == "the conversation is muted")
        #expect(fixture.badge.total == 2)
    }

    @Test func `Muted conversations stay muted after a restart`() async throws {
        try reply("m1", in: "a", at: 1)
        _ = try marks(queue()).mute(Mute(conversation: "a"))
        let next = queue()
        try await running(next.run) {
            try reply("m2", in: "a", at: 2, unread: 2)
            try await eventually("the reply is processed") { try fixture.pending().isEmpty }
        }
        #expect(server.shown.isEmpty)
        let muted = try await fixture.conversations(of: fixture.accounts())
            .listConversations(ListConversations(muted: true))
        #expect(muted.conversations.map(\.conversationId) == ["a"])
    }

    @Test func `A conversation marked as unread is listed as unread until it is read`() async throws {
        try reply("m1", in: "a", at: 1)
        let (marks, reading) = (try marks(queue()), try fixture.reading(of: fixture.accounts()))
        func unread() async throws -> [String] {
            try await fixture.conversations(of: fixture.accounts())
                .listConversations(ListConversations(unread: true)).conversations.map(\.conversationId)
        }
        _ = try await reading.markRead(MarkRead(conversation: "a"))
        #expect(try await unread().isEmpty)
        let before = fixture.ingest.head.value
        _ = try marks.markUnread(MarkUnread(conversation: "a"))
        // Watchers are notified of the mark, and the badge is unchanged.
        #expect(fixture.ingest.head.value > before)
        #expect(fixture.badge.total == 0)
        #expect(try await unread() == ["a"])
        _ = try await reading.markRead(MarkRead(conversation: "a"))
        #expect(try await unread().isEmpty)
        _ = try marks.markUnread(MarkUnread(conversation: "a"))
        _ = try await reading.markRead(MarkRead())
        #expect(try await unread().isEmpty)
        #expect(throws: NotFound.self) {
            try asClient { try marks.markUnread(MarkUnread(conversation: "x")) }
        }
        #expect(throws: NotFound.self) { try asClient { try marks.mute(Mute(conversation: "x")) } }
    }
}
