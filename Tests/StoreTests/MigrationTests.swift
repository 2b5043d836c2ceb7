import Attention
import CutieAPI
import Foundation
import GRDB
import TestSupport
import Testing
import TextSearch

@_spi(Log) @_spi(Screen) @testable import Store

/// The tables of earlier versions, derived from the current ones.
enum FormerSchema {
    /// The full-text index contains texts that SQLite's tokenizer splits.
    static let beforeSearchTokens = """
        DROP TRIGGER message_removed;
        DROP TABLE message_text;
        \(Schema.search)
        INSERT INTO message_text (rowid, text) SELECT row, text FROM message;
        DELETE FROM grdb_migrations WHERE identifier = '16-search-tokens';
        """

    /// Before conversations stored the time of their newest message.
    static let beforeMessageTimes = """
        ALTER TABLE conversation DROP COLUMN last_message_at;
        UPDATE conversation SET sort_at = COALESCE(updated_at, created_at, as_of, 0);
        DELETE FROM grdb_migrations WHERE identifier = '17-newest-message-time';
        """

    /// The tables of notifications before they were merged into one.
    static let beforeScreen = """
        DROP TABLE popup;
        CREATE TABLE popup (
            account INTEGER, conversation TEXT, notification INTEGER NOT NULL, session TEXT NOT NULL,
            count INTEGER NOT NULL, first_sequence INTEGER NOT NULL, last_sequence INTEGER NOT NULL,
            shown_at INTEGER NOT NULL
        ) STRICT;
        ALTER TABLE question ADD COLUMN notification INTEGER;
        ALTER TABLE question ADD COLUMN session TEXT;
        DELETE FROM grdb_migrations WHERE identifier = '12-screen';
        """

    /// Before accounts had kinds, messages an owner, and the ledger reasons.
    static let beforeKinds =
        beforeScreen + """
            CREATE TABLE former_account (
                id INTEGER PRIMARY KEY, name TEXT NOT NULL, app_id TEXT NOT NULL, api_url TEXT NOT NULL,
                device_id TEXT NOT NULL, device_token TEXT, cursor TEXT, synced_at INTEGER, unread INTEGER,
                last_event_at INTEGER,
                UNIQUE (name, app_id, api_url)
            ) STRICT;
            INSERT INTO former_account SELECT id, name, app_id, api_url, device_id, device_token, cursor, synced_at,
                unread, last_event_at FROM account;
            DROP TABLE account;
            ALTER TABLE former_account RENAME TO account;
            DROP INDEX message_thread;
            ALTER TABLE message DROP COLUMN is_own;
            ALTER TABLE message DROP COLUMN is_note;
            CREATE INDEX message_thread ON message (account, conversation, created_at, sequence);
            ALTER TABLE ledger DROP COLUMN reason;
            DELETE FROM grdb_migrations
            WHERE identifier IN ('9-account-kinds', '10-own-words-and-notes', '11-ledger-reasons');
            """

    /// Also before message ids were unique per conversation.
    static let beforeConversations =
        beforeKinds + """
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
}

/// Tests that the migration of a database of an earlier version keeps all data.
struct MigrationTests {
    @Test
    func `Messages of an earlier version keep their ledger, and pruned messages stay seen`()
        throws
    {
        let directory = try TemporaryDirectory()
        let before = try Store.open(directory: directory.path).store
        let account = try before.write { transaction in
            let account = try transaction.makeAccount("default")
            for (id, thread, time) in [("old", "c1", Int64(1)), ("m1", "c1", 1000), ("m2", "c2", 1000)] {
                let thread = Conversation.ID(thread)
                try transaction.messages.insert(
                    .reply(id, in: thread, at: time), account: account, stage: .shown, detail: "of \(id)",
                    pending: false, at: .at(1))
                try transaction.conversations.save(
                    ConversationRecord(account: account, conversation: Conversation(id: thread)))
            }
            return account
        }
        while try before.prune(.init(before: .at(500), eventsBefore: .at(0), now: .at(5000))) > 0 {}
        before.close()
        try DatabaseQueue(path: before.path).inDatabase {
            try $0.execute(sql: FormerSchema.beforeConversations)
        }

        let opening = try Store.open(directory: directory.path)
        #expect(opening.setAside == nil)
        #expect(try opening.store.quickCheck() == nil)
        try opening.store.write { transaction throws in
            let gone = try transaction.messages.find("old")
            #expect(gone.isEmpty)
            #expect(try transaction.messages.find("m1").map(\.message.conversation) == ["c1"])
            #expect(
                try transaction.ledger.steps(of: "m2", in: "c2", account: account).map(\.detail) == ["of m2"])
            #expect(try transaction.ledger.steps(of: "m2", in: "c1", account: account).isEmpty)
            // The conversation of a pruned message is unknown, so the id counts as seen in every
            // conversation.
            #expect(try transaction.messages.hasSeen("old", in: "c1", account: account))
            #expect(try transaction.messages.hasSeen("old", in: "c9", account: account))
            #expect(try !transaction.messages.hasSeen("m1", in: "c2", account: account))
            #expect(
                try transaction.messages.insert(
                    .reply("m1", in: "c2"), account: account, stage: .stored, pending: true, at: .at(2)))
            #expect(try transaction.unfetched.all(of: account).isEmpty)
        }
    }

    /// Creates a database of the version before accounts had kinds. `prepare` is SQL that runs last.
    private func former<Value>(
        in directory: TemporaryDirectory, _ fill: (Transaction, AccountID) throws -> Value,
        _ prepare: String = ""
    ) throws -> (AccountID, Value) {
        let store = try Store.open(directory: directory.path).store
        let made = try store.write { transaction in
            let account = try transaction.makeAccount("default")
            return (account, try fill(transaction, account))
        }
        store.close()
        try DatabaseQueue(path: store.path).inDatabase {
            try $0.execute(sql: FormerSchema.beforeKinds + prepare)
        }
        return made
    }

    @Test func `Accounts of an earlier version are device accounts and keep their data`() throws {
        let directory = try TemporaryDirectory()
        let (_, before) = try former(in: directory) { transaction, account in
            _ = try transaction.makeAccount("gone")
            _ = try transaction.makeAccount("other")
            try transaction.accounts.setProgress(
                .init(cursor: "evt_9", at: .at(7)), unread: 3, of: account)
            try transaction.accounts.setSynced(at: .at(5), of: account)
            try transaction.run("DELETE FROM account WHERE name = 'gone'")
            return try transaction.accounts.all()
        }
        let opening = try Store.open(directory: directory.path)
        #expect(opening.setAside == nil)
        #expect(try opening.store.quickCheck() == nil)
        try opening.store.write { transaction throws in
            #expect(try transaction.accounts.all() == before)
            #expect(before.map(\.kind) == [.device, .device] && before.map(\.id.rawValue) == [1, 3])
            // The account is still found, and no other account can replace it.
            #expect(try transaction.makeAccount("default") == before.first?.id)
        }
    }

    @Test func `The list of an earlier version is sorted by newest message`() throws {
        let directory = try TemporaryDirectory()
        let store = try Store.open(directory: directory.path).store
        let account = try store.write { transaction in
            let account = try transaction.makeAccount("default")
            for (id, message, updated) in [("read-today", 10, 900), ("answered", 20, 30), ("empty", nil, 15)]
            {
                var conversation = Conversation(id: Conversation.ID(id))
                conversation.updatedAt = .at(Int64(updated))
                try transaction.conversations.save(
                    ConversationRecord(account: account, conversation: conversation))
                guard let message else { continue }
                // The message stored last is the newest, whatever an older message's clock was.
                for (number, time) in [(1, message - 5), (2, message)] {
                    try transaction.messages.insert(
                        .reply("\(id)-\(number)", in: conversation.id, at: Int64(time)), account: account,
                        sequence: Int64(number), stage: .shown, pending: false, at: .at(1))
                }
            }
            return account
        }
        store.close()
        try DatabaseQueue(path: store.path).inDatabase {
            try $0.execute(sql: FormerSchema.beforeMessageTimes)
        }
        let opening = try Store.open(directory: directory.path)
        #expect(opening.setAside == nil)
        let records = try opening.store.read { try $0.conversations.all(account: account) }
        #expect(records.map(\.conversation.id) == ["answered", "empty", "read-today"])
        #expect(records.map(\.lastMessageAt) == [.at(20), nil, .at(10)])
    }

    @Test func `A removed token of an earlier version is in no page`() throws {
        let directory = try TemporaryDirectory()
        let token = "a-token-of-a-former-version"
        let (account, _) = try former(
            in: directory, { _, _ in }, "UPDATE account SET device_token = '\(token)';")
        let store = try Store.open(directory: directory.path).store
        #expect(try store.read { try $0.accounts.find(account)?.formerToken } == token)
        try store.write { try $0.accounts.forgetFormerToken(of: account) }
        try store.wipe()
        for file in [store.path, store.path + "-wal"] {
            #expect(try !Data(contentsOf: URL(filePath: file)).contains(Array(token.utf8)))
        }
    }

    @Test func `Own messages stay own, and all others are replies`() throws {
        let directory = try TemporaryDirectory()
        let (account, _) = try former(in: directory) { transaction, account in
            for (id, sender) in [("a", SenderType.admin), ("b", .user), ("c", .system), ("d", .user)] {
                try transaction.messages.insert(
                    .reply(id, from: sender), account: account, stage: .shown, pending: false, at: .at(1))
            }
        }
        let opening = try Store.open(directory: directory.path)
        #expect(opening.setAside == nil)
        #expect(try opening.store.quickCheck() == nil)
        try opening.store.write { transaction throws in
            let records = try transaction.messages.newest(in: "c1", account: account)
            #expect(records.map(\.message.id) == ["a", "b", "c", "d"])
            #expect(records.map(\.isOwn) == [false, true, false, true])
            #expect(records.allSatisfy { !$0.isNote })
            #expect(
                try transaction.replies.newest(in: "c1", account: account, limit: 9, stage: .shown) == [
                    "c", "a",
                ])
            try transaction.messages.insert(
                .reply("e"), account: account, stage: .stored, pending: true, at: .at(2))
            #expect(try transaction.replies.newest(in: "c1", account: account) == "e")
        }
    }

    @Test func `Ledger reasons are no longer stored in the detail text`() throws {
        let directory = try TemporaryDirectory()
        let details = [
            "by stream", "answered to us", "not shown: rule 1", "summary, pop-up 7", "pop-up 8",
            "in summary, late",
            "NOT SHOWN: loud", "answered to us too",
        ]
        let (account, _) = try former(in: directory) { transaction, account in
            try transaction.messages.insert(
                .reply("m"), account: account, stage: .received, pending: false, at: .at(1))
            for detail in details {
                try transaction.ledger.append(
                    .held, detail: detail, at: .at(2), to: "m", in: "c1", account: account)
            }
        }
        let opening = try Store.open(directory: directory.path)
        #expect(opening.setAside == nil)
        let steps = try opening.store.read {
            try $0.ledger.steps(of: "m", in: "c1", account: account)
        }
        #expect(steps.map(\.reason) == [nil, nil, .answered, .notShown, .summary, nil, nil, nil, nil])
        #expect(
            steps.map(\.detail) == [
                nil, "by stream", nil, "rule 1", "pop-up 7", "pop-up 8", "in summary, late",
                "NOT SHOWN: loud",
                "answered to us too",
            ])
    }

    @Test func `Notifications from before the upgrade are known after it`() throws {
        let directory = try TemporaryDirectory()
        let before = try Store.open(directory: directory.path).store
        try before.write { transaction in
            _ = try transaction.questions.ask("consent", about: nil, byPopup: true, at: .at(1))
            _ = try transaction.questions.answer(
                try transaction.questions.ask("app", about: "t", byPopup: true, at: .at(2)), with: .refuse,
                at: .at(3))
            try transaction.settings.setText(
                "disconnection-notice", to: "4294967295 boot unix:path=/a b dunst")
        }
        before.close()
        try DatabaseQueue(path: before.path).inDatabase {
            try $0.execute(
                sql: FormerSchema.beforeScreen + """
                    INSERT INTO popup VALUES (1, 'c', 5, 's', 3, 7, 9, 10), (NULL, NULL, 6, 's', 4, 8, 11, 12);
                    UPDATE question SET notification = 20 + id, session = 's';
                    """)
        }
        let after = try Store.open(directory: directory.path).store
        let account = AccountID(rawValue: 1)
        #expect(
            try after.read { try $0.popups.all() } == [
                PopupRecord(
                    owner: .outage, notification: .max, session: "boot unix:path=/a b dunst",
                    shownAt: .at(0)),
                PopupRecord(owner: .question(1), notification: 21, session: "s", shownAt: .at(1)),
                PopupRecord(
                    owner: .reply(account, "c"), notification: 5, session: "s", count: 3, lastSequence: 9,
                    shownAt: Timestamp(milliseconds: 10)),
                PopupRecord(
                    owner: .summary, notification: 6, session: "s", count: 4, lastSequence: 11,
                    shownAt: Timestamp(milliseconds: 12)),
            ])
        #expect(try after.read { try $0.settings.text("disconnection-notice") } == nil)
        #expect(try after.read { try $0.questions.open() }.map(\.kind) == ["consent"])
    }

    @Test func `Settings of an account move from the user's settings`() throws {
        let directory = try TemporaryDirectory()
        let before = try Store.open(directory: directory.path).store
        try before.write { transaction in
            for (key, text) in [
                ("user/3", #"{"name":"Ann"}"#), ("inbox/3", "7"), ("knows-up-to/12", "yes"),
                ("last-speaker/12", #"{"adminID":"a/1","isPerson":true}"#), ("pause", #"{"until":1}"#),
                ("unread-outbox", "/a/1"),
            ] { try transaction.settings.setText(key, to: text) }
        }
        before.close()
        try DatabaseQueue(path: before.path).inDatabase {
            try $0.execute(
                sql: "DELETE FROM grdb_migrations WHERE identifier = '14-settings-of-accounts'")
        }
        let after = try Store.open(directory: directory.path).store
        let (third, twelfth) = (AccountID(rawValue: 3), AccountID(rawValue: 12))
        #expect(try after.read { try $0.settings.text("user", of: third) } == #"{"name":"Ann"}"#)
        #expect(try after.read { try $0.settings.value(of: Setting<String>("inbox", of: third)) } == "7")
        #expect(
            try after.read { try $0.settings.value(of: Setting<Bool>("knows-up-to", of: twelfth)) } == true)
        #expect(
            try after.read { try $0.settings.text("last-speaker", of: twelfth) }
                == #"{"adminID":"a/1","isPerson":true}"#)
        #expect(try after.read { try $0.settings.text("pause") } == #"{"until":1}"#)
        #expect(try after.read { try $0.count("SELECT COUNT(*) FROM setting") } == 2)
    }

    @Test func `Messages indexed by an earlier version are found in every script`()
        throws
    {
        let directory = try TemporaryDirectory()
        let before = try Store.open(directory: directory.path).store
        try before.write { transaction in
            let account = try transaction.makeAccount("default")
            try transaction.conversations.save(
                ConversationRecord(account: account, conversation: Conversation(id: "c1")))
            for number in 1...1000 {
                try transaction.messages.insert(
                    .reply("m\(number)", "n\(number) 東京の道とStraße", at: Int64(number)), account: account,
                    stage: .shown, pending: false, at: .at(1))
            }
        }
        before.close()
        try DatabaseQueue(path: before.path).inDatabase {
            try $0.execute(sql: FormerSchema.beforeSearchTokens)
        }

        let opening = try Store.open(directory: directory.path)
        let store = opening.store
        #expect(opening.setAside == nil)
        let query = try #require(SearchQuery("strasse 京の"))
        #expect(try store.isIndexing())
        #expect(try store.search(query, limit: 1).map(\.message.id) == ["m1000"])
        #expect(try store.search(query, limit: 2000).count < 1000)
        while try store.indexHistory(rows: 100) > 0 {}
        #expect(try !store.isIndexing())
        #expect(try store.search(query, limit: 2000).count == 1000)
        while try store.prune(.init(before: .at(500), eventsBefore: .at(0), now: .at(5000))) > 0 {}
        #expect(try store.search(query, limit: 2000).count == 501)
        #expect(try store.quickCheck() == nil)
    }
}
