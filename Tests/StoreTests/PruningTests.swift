import CutieAPI
import Foundation
import Testing
import TextSearch

@_spi(Accounts) @_spi(EventLog) @testable import Store

struct PruningTests {
    private func fill(_ fixture: StoreFixture, _ numbers: Range<Int>, pending: Bool = false) throws {
        try fixture.store.write { transaction in
            for number in numbers {
                let conversation = Conversation.ID("c\(number % 5)")
                try transaction.messages.insert(
                    .reply("m\(number)", in: conversation, "word w\(number)", at: Int64(number)),
                    account: fixture.account, stage: .stored, pending: pending, at: .at(1))
                try transaction.events.insert(
                    Event.ID("e\(number)"), account: fixture.account, at: .at(Int64(number)))
                try transaction.log.append(.messageCreated, at: .at(Int64(number)))
                var thread = Conversation(id: conversation)
                thread.updatedAt = .at(Int64(number))
                try transaction.conversations.save(
                    ConversationRecord(account: fixture.account, conversation: thread))
            }
        }
    }

    private func pruneAll(_ fixture: StoreFixture, before: Int64, eventsBefore: Int64 = 0) async throws {
        let age = PruningLimits(before: .at(before), eventsBefore: .at(eventsBefore), now: .at(5000))
        while try await fixture.store.prune(olderThan: age, rowLimit: 50) > 0 {}
    }

    @Test
    func `Pruning removes old messages from conversations, search index and ledger, but keeps their IDs`()
        async throws
    {
        let fixture = try StoreFixture()
        try fill(fixture, 1..<301)
        try fixture.store.write { transaction in
            for number in 1..<301 {
                let conversation = Conversation.ID("c\(number % 5)")
                try transaction.ledger.append(
                    .read, at: .at(2), to: Message.ID("m\(number)"), in: conversation,
                    account: fixture.account)
            }
        }
        try await pruneAll(fixture, before: 201)
        try fixture.store.write { transaction in
            let left = try (0..<5).flatMap {
                try transaction.messages.fetchNewest(in: Conversation.ID("c\($0)"), account: fixture.account)
            }
            #expect(left.count == 100)
            #expect(try transaction.messages.find("m7").isEmpty)
            #expect(try transaction.ledger.fetchSteps(of: "m7", in: "c2", account: fixture.account).isEmpty)
            #expect(try transaction.fetchCount("SELECT COUNT(*) FROM ledger") == 100)
            #expect(try transaction.messages.wasEverStored("m7", in: "c2", account: fixture.account))
            #expect(
                try !transaction.messages.insert(
                    .reply("m7", in: "c2"), account: fixture.account, stage: .stored, pending: true,
                    at: .at(1)))
            #expect(
                try !transaction.ledger.append(
                    .read, at: .at(1), to: "m7", in: "c2", account: fixture.account))
        }
        let (old, all) = (try #require(SearchQuery("w7")), try #require(SearchQuery("word")))
        #expect(
            try await fixture.store.search(old, limit: 1000).allSatisfy { $0.message.createdAt >= .at(201) })
        #expect(try await fixture.store.search(all, limit: 1000).count == 100)
        #expect(try fixture.store.quickCheck() == nil)
    }

    @Test
    func `Messages are pruned by the age limit of their account, and other data by the general limit`()
        async throws
    {
        let fixture = try StoreFixture()
        try fill(fixture, 1..<301)
        let age = PruningLimits(
            before: .at(400), accounts: [fixture.account: .at(101)], eventsBefore: .at(0), now: .at(5000))
        while try await fixture.store.prune(olderThan: age, rowLimit: 50) > 0 {}
        try fixture.store.read { transaction throws in
            #expect(try transaction.messages.find("m100").isEmpty)
            #expect(try transaction.messages.find("m101").count == 1)
            #expect(try transaction.conversations.fetchAll().count == 5)
            #expect(try transaction.log.fetchEntries(after: 0, limit: 1000).isEmpty)
        }
    }

    @Test func `A new message is not pruned after all older messages have been pruned`() async throws {
        let fixture = try StoreFixture()
        try fill(fixture, 1..<11)
        try await pruneAll(fixture, before: 1000)
        try fill(fixture, 2001..<2002)
        try fixture.store.read { transaction throws in
            #expect(try transaction.messages.find("m10").isEmpty)
            #expect(try transaction.messages.find("m2001").count == 1)
        }
    }

    @Test func `Pending messages and their conversations are not pruned`() async throws {
        let fixture = try StoreFixture()
        try fill(fixture, 1..<6, pending: true)
        try await pruneAll(fixture, before: 1000)
        try fixture.store.read { transaction throws in
            #expect(try transaction.messages.fetchPending(limit: 99).count == 5)
            #expect(try transaction.conversations.fetchAll().count == 5)
        }
    }

    @Test func `An unread message is not pruned`() async throws {
        let fixture = try StoreFixture()
        try fill(fixture, 1..<2)
        let save = { (unread: Int) in
            try fixture.store.write { transaction in
                var record = try #require(try transaction.conversations.find("c1", account: fixture.account))
                record.unread = unread
                try transaction.conversations.save(record)
            }
        }
        try save(1)
        try await pruneAll(fixture, before: 1000)
        #expect(
            try fixture.store.read { try $0.replies.findNewest(in: "c1", account: fixture.account) } == "m1")
        try save(0)
        try await pruneAll(fixture, before: 1000)
        #expect(try fixture.store.read { try $0.messages.find("m1") }.isEmpty)
    }

    @Test
    func `An old conversation is pruned if it has no messages and nothing in it is unread or pending`()
        async throws
    {
        let fixture = try StoreFixture()
        try fixture.store.write { transaction in
            func save(
                _ id: Conversation.ID, updated: Int64?, message: Int64? = nil, unread: Int = 0,
                sinceClear: Int = 0
            ) throws {
                var conversation = Conversation(id: id)
                conversation.updatedAt = updated.map { .at($0) }
                try transaction.conversations.save(
                    ConversationRecord(
                        account: fixture.account, conversation: conversation, unread: unread,
                        sinceClear: sinceClear, lastMessageAt: message.map { .at($0) }))
            }
            try save("old", updated: 5)
            try save("read-lately", updated: 500, message: 5)
            try save("young", updated: 500)
            try save("unread", updated: 5, unread: 1)
            try save("counted", updated: 5, sinceClear: 1)
            try save("undated", updated: nil)
            try save("sending", updated: 5)
            try transaction.outbox.append(
                OutboxRecord(
                    id: "o", account: fixture.account, conversation: "sending", kind: "reply", payload: "{}",
                    idempotencyKey: "k", createdAt: .at(1)))
        }
        try await pruneAll(fixture, before: 100)
        let left = try fixture.store.read { try $0.conversations.fetchAll() }.map(\.conversation.id)
        #expect(Set(left) == ["young", "read-lately", "unread", "counted", "undated", "sending"])
    }

    @Test func `Event IDs are pruned according to a separate age limit`() async throws {
        let fixture = try StoreFixture()
        try fill(fixture, 1..<11)
        try await pruneAll(fixture, before: 0, eventsBefore: 6)
        try fixture.store.write { transaction throws in
            #expect(try !transaction.events.contains("e5", account: fixture.account))
            #expect(try transaction.events.contains("e6", account: fixture.account))
            #expect(try transaction.messages.find("m1").count == 1)
        }
    }

    @Test func `Each pruning step is limited in size, and the file shrinks after the last step`() async throws
    {
        let fixture = try StoreFixture()
        try fill(fixture, 1..<3001)
        let before = try fixture.store.read { try $0.fetchCount("PRAGMA page_count") }
        let age = PruningLimits(before: .at(5000), eventsBefore: .at(5000), now: .at(5000))
        let bite = try fixture.store.write {
            try $0.pruning.pruneCandidates(
                $0.pruning.findCandidates(olderThan: age, rowLimit: 100), limits: age, rowLimit: 100)
        }
        #expect(bite == 100)
        try await pruneAll(fixture, before: 5000, eventsBefore: 5000)
        let after = try fixture.store.read { try $0.fetchCount("PRAGMA page_count") }
        #expect(after < before / 2)
        #expect(try fixture.store.read { try $0.fetchCount("PRAGMA freelist_count") } == 0)
    }
}
