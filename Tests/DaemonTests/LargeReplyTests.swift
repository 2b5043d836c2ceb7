import ControlAPI
import CutieAPI
@_spi(EventLog) import Store
import TestSupport
import Testing
import Varlink

@testable import Accounts
@testable import ControlServer
@testable import Daemon
@testable import EventLog
@testable import Notifications
@testable import Services

/// Tests with stored messages larger than 4 MiB, the maximum size of a reply on the socket.
@MainActor
struct LargeReplyTests {
    private let fixture: IngestFixture
    private let accounts: AccountRegistry
    private let conversations: ConversationMethods
    private let sending: SendingMethods

    init() throws {
        fixture = try IngestFixture()
        accounts = try fixture.accounts()
        conversations = fixture.conversations(of: accounts)
        sending = fixture.sending(for: accounts)
    }

    @Test func `A thread that does not fit into a Varlink reply is reduced to its newest messages`()
        async throws
    {
        try storeMessages(["1 " + long, "2 " + long, "3 " + long, "4 " + long, "5 " + long, "6"])
        let reply = try await conversations.getConversation(GetConversation(conversation: "c"))
        #expect(try fits(reply))
        #expect(reply.messages.map { $0.message.prefix(1) } == ["2", "3", "4", "5", "6"])
        #expect(reply.cut == true)
    }

    @Test(arguments: [("x", 5 << 20), ("\u{1}", 1 << 20), ("🏴", 5 << 18)])
    func `If a message does not fit into a Varlink reply, only this message is truncated`(
        _ piece: String, _ count: Int
    ) async throws {
        let huge = "huge " + String(repeating: piece, count: count)
        try storeMessages(["first", huge, "last"])
        let reply = try await conversations.getConversation(GetConversation(conversation: "c"))
        #expect(try fits(reply))
        #expect(reply.messages.map { $0.message.prefix(4) } == ["firs", "huge", "last"])
        #expect(reply.cut == true && reply.messages.count { $0.message.hasSuffix("…") } == 1)
        #expect(try await fits(conversations.search(Search(words: "huge"))))
        #expect(try fits(conversations.explain(Explain(message: "m1"))))
    }

    @Test func `The first message in a Varlink reply is complete if the message fits into the reply`()
        async throws
    {
        let huge = "huge " + String(repeating: "x", count: 3 << 20)
        try storeMessages(["first", huge])
        let only = try await conversations.getConversation(GetConversation(conversation: "c", limit: 1))
        let thread = try await conversations.getConversation(GetConversation(conversation: "c"))
        let found = try await conversations.search(Search(words: "huge", limit: 1))
        let explained = try conversations.explain(Explain(message: "m1"))
        #expect(only.messages.map { $0.message == huge } == [true] && only.cut == nil)
        #expect(thread.messages.map { $0.message == huge } == [false, true] && thread.cut == nil)
        #expect(found.messages.map { $0.message == huge } == [true] && found.cut == nil)
        #expect(explained.message?.message == huge && explained.cut == nil)
        #expect(try fits(only) && fits(thread) && fits(found) && fits(explained))
    }

    @Test func `If a Varlink reply is too large, a later message is truncated instead of the first message`()
        async throws
    {
        let huge = "huge " + String(repeating: "x", count: 3 << 20)
        try storeMessages(["first", huge, "last"])
        let reply = try await conversations.getConversation(GetConversation(conversation: "c"))
        #expect(reply.messages.map { $0.message.prefix(4) } == ["firs", "huge", "last"])
        #expect(reply.messages.map { $0.message.hasSuffix("…") } == [false, true, false])
        #expect(reply.cut == true)
    }

    @Test func `Messages that fit into a Varlink reply are complete, including line feeds and tabs`()
        async throws
    {
        let lines = String(repeating: "\n\t", count: 400_000)
        try storeMessages([lines, "last"])
        let reply = try await conversations.getConversation(GetConversation(conversation: "c"))
        #expect(reply.messages.map { $0.message == lines } == [true, false] && reply.cut == nil)
    }

    @Test func `The size of a character is the number of bytes in its JSON encoding`() throws {
        for code in 0..<UInt8(0x80) {
            let text = String(repeating: Character(UnicodeScalar(code)), count: 10)
            #expect(try text.jsonSize == JSON.encode(text).count, "\(code)")
        }
    }

    @Test func `The reply to "Explain" states whether its message is truncated`() throws {
        try storeMessages([String(repeating: "x", count: 5 << 20)])
        let reply = try conversations.explain(Explain(message: "m0"))
        #expect(reply.message?.message.hasSuffix("…") == true && reply.cut == true)
    }

    @Test func `In the reply to "Explain", the message is truncated to leave room for the steps`() throws {
        try storeMessages([String(repeating: "x", count: 4_000_000)])
        try fixture.store.write { transaction in
            try transaction.ledger.append(
                .held, detail: String(repeating: "because ", count: 40_000), at: .base(plus: 9),
                to: "m0", in: "c", account: fixture.account)
        }
        let reply = try conversations.explain(Explain(message: "m0"))
        #expect(try fits(reply))
        #expect(reply.steps.last?.detail?.utf8.count == 320_000 && reply.message != nil && reply.cut == true)
    }

    @Test func `A message that consists of a single grapheme is truncated within the grapheme`() async throws
    {
        try storeMessages(["a" + String(repeating: "\u{301}", count: 5 << 19)])
        #expect(try await fits(conversations.getConversation(GetConversation(conversation: "c"))))
    }

    @Test func `A search returns as many of the best results as fit into one Varlink reply`() async throws {
        try storeMessages((0..<8).map { "needle \($0) " + long })
        let reply = try await conversations.search(Search(words: "needle"))
        #expect(try fits(reply))
        #expect(reply.messages.count == 4 && reply.cut == true)
    }

    @Test func `All messages of a long outbox are listed, with truncated text`() throws {
        let outbox = try #require(accounts.units.first).outbox
        let ids = try (0..<12).map { try outbox.enqueue(.message("\($0) " + long), in: "c") }
        let reply = try sending.listOutbox(ListOutbox())
        #expect(try fits(reply))
        #expect(reply.items.map(\.outboxId) == ids)
        #expect(reply.items.count { $0.text?.hasSuffix("…") == true } == 10 && reply.cut == true)
    }

    @Test func `If not all conversations fit into a Varlink reply, only the newest conversations are listed`()
        async throws
    {
        try fixture.store.write { transaction in
            for index in 0..<12_000 {
                var conversation = Conversation(id: .init("c\(index)"))
                conversation.title = String(repeating: "t", count: 400)
                conversation.updatedAt = .base(plus: Int64(index))
                try transaction.conversations.save(
                    ConversationRecord(account: fixture.account, conversation: conversation))
            }
        }
        let reply = try await conversations.listConversations(ListConversations())
        #expect(try fits(reply))
        #expect(reply.conversations.first?.conversationId == "c11999")
        #expect(reply.conversations.count > 4000 && reply.cut == true)
        #expect(try await conversations.listConversations(ListConversations(limit: 9)).cut == nil)
    }

    @Test func `Messages in lists are complete if they fit into the Varlink reply`()
        async throws
    {
        let outbox = try #require(accounts.units.first).outbox
        _ = try outbox.enqueue(.message(long), in: "c")
        try storeMessages(["1 " + long, "2"])
        let (items, thread) = try await (
            sending.listOutbox(ListOutbox()),
            conversations.getConversation(GetConversation(conversation: "c"))
        )
        #expect(items.items.map { $0.text == long } == [true] && items.cut == nil)
        #expect(thread.messages.map(\.message.utf8.count) == [1_000_002, 1] && thread.cut == nil)
    }

    private let long = String(repeating: "ü", count: 500_000)

    private func storeMessages(_ texts: [String]) throws {
        let messages = texts.enumerated().map { index, text in
            Message(
                id: Message.ID("m\(index)"), conversation: "c", senderType: .admin, senderName: "Ann",
                text: text, createdAt: .base(plus: Int64(index)))
        }
        let thread = Conversation.sample("c", unread: 0, at: 100, messages)
        try fixture.ingest.applyFetched(
            thread, listedVersion: thread, account: fixture.account, isFirstSync: false)
    }

    private func fits(_ reply: some Encodable) throws -> Bool {
        try Reply(reply).encoded.count <= MessageLimits().bytes + 1
    }
}
