import CutieAPI
import Inbox
import Testing

@testable import Accounts
@testable import ControlServer
@testable import Daemon
@testable import Log
@testable import Screen
@testable import Store

@MainActor
struct IngestTests {
    @Test func `A reply is logged, counted and waits to be announced`() throws {
        let desk = try Desk()
        try desk.accept(.reply(.sample("m1", at: 1), unread: 1, event: "e1"))
        #expect(desk.badge == Badge(total: 1, unread: 1))
        #expect(try desk.pending() == ["m1"])
        #expect(try desk.logged(.messageCreated).map(\.message) == ["m1"])
        #expect(try desk.store.read { try $0.accounts.find(desk.account)?.cursor } == "e1")
    }

    @Test func `An event that comes again has no second effect`() throws {
        let desk = try Desk()
        let reply = Event.reply(.sample("m1", at: 1), unread: 1, event: "e1")
        try desk.accept(reply)
        try desk.accept(reply, reply)
        #expect(desk.badge == Badge(total: 1, unread: 1))
        #expect(try desk.logged(.messageCreated).count == 1)
    }

    @Test func `A message that comes again with another event has no second effect`() throws {
        let desk = try Desk()
        try desk.accept(.reply(.sample("m1", at: 1), unread: 1, event: "e1"))
        try desk.accept(.reply(.sample("m1", at: 1), unread: 1, event: "e2"))
        #expect(desk.badge == Badge(total: 1, unread: 1))
        #expect(try desk.logged(.messageCreated).count == 1)
    }

    @Test func `A new message under an event id that was seen is taken`() throws {
        let desk = try Desk()
        try desk.accept(.reply(.sample("m1", at: 1), unread: 1, event: "e1"))
        try desk.accept(.reply(.sample("m2", at: 2), unread: 2, event: "e1"))
        #expect(desk.badge == Badge(total: 2, unread: 2))
        #expect(try desk.pending() == ["m1", "m2"])
    }

    @Test func `One message id in two conversations is two messages`() throws {
        let desk = try Desk()
        try desk.accept(
            .reply(.sample("m1", at: 1), unread: 1, event: "e1"),
            .reply(.sample("m1", in: "d", at: 2), unread: 1, event: "e2"))
        #expect(desk.badge == Badge(total: 2, unread: 2))
        #expect(try desk.pending() == ["m1", "m1"])
        try desk.accept(.read("d", leaving: 0, at: 3, event: "e3"))
        #expect(try desk.pending() == ["m1"])
        let stages = try desk.store.read { transaction in
            try ["c", "d"].map { (thread: Conversation.ID) in
                try transaction.ledger.steps(of: "m1", in: thread, account: desk.account).last?.stage
            }
        }
        #expect(stages == [.stored, .read])
    }

    @Test func `Our own message is kept, and neither counted nor announced`() throws {
        let desk = try Desk()
        try desk.accept(.reply(.sample("m1", by: .user, at: 1), unread: 0, event: "e1"))
        #expect(desk.badge == Badge(total: 0, unread: 0))
        #expect(try desk.pending().isEmpty)
        #expect(try desk.store.read { try $0.messages.find("m1").count } == 1)
    }

    @Test func `A note between admins that a server leaks leaves nothing behind`() throws {
        let desk = try Desk()
        try desk.accept(.reply(.sample("m1", at: 1, note: true), unread: 1, event: "e1"))
        #expect(desk.badge == Badge(total: 0, unread: 0))
        #expect(
            try desk.store.read {
                try $0.messages.find("m1").isEmpty && $0.conversations.find("c", account: desk.account) == nil
            })
    }

    @Test func `A note is neither taken from a thread that was fetched nor from an answer to us`() throws {
        let desk = try Desk()
        let note = Message.sample("m1", at: 1, note: true)
        let thread = Conversation.sample("c", unread: 0, at: 2, [note, .sample("m2", at: 2)])
        try desk.ingest.accept(fetched: thread, listed: thread, account: desk.account, first: false)
        try desk.ingest.change(desk.account) {
            try $0.addOwn(.sample("m3", by: .user, at: 3, note: true), in: "c")
        }
        try desk.store.read { transaction throws in
            #expect(
                try transaction.messages.newest(in: "c", account: desk.account).map(\.message.id) == ["m2"])
            #expect(try !transaction.messages.hasSeen("m1", in: "c", account: desk.account))
            #expect(try !transaction.messages.hasSeen("m3", in: "c", account: desk.account))
        }
        #expect(try desk.logged(.messageCreated).map(\.message) == ["m2"])
        #expect(desk.badge == Badge(total: 0, unread: 0))
    }

    @Test func `Whose a message is the account's perspective says`() throws {
        let desk = try Desk()
        try desk.accept(
            .reply(.sample("m1", by: .user, at: 1), unread: 0, event: "e1"),
            .reply(.sample("m2", by: .system, at: 2), unread: 1, event: "e2"))
        let records = try desk.store.read { try $0.messages.newest(in: "c", account: desk.account) }
        #expect(records.map(\.isOwn) == [true, false] && records.map(\.isReply) == [false, true])
    }

    @Test func `A server that does not count makes us count`() throws {
        let desk = try Desk()
        try desk.accept(
            .reply(.sample("m1", at: 1), unread: nil, event: "e1"),
            .reply(.sample("m2", at: 2), unread: nil, event: "e2"))
        #expect(desk.badge == Badge(total: 2, unread: 2))
    }

    @Test func `A total is not compared with what came after it in the same chunk`() throws {
        let desk = try Desk()
        func agrees(_ events: Event...) throws -> Bool {
            try desk.ingest.accept(events, from: desk.account, by: .stream).isExplained
        }
        #expect(
            try agrees(
                .reply(.sample("m1", at: 1), unread: 1, of: 1, event: "e1"),
                .reply(.sample("m2", at: 2), unread: 2, event: "e2")))
        #expect(try agrees(.reply(.sample("m3", at: 3), unread: 3, of: 3, event: "e3")))
        #expect(try !agrees(.reply(.sample("m4", at: 4), unread: 4, of: 5, event: "e4")))
        let read = Event(
            id: "e6", createdAt: .base(plus: 6),
            payload: .conversationUpdated(.sample("c", unread: 0, at: 6)))
        #expect(try agrees(.reply(.sample("m5", at: 5), unread: 5, of: 5, event: "e5"), read))
    }

    @Test func `Read elsewhere before it was announced, it is not announced`() throws {
        let desk = try Desk()
        try desk.accept(
            .reply(.sample("m1", at: 1), unread: 1, event: "e1"), .read("c", leaving: 0, at: 2, event: "e2"))
        #expect(desk.badge == Badge(total: 0, unread: 0))
        #expect(try desk.pending().isEmpty)
    }

    @Test func `A read that leaves some takes the oldest`() throws {
        let desk = try Desk()
        try desk.accept(
            .reply(.sample("m1", at: 1), unread: 1, event: "e1"),
            .reply(.sample("m2", at: 2), unread: 2, event: "e2"),
            .reply(.sample("m3", at: 3), unread: 3, event: "e3"),
            .read("c", leaving: 1, at: 4, event: "e4"))
        #expect(desk.badge == Badge(total: 1, unread: 1))
        #expect(try desk.pending() == ["m3"])
    }

    @Test func `What is read already is not told again`() throws {
        let desk = try Desk()
        try desk.accept(
            .reply(.sample("m1", at: 1), unread: 1, event: "e1"), .read("c", leaving: 0, at: 2, event: "e2"),
            .read("c", leaving: 0, at: 3, event: "e3"))
        #expect(try desk.logged(.conversationRead).count == 1)
        #expect(try desk.store.read { try $0.accounts.find(desk.account)?.cursor } == "e3")
    }

    @Test func `A clear sets the badge to nothing here and leaves the server's count`() throws {
        let desk = try Desk()
        try desk.accept(.reply(.sample("m1", at: 1), unread: 1, event: "e1"))
        try desk.ingest.change(desk.account) { try $0.clearBadge(nil) }
        #expect(desk.badge == Badge(total: 0, unread: 1))
        try desk.accept(.reply(.sample("m2", at: 2), unread: 2, event: "e2"))
        #expect(desk.badge == Badge(total: 1, unread: 2))
    }

    @Test func `The badge after a restart is the badge before it`() throws {
        let desk = try Desk()
        try desk.accept(
            .reply(.sample("m1", at: 1), unread: 1, event: "e1"),
            .reply(.sample("m2", in: "d", at: 2), unread: 1, event: "e2"))
        try desk.ingest.change(desk.account) { try $0.clearBadge("c") }
        #expect(try desk.restarted().badges[desk.account] == Badge(total: 1, unread: 2))
    }

    @Test func `Accounts that cannot be written down leave those of before at work`() throws {
        let desk = try Desk()
        try desk.store.write { try $0.run("PRAGMA query_only = 1") }
        #expect(throws: StoreError.self) { try desk.ingest.open(only: [:]) }
        try desk.store.read { try $0.run("PRAGMA query_only = 0") }
        try desk.accept(.reply(.sample("m1", at: 1), unread: 1, event: "e1"))
        #expect(desk.badge == Badge(total: 1, unread: 1))
    }

    @Test func `What fails in the middle leaves nothing, neither in the store nor in the badge`() throws {
        struct Trouble: Error {}
        let desk = try Desk()
        #expect(throws: Trouble.self) {
            try desk.ingest.change(desk.account) { change in
                try change.apply(.reply(.sample("m1", at: 1), unread: 1, event: "e1"), by: .stream)
                throw Trouble()
            }
        }
        #expect(desk.badge == Badge(total: 0, unread: 0))
        #expect(try desk.pending().isEmpty)
        #expect(desk.ingest.head.value == 1)
    }
}
