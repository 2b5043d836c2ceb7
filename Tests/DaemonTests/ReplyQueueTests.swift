import Config
import CutieAPI
import FeedPolicy
import NotificationPolicy
@_spi(EventLog) import Store
import TestSupport
import Testing

@testable import Accounts
@testable import ControlServer
@testable import Daemon
@testable import EventLog
@testable import Notifications

@MainActor
struct ReplyQueueTests {
    let fixture: IngestFixture
    let server = FakeNotificationServer()

    init() throws { fixture = try IngestFixture() }

    /// - Parameter pictures: a server for avatars. The daemon may download avatars from this server, because
    ///   the server's address counts as an API address.
    func queue(
        rules: [Rule] = [], retry: Backoff = .usual, patience: ManualTime = ManualTime(),
        picturesOf pictures: RawServer? = nil, _ change: (inout NotificationConfiguration) -> Void = { _ in }
    ) -> ReplyQueue {
        var configuration = NotificationConfiguration()
        change(&configuration)
        let queue = fixture.queue(
            server, policy: Policy(configuration, rules: rules), retry: retry, patience: patience,
            pictureOrigins: { pictures.map { [$0.url] } ?? [] })
        fixture.collaborators.participate = { try queue.addWrites(to: $0) }
        return queue
    }

    func reply(
        _ id: Message.ID, in conversation: Conversation.ID = "c", at seconds: Int64, unread: Int = 1
    ) throws {
        try fixture.accept(
            .reply(.sample(id, in: conversation, at: seconds), unread: unread, event: .init(id.rawValue)))
    }

    func stages(_ id: Message.ID) throws -> [LedgerStage] {
        try fixture.steps(of: id).map(\.stage)
    }

    @Test func `A reply is shown once, and the ledger records its stages`() async throws {
        try await running(queue().run) {
            try reply("m1", at: 1)
            try await eventually("the reply is shown") { try fixture.pending().isEmpty }
        }
        #expect(server.shown.map(\.notification.summary) == ["Ann"])
        #expect(server.shown.map(\.notification.stackTag) == ["c"])
        #expect(try stages("m1") == [.stored, .announcing, .shown])
    }

    @Test func `The notifications of two accounts have different stack tags for the same conversation ID`()
        async throws
    {
        let other = try fixture.store.write { transaction in
            let id = try transaction.accounts.findOrCreate(
                name: "work", appID: "app", apiURL: "https://b.example"
            ) {
                "device_2"
            }.id
            try transaction.accounts.setFirstSyncTime(.base, of: id)
            return id
        }
        try fixture.ingest.setOpenAccounts([fixture.account: .user, other: .user])
        try await running(queue().run) {
            try reply("m1", at: 1)
            try fixture.ingest.apply(
                [.reply(.sample("m2", at: 2), unread: 1, event: "e2")], to: other, receivedOver: .stream)
            try await eventually("both replies are shown") { try fixture.pending().isEmpty }
        }
        #expect(Set(server.shown.map(\.notification.stackTag)) == ["c", "work/c"])
    }

    @Test func `Further replies replace the notification of the conversation without a sound`() async throws {
        try await running(queue().run) {
            for number in 1...3 {
                try reply(.init("m\(number)"), at: Int64(number), unread: number)
                try await eventually("the reply is shown") { try fixture.pending().isEmpty }
            }
        }
        #expect(server.shown.map(\.replaced) == [nil, 1, 1])
        #expect(server.shown.map(\.notification.isUpdate) == [false, true, true])
        #expect(server.shown.last?.notification.body == "3 new replies:\ntext of m3")
    }

    @Test func `A notification of several replies names the senders of the unread replies`() async throws {
        func reply(_ id: Message.ID, by name: String, at seconds: Int64, unread: Int) throws {
            var message = Message.sample(id, at: seconds)
            message.senderName = name
            try fixture.accept(.reply(message, unread: unread, event: .init(id.rawValue)))
        }
        try await running(queue().run) {
            for (number, name) in ["Ann", "Bob", "Ann"].enumerated() {
                try reply(.init("m\(number)"), by: name, at: Int64(number), unread: number + 1)
                try await eventually("the reply is shown") { try fixture.pending().isEmpty }
            }
            try fixture.accept(.read("c", leaving: 0, at: 4, event: "e4"))
            try await eventually("the notification is closed") { server.closed == [1] }
            try reply("m5", by: "Cyd", at: 5, unread: 1)
            try await eventually("the next reply is shown") { try fixture.pending().isEmpty }
        }
        #expect(server.shown.map(\.notification.summary) == ["Ann", "Bob, Ann", "Ann, Bob", "Cyd"])
    }

    @Test func `Replies beyond the maximum number of notifications share one summary`() async throws {
        let events = (1...8).map { number in
            Event.reply(
                .sample(.init("m\(number)"), in: .init("c\(number)"), at: Int64(number)), unread: 1,
                event: .init("e\(number)"))
        }
        try fixture.ingest.apply(events, to: fixture.account, receivedOver: .stream)
        try await running(queue { $0.maxPopups = 3 }.run) {
            try await eventually("all replies are shown") { try fixture.pending().isEmpty }
        }
        #expect(server.shown.count == 4)
        #expect(server.shown.last?.notification.summary == "5 unread replies")
        #expect(server.shown.last?.notification.stackTag == "cutied-summary")
    }

    @Test func `A new summary also names the conversations of the previous summary`() async throws {
        let ids: [Conversation.ID] = ["a", "b", "c"]
        try fixture.store.write { transaction in
            for id in ids {
                var conversation = Conversation(id: id)
                conversation.title = id.rawValue.uppercased()
                try transaction.conversations.save(
                    ConversationRecord(account: fixture.account, conversation: conversation))
            }
        }
        try await running(queue { $0.maxPopups = 1 }.run) {
            for (number, id) in ids.enumerated() {
                try reply(.init("m\(number)"), in: id, at: Int64(number))
                try await eventually("the reply is shown") { try fixture.pending().isEmpty }
            }
        }
        #expect(server.shown.last?.notification.body == "in 2 conversations:\nC, B")
    }

    @Test func `A reply is not announced again after a restart`() async throws {
        try await running(queue().run) {
            try reply("m1", at: 1)
            try await eventually("the reply is shown") { try fixture.pending().isEmpty }
        }
        try await running(queue().run) {
            try reply("m2", at: 2, unread: 2)
            try await eventually("the second reply is shown") { try fixture.pending().isEmpty }
        }
        #expect(server.shown.count == 2)
        #expect(server.shown.last?.replaced == 1)
    }

    @Test
    func `After a crash while a reply was being announced, the reply is shown in the open notification`()
        async throws
    {
        try await running(queue().run) {
            try reply("m1", at: 1)
            try await eventually("the first reply is shown") { try fixture.pending().isEmpty }
        }
        try reply("m2", at: 2, unread: 2)
        try fixture.store.write {
            _ = try $0.ledger.append(.announcing, at: .base, to: "m2", in: "c", account: fixture.account)
        }
        try await running(queue().run) {
            try await eventually("the second reply is shown") { try fixture.pending().isEmpty }
        }
        #expect(server.shown.map(\.replaced) == [nil, 1])
    }
}
