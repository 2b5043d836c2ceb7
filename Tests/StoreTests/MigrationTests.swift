import CutieAPI
import GRDB
import TestSupport
import Testing

@testable import Store

/// A database of a version before this one keeps everything.
struct MigrationTests {
    /// The tables as they were before messages were told apart by their conversation.
    private static let former = """
        CREATE TABLE former (
            account INTEGER NOT NULL, message TEXT NOT NULL, row INTEGER NOT NULL,
            PRIMARY KEY (account, message)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO former SELECT account, message, row FROM seen_message;
        DROP TABLE seen_message;
        ALTER TABLE former RENAME TO seen_message;
        DROP TABLE unfetched;
        DROP TABLE sent;
        DELETE FROM grdb_migrations
        WHERE identifier IN ('6-unfetched', '7-messages-by-conversation', '8-sent');
        """

    @Test
    func `Messages of an earlier version stay, with their ledger, and those whose bodies went stay seen`()
        throws
    {
        let directory = try TemporaryDirectory()
        let before = try Store.open(directory: directory.path).store
        let account = try before.write { transaction in
            let account = try transaction.makeAccount("default")
            for (id, thread, time) in [("old", "c1", Int64(1)), ("m1", "c1", 1000), ("m2", "c2", 1000)] {
                let thread = Conversation.ID(thread)
                try transaction.insert(
                    .reply(id, in: thread, at: time), account: account, stage: .shown, detail: "of \(id)",
                    pending: false, at: .at(1))
                try transaction.save(
                    ConversationRecord(account: account, conversation: Conversation(id: thread)))
            }
            return account
        }
        while try before.prune(.init(before: .at(500), eventsBefore: .at(0), now: .at(5000))) > 0 {}
        before.close()
        try DatabaseQueue(path: before.path).inDatabase { try $0.execute(sql: Self.former) }

        let opening = try Store.open(directory: directory.path)
        #expect(opening.setAside == nil)
        #expect(try opening.store.quickCheck() == nil)
        try opening.store.write { transaction in
            let gone = try transaction.message("old")
            #expect(gone.isEmpty)
            #expect(try transaction.message("m1").map(\.message.conversation) == ["c1"])
            #expect(try transaction.steps(of: "m2", in: "c2", account: account).map(\.detail) == ["of m2"])
            #expect(try transaction.steps(of: "m2", in: "c1", account: account).isEmpty)
            // Where it was is not known any more: it is not announced again, wherever it comes from.
            #expect(try transaction.hasSeen("old", in: "c1", account: account))
            #expect(try transaction.hasSeen("old", in: "c9", account: account))
            #expect(try !transaction.hasSeen("m1", in: "c2", account: account))
            #expect(
                try transaction.insert(
                    .reply("m1", in: "c2"), account: account, stage: .stored, pending: true, at: .at(2)))
            #expect(try transaction.unfetched(of: account).isEmpty)
        }
    }
}
