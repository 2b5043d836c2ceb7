import ControlAPI
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

/// Tests that long reads of the database do not delay a reply.
@MainActor
struct LongSearchTests {
    @Test func `A reply is shown while a search runs, and the search still returns its result`() async throws
    {
        let fixture = try IngestFixture()
        let server = FakeNotificationServer()
        let queue = fixture.queue(server)
        fixture.collaborators.participate = { try queue.addWrites(to: $0) }
        let conversations = fixture.conversations(of: try fixture.accounts())
        try fixture.accept(.reply(.sample("m1", at: 1), unread: 1, event: "e1"))
        let (begun, mayEnd) = (Gate.Asynchronous(), Gate())
        let store = fixture.store
        // This read blocks the search, so that the search cannot finish before the reply is shown.
        let reading = Task {
            try await store.runLongRead { _ in
                begun.open()
                mayEnd.wait()
            }
        }
        await begun.wait()
        let search = Task { try await conversations.search(Search(words: "text m1")) }
        try await running(queue.run) {
            try fixture.accept(.reply(.sample("m2", at: 2), unread: 2, event: "e2"))
            try await eventually("the reply is shown") {
                server.shown.contains { $0.notification.body.contains("text of m2") }
            }
        }
        mayEnd.open()
        try await reading.value
        #expect(try await search.value.messages.map(\.messageId) == ["m1"])
    }

    @Test func `After an upgrade, the status shows the indexing progress until all messages are indexed`()
        async throws
    {
        let fixture = try IngestFixture()
        try fixture.store.write { transaction in
            for number in 0..<1000 {
                _ = try transaction.messages.insert(
                    .sample(.init("m\(number)"), at: Int64(number)), account: fixture.account, isOwn: false,
                    isNote: false, stage: .shown, isPending: false, at: .base)
            }
            try transaction.run("INSERT INTO message_text (message_text) VALUES ('delete-all')")
        }
        let methods = fixture.status(of: try fixture.accounts())
        #expect(try await methods.getStatus(GetStatus()).indexing == 0)
        _ = try await fixture.store.indexHistorySlice()
        let part = try #require(try await methods.getStatus(GetStatus()).indexing)
        #expect((1...99).contains(part))
        try await running(fixture.housekeeping.run) {
            try await eventually("all messages are indexed") {
                try await methods.getStatus(GetStatus()).indexing == nil
            }
        }
    }

    @Test func `By default, the status contains only totals, even with thousands of unread conversations`()
        async throws
    {
        let fixture = try IngestFixture()
        try fixture.store.write { transaction in
            for number in 0..<5000 {
                var conversation = Conversation(id: .init("conversation-\(number)"))
                conversation.updatedAt = .base(plus: Int64(number))
                try transaction.conversations.save(
                    ConversationRecord(
                        account: fixture.account, conversation: conversation, unread: 2, sinceClear: 1))
            }
        }
        let accounts = try fixture.accounts()
        let methods = fixture.status(of: accounts)
        let status = try await methods.getStatus(GetStatus())
        #expect(try JSON.encode(status).count <= 4096)
        #expect(status.badge.total == 5000 && status.badge.conversationCount == 5000)
        #expect(status.badge.conversations.isEmpty)
        let whole = try await methods.getStatus(GetStatus(conversations: true))
        #expect(whole.badge.conversations.count == 5000)
        #expect(whole.badge.conversations["conversation-7"] == 1)
        let inbox = try await fixture.conversations(of: accounts).listConversations(.init(limit: 1))
        #expect(inbox.badge == status.badge)
    }
}
