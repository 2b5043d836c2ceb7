import CutieAPI
import Reasons
import Testing

@_spi(Accounts) @testable import Store

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

    @Test func `An outbox item is unchanged after storing and loading`() throws {
        let fixture = try StoreFixture()
        try fixture.store.write {
            try $0.outbox.append(item("a", fixture.account, nil))
            var stored = try #require(try $0.outbox.findItem("a"))
            #expect(stored.order > 0 && stored.conversation == nil && stored.idempotencyKey == "key-a")
            stored.conversation = "c1"
            stored.state = .failed
            stored.attempts = 3
            stored.error = Reason(.deviceNotRegistered, because: .text("refused"))
            stored.payload = "[]"
            stored.nextAttemptAt = .at(99)
            #expect(try $0.outbox.update(stored))
            #expect(try $0.outbox.fetchItems() == [stored])
            #expect(try $0.outbox.remove("a"))
            #expect(try !$0.outbox.remove("a"))
            #expect(try !$0.outbox.update(stored))
            #expect(try $0.outbox.fetchCounts(of: fixture.account) == (0, 0))
        }
    }

    @Test func `An outbox item with an existing ID is not added again`() throws {
        let fixture = try StoreFixture()
        try fixture.store.write { _ = try $0.outbox.append(item("a", fixture.account, nil)) }
        #expect(throws: StoreError.self) {
            try fixture.store.write { _ = try $0.outbox.append(item("a", fixture.account, nil)) }
        }
    }

    @Test func `Outbox items are listed from the oldest to the newest, optionally for one account`() throws {
        let fixture = try StoreFixture()
        try fixture.store.write {
            let other = try $0.makeAccount("other")
            try $0.outbox.append(item("z", fixture.account, "c1"))
            try $0.outbox.append(item("a", other, "c1"))
            try $0.outbox.append(item("b", fixture.account, "c1"))
            #expect(try $0.outbox.fetchItems().map(\.id) == ["z", "a", "b"])
            #expect(try $0.outbox.fetchItems(of: fixture.account).map(\.id) == ["z", "b"])
            #expect(try $0.outbox.fetchCounts(of: fixture.account) == (2, 0))
        }
    }

    @Test func `An outbox item waits for all earlier items of its conversation except failed items`() throws {
        let fixture = try StoreFixture()
        try fixture.store.write {
            try $0.outbox.append(item("first", fixture.account, "c1", next: 100))
            try $0.outbox.append(item("second", fixture.account, "c1"))
            #expect(try $0.outbox.fetchNext(of: fixture.account, at: .at(50)) == nil)
            #expect(try $0.outbox.fetchNextAttemptTime(of: fixture.account) == .at(100))
            #expect(try $0.outbox.fetchNext(of: fixture.account, at: .at(100))?.id == "first")
            var first = try #require(try $0.outbox.findItem("first"))
            first.state = .sending
            try $0.outbox.update(first)
            #expect(try $0.outbox.fetchNext(of: fixture.account, at: .at(100)) == nil)
            #expect(try $0.outbox.fetchNextAttemptTime(of: fixture.account) == nil)
            first.state = .failed
            try $0.outbox.update(first)
            #expect(try $0.outbox.fetchNext(of: fixture.account, at: .at(50))?.id == "second")
            #expect(try $0.outbox.fetchNextAttemptTime(of: fixture.account) == .at(10))
        }
    }

    @Test func `An outbox item that failed permanently does not count as pending`() throws {
        let fixture = try StoreFixture()
        try fixture.store.write {
            try $0.outbox.append(item("waits", fixture.account, "c1"))
            try $0.outbox.append(item("goes", fixture.account, "c2", state: .sending))
            try $0.outbox.append(item("stays", fixture.account, "c1", state: .failed))
            #expect(try $0.outbox.fetchCounts(of: fixture.account) == (2, 1))
        }
    }

    @Test func `An outbox item does not wait for items of other conversations or accounts`() throws {
        let fixture = try StoreFixture()
        try fixture.store.write {
            let other = try $0.makeAccount("other")
            try $0.outbox.append(item("stuck", fixture.account, "c1", next: 900))
            try $0.outbox.append(item("new1", fixture.account, nil, next: 500))
            try $0.outbox.append(item("new2", fixture.account, nil))
            try $0.outbox.append(item("c2", fixture.account, "c2"))
            try $0.outbox.append(item("other", other, "c1"))
            #expect(try $0.outbox.fetchNext(of: fixture.account, at: .at(20))?.id == "new2")
            try $0.outbox.remove("new2")
            #expect(try $0.outbox.fetchNext(of: fixture.account, at: .at(20))?.id == "c2")
            #expect(try $0.outbox.fetchNext(of: other, at: .at(20))?.id == "other")
        }
    }

    @Test func `The sequence number of a removed outbox item is not reused`() throws {
        let fixture = try StoreFixture()
        try fixture.store.write {
            let first = try $0.outbox.append(item("a", fixture.account, nil))
            try $0.outbox.remove("a")
            #expect(try $0.outbox.append(item("b", fixture.account, nil)) > first)
        }
    }
}
