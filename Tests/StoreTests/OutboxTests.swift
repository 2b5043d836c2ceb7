import CutieAPI
import Testing

@testable import Store

struct OutboxTests {
    private func item(
        _ id: String, _ account: AccountID, _ conversation: Conversation.ID?, next: Int64? = nil,
        state: OutboxRecord.State = .waiting
    ) -> OutboxRecord {
        OutboxRecord(
            id: id, account: account, conversation: conversation, kind: "reply", payload: "{}",
            idempotencyKey: "key-\(id)", state: state, createdAt: .at(10), nextAttemptAt: next.map { .at($0) }
        )
    }

    @Test func `An item is read as it was put and changed`() throws {
        let fixture = try StoreFixture()
        try fixture.store.write {
            try $0.enqueue(item("a", fixture.account, nil))
            var stored = try #require(try $0.outboxItem("a"))
            #expect(stored.order > 0 && stored.conversation == nil && stored.idempotencyKey == "key-a")
            stored.conversation = "c1"
            stored.state = .failed
            stored.attempts = 3
            stored.error = "refused"
            stored.payload = "[]"
            stored.nextAttemptAt = .at(99)
            #expect(try $0.update(stored))
            #expect(try $0.outbox() == [stored])
            #expect(try $0.deleteOutbox("a"))
            #expect(try !$0.deleteOutbox("a"))
            #expect(try !$0.update(stored))
            #expect(try $0.outboxCounts(of: fixture.account) == (0, 0))
        }
    }

    @Test func `The same id is not put twice`() throws {
        let fixture = try StoreFixture()
        try fixture.store.write { _ = try $0.enqueue(item("a", fixture.account, nil)) }
        #expect(throws: StoreError.self) {
            try fixture.store.write { _ = try $0.enqueue(item("a", fixture.account, nil)) }
        }
    }

    @Test func `Items are listed oldest first, by account`() throws {
        let fixture = try StoreFixture()
        try fixture.store.write {
            let other = try $0.makeAccount("other")
            try $0.enqueue(item("z", fixture.account, "c1"))
            try $0.enqueue(item("a", other, "c1"))
            try $0.enqueue(item("b", fixture.account, "c1"))
            #expect(try $0.outbox().map(\.id) == ["z", "a", "b"])
            #expect(try $0.outbox(account: fixture.account).map(\.id) == ["z", "b"])
            #expect(try $0.outboxCounts(of: fixture.account) == (2, 0))
        }
    }

    @Test func `Within a conversation an item waits for the earlier one, unless that failed`() throws {
        let fixture = try StoreFixture()
        try fixture.store.write {
            try $0.enqueue(item("first", fixture.account, "c1", next: 100))
            try $0.enqueue(item("second", fixture.account, "c1"))
            #expect(try $0.nextOutbox(account: fixture.account, now: .at(50)) == nil)
            #expect(try $0.nextOutboxTime(account: fixture.account) == .at(100))
            #expect(try $0.nextOutbox(account: fixture.account, now: .at(100))?.id == "first")
            var first = try #require(try $0.outboxItem("first"))
            first.state = .sending
            try $0.update(first)
            #expect(try $0.nextOutbox(account: fixture.account, now: .at(100)) == nil)
            #expect(try $0.nextOutboxTime(account: fixture.account) == nil)
            first.state = .failed
            try $0.update(first)
            #expect(try $0.nextOutbox(account: fixture.account, now: .at(50))?.id == "second")
            #expect(try $0.nextOutboxTime(account: fixture.account) == .at(10))
        }
    }

    @Test func `What failed for good does not count as waiting`() throws {
        let fixture = try StoreFixture()
        try fixture.store.write {
            try $0.enqueue(item("waits", fixture.account, "c1"))
            try $0.enqueue(item("goes", fixture.account, "c2", state: .sending))
            try $0.enqueue(item("stays", fixture.account, "c1", state: .failed))
            #expect(try $0.outboxCounts(of: fixture.account) == (2, 1))
        }
    }

    @Test func `Other conversations, other accounts and items without one do not wait`() throws {
        let fixture = try StoreFixture()
        try fixture.store.write {
            let other = try $0.makeAccount("other")
            try $0.enqueue(item("stuck", fixture.account, "c1", next: 900))
            try $0.enqueue(item("new1", fixture.account, nil, next: 500))
            try $0.enqueue(item("new2", fixture.account, nil))
            try $0.enqueue(item("c2", fixture.account, "c2"))
            try $0.enqueue(item("other", other, "c1"))
            #expect(try $0.nextOutbox(account: fixture.account, now: .at(20))?.id == "new2")
            try $0.deleteOutbox("new2")
            #expect(try $0.nextOutbox(account: fixture.account, now: .at(20))?.id == "c2")
            #expect(try $0.nextOutbox(account: other, now: .at(20))?.id == "other")
        }
    }

    @Test func `A place is not given again`() throws {
        let fixture = try StoreFixture()
        try fixture.store.write {
            let first = try $0.enqueue(item("a", fixture.account, nil))
            try $0.deleteOutbox("a")
            #expect(try $0.enqueue(item("b", fixture.account, nil)) > first)
        }
    }
}
