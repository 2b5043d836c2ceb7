import CutieAPI
import Foundation
import NotificationPolicy
import TestSupport
import Testing
import TextSearch

@_spi(EventLog) @_spi(Notifications) @testable import Store

/// A database of an earlier version, with the tables in `Schemas/VERSION.sql`. Plain SQL inserts the rows, so
/// that the tests do not depend on the current schema.
struct FormerDatabase {
    private let directory: String
    private let database: ForeignConnection
    static let versions = [
        "5-summary", "8-sent", "11-ledger-reasons", "13-account-settings", "15-group-store",
        "16-search-tokens", "18-fresh-documents",
    ]
    /// The row ID of the only account in the database.
    static let account = AccountID(rawValue: 1)

    /// Creates a database of the given version with one account.
    init(_ version: String, in directory: String) throws {
        self.directory = directory
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        database = try ForeignConnection(path: directory + "/cutied.db")
        let schema = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "Schemas/\(version).sql")
        try execute("PRAGMA auto_vacuum = INCREMENTAL; \(String(contentsOf: schema, encoding: .utf8))")
        try insertAccount("default")
    }

    func execute(_ sql: String) throws { try database.execute(sql) }

    func execute(_ sql: String, _ values: [(any SQLValue)?]) throws { try database.execute(sql, values) }

    func insertAccount(_ name: String) throws {
        let kind = try has("kind", in: "account") ? ", kind" : ""
        try execute(
            """
            INSERT INTO account (name, app_id, api_url, device_id\(kind))
            VALUES (?, 'app_x', 'https://api.example', 'device_' || ?\(kind.isEmpty ? "" : ", 'device'"))
            """, [name, name])
    }

    func insertConversation(_ id: String, updatedAt: Int64? = nil) throws {
        try execute(
            """
            INSERT INTO conversation (account, id, status, unread, since_clear, polled, updated_at,
            newest_sequence, sort_at) VALUES (1, ?, 'open', 0, 0, 0, ?, 0, ?)
            """, [id, updatedAt, updatedAt ?? 0])
    }

    /// Inserts a message and its first ledger step.
    func insert(_ message: Message, stage: LedgerStage, pending: Bool = false, detail: String? = nil) throws {
        try execute(
            """
            INSERT INTO log (account, type, at, conversation, message)
            VALUES (1, 'message.created', 1, ?1, ?2)
            """, [message.conversation.rawValue, message.id.rawValue])
        try execute(
            """
            INSERT INTO message (account, id, conversation, created_at, sequence, stage, pending, sender_type,
            type, text) VALUES (1, ?, ?, ?, (SELECT MAX(sequence) FROM log), ?, ?, ?, 'text', ?)
            """,
            [
                message.id.rawValue, message.conversation.rawValue, message.createdAt.milliseconds,
                stage.code,
                pending, message.senderType.rawValue, message.text,
            ])
        try insertStep(stage, detail)
        let conversation = try has("conversation", in: "seen_message") ? ", conversation" : ""
        try execute(
            """
            INSERT INTO seen_message (row, message, account\(conversation))
            SELECT row, id, account\(conversation) FROM message ORDER BY row DESC LIMIT 1
            """)
    }

    /// Adds a ledger step to the message that was inserted last.
    func insertStep(_ stage: LedgerStage, _ detail: String?) throws {
        try execute(
            """
            INSERT INTO ledger (message, step, at, stage, detail) SELECT MAX(row),
            (SELECT COUNT(*) + 1 FROM ledger WHERE message = (SELECT MAX(row) FROM message)), 1, ?, ?
            FROM message
            """, [stage.code, detail])
    }

    private func has(_ column: String, in table: String) throws -> Bool {
        try database.integer("SELECT 1 FROM pragma_table_info(?) WHERE name = ?", [table, column]) != nil
    }

    func insertOutboxItem(_ id: String) throws {
        try execute(
            """
            INSERT INTO outbox (id, account, kind, payload, idempotency_key, state, attempts, ambiguous,
            created_at) VALUES (?1, 1, 'message', '{}', ?1, 'waiting', 0, 0, 1)
            """, [id])
    }

    func close() { database.close() }

    /// Closes the database and opens it with the current version, which migrates it.
    func migrated() throws -> MessageStore {
        close()
        let opening = try MessageStore.open(directory: directory)
        #expect(opening.setAside == nil)
        #expect(try opening.store.quickCheck() == nil)
        return opening.store
    }
}

struct MigrationTests {
    private let directory: TemporaryDirectory
    private let account = FormerDatabase.account

    init() throws { directory = try TemporaryDirectory() }

    /// A migration must never change after its release, because it has already run on existing databases.
    @Test(arguments: FormerDatabase.versions)
    func `A migrated database has the same schema as a new database`(version: String) throws {
        func tables(of store: MessageStore) throws -> [String] {
            try store.read {
                try $0.fetchAll("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY sql") {
                    $0.readText()
                }
            }
            .map { $0.split { $0.isWhitespace }.joined(separator: " ") }
        }
        let new = try StoreFixture()
        let former = try FormerDatabase(version, in: directory.path)
        try former.insertConversation("c1")
        for stage in LedgerStage.allCases { try former.insert(.reply(stage.rawValue), stage: stage) }
        let store = try former.migrated()
        #expect(try tables(of: store) == tables(of: new.store))
        try store.read { transaction throws in
            #expect(
                try transaction.messages.fetchNewest(in: "c1", account: account).count
                    == LedgerStage.allCases.count)
            for stage in LedgerStage.allCases {
                let steps = try transaction.ledger.fetchSteps(
                    of: Message.ID(stage.rawValue), in: "c1", account: account)
                #expect(steps.map(\.stage) == [stage])
            }
        }
    }

    @Test
    func `Messages from an earlier version keep their ledger, and the IDs of pruned messages stay known`()
        throws
    {
        let former = try FormerDatabase("5-summary", in: directory.path)
        for thread in ["c1", "c2"] { try former.insertConversation(thread) }
        for (id, thread) in [("old", "c1"), ("m1", "c1"), ("m2", "c2")] {
            try former.insert(.reply(id, in: .init(thread)), stage: .shown, detail: "of \(id)")
        }
        try former.execute("INSERT INTO message_text (rowid, text) SELECT row, text FROM message")
        try former.execute("DELETE FROM message WHERE id = 'old'")

        try former.migrated().write { transaction throws in
            let gone = try transaction.messages.find("old")
            #expect(gone.isEmpty)
            #expect(try transaction.messages.find("m1").map(\.message.conversation) == ["c1"])
            #expect(
                try transaction.ledger.fetchSteps(of: "m2", in: "c2", account: account).map(\.detail) == [
                    "of m2"
                ])
            #expect(try transaction.ledger.fetchSteps(of: "m2", in: "c1", account: account).isEmpty)
            // The conversation of a pruned message is not stored, so the ID counts as known in every
            // conversation.
            #expect(try transaction.messages.wasEverStored("old", in: "c1", account: account))
            #expect(try transaction.messages.wasEverStored("old", in: "c9", account: account))
            #expect(try !transaction.messages.wasEverStored("m1", in: "c2", account: account))
            #expect(
                try transaction.messages.insert(
                    .reply("m1", in: "c2"), account: account, stage: .stored, pending: true, at: .at(2)))
            #expect(try transaction.unfetched.fetchAll(of: account).isEmpty)
        }
    }

    @Test func `Accounts from an earlier version become device accounts and keep their data`() throws {
        let former = try FormerDatabase("8-sent", in: directory.path)
        for name in ["gone", "other"] { try former.insertAccount(name) }
        try former.execute(
            """
            UPDATE account SET cursor = 'evt_9', last_event_at = 7, unread = 3, synced_at = 5 WHERE id = 1;
            DELETE FROM account WHERE name = 'gone';
            """)
        try former.migrated().write { transaction throws in
            let accounts = try transaction.accounts.fetchAll()
            #expect(accounts.map(\.id.rawValue) == [1, 3])
            #expect(accounts.map(\.kind) == [.device, .device])
            #expect(accounts.map(\.deviceID) == ["device_default", "device_other"])
            #expect(accounts.map(\.cursor) == ["evt_9", nil] && accounts.map(\.unread) == [3, nil])
            #expect(
                accounts.map(\.lastEventAt) == [.at(7), nil] && accounts.map(\.syncedAt) == [.at(5), nil])
            // The account must still be found by its name, app and address.
            #expect(try transaction.makeAccount("default") == account)
        }
    }

    @Test func `After a migration, the conversation list is sorted by the newest messages`() throws {
        let former = try FormerDatabase("16-search-tokens", in: directory.path)
        for (id, message, updated) in [("read-today", 10, 900), ("answered", 20, 30), ("empty", nil, 15)] {
            try former.insertConversation(id, updatedAt: Int64(updated))
            guard let message else { continue }
            // The message that was stored last counts as the newest, regardless of its date.
            for time in [message + 5, message] {
                try former.insert(
                    .reply("\(id)-\(time)", in: .init(id), at: Int64(time)), stage: .shown)
            }
        }
        let records = try former.migrated().read { try $0.conversations.fetchAll(account: account) }
        #expect(records.map(\.conversation.id) == ["answered", "empty", "read-today"])
        #expect(records.map(\.lastMessageAt) == [.at(20), nil, .at(10)])
    }

    @Test func `After a migration, each conversation has the sender of its newest message`() throws {
        let former = try FormerDatabase("18-fresh-documents", in: directory.path)
        let senders: [(String, [SenderType])] = [
            ("answered", [.user, .admin, .system]), ("asked", [.admin, .user]), ("empty", [.system]),
        ]
        for (id, senders) in senders {
            try former.insertConversation(id, updatedAt: 1)
            for (place, sender) in senders.enumerated() {
                var message = Message.reply("\(id)-\(place)", in: .init(id), at: Int64(place))
                message.senderType = sender
                try former.insert(message, stage: .shown)
            }
        }
        let records = try former.migrated().read { try $0.conversations.fetchAll(account: account) }
        let found = Dictionary(uniqueKeysWithValues: records.map { ($0.conversation.id, $0.lastSender) })
        #expect(found == ["answered": .admin, "asked": .user, "empty": nil])
    }

    @Test func `After the migration, the database file does not contain the deleted token`() throws {
        let former = try FormerDatabase("8-sent", in: directory.path)
        let token = "a-token-of-a-former-version"
        try former.execute("UPDATE account SET device_token = ?", [token])
        let store = try former.migrated()
        #expect(try store.read { try $0.accounts.find(account)?.legacyToken } == token)
        try store.write { try $0.accounts.deleteLegacyToken(of: account) }
        try store.wipeFreedPages()
        for file in [store.path, store.path + "-wal"] {
            #expect(try !Data(contentsOf: URL(filePath: file)).contains(Array(token.utf8)))
        }
    }

    @Test
    func `The migration marks the user's messages as the user's own, and all other messages as replies`()
        throws
    {
        let former = try FormerDatabase("8-sent", in: directory.path)
        for (id, sender) in [("a", SenderType.admin), ("b", .user), ("c", .system), ("d", .user)] {
            try former.insert(.reply(id, from: sender), stage: .shown)
        }
        try former.migrated().write { transaction throws in
            let records = try transaction.messages.fetchNewest(in: "c1", account: account)
            #expect(records.map(\.message.id) == ["a", "b", "c", "d"])
            #expect(records.map(\.isOwn) == [false, true, false, true])
            #expect(records.allSatisfy { !$0.isNote })
            #expect(
                try transaction.replies.fetchReplies(
                    in: "c1", account: account, amongNewest: 9, stage: .shown) == [
                        "c", "a",
                    ])
            try transaction.messages.insert(
                .reply("e"), account: account, stage: .stored, pending: true, at: .at(2))
            #expect(try transaction.replies.findNewest(in: "c1", account: account) == "e")
        }
    }

    @Test func `The migration moves reasons in the ledger from the details to a separate column`() throws {
        let former = try FormerDatabase("8-sent", in: directory.path)
        try former.insert(.reply("m"), stage: .received)
        for detail in [
            "by stream", "answered to us", "not shown: rule 1", "summary, pop-up 7", "pop-up 8",
            "in summary, late", "NOT SHOWN: loud", "answered to us too",
        ] { try former.insertStep(.held, detail) }
        let steps = try former.migrated().read {
            try $0.ledger.fetchSteps(of: "m", in: "c1", account: account)
        }
        #expect(steps.map(\.reason) == [nil, nil, .answered, .notShown, .summary, nil, nil, nil, nil])
        #expect(
            steps.map(\.detail) == [
                nil, "by stream", nil, "rule 1", "pop-up 7", "pop-up 8", "in summary, late",
                "NOT SHOWN: loud",
                "answered to us too",
            ])
    }

    @Test func `Notifications that were open before an upgrade are known after the upgrade`() throws {
        let former = try FormerDatabase("11-ledger-reasons", in: directory.path)
        try former.execute(
            """
            INSERT INTO question (kind, by_popup, asked_at, answer, answered_at, notification, session) VALUES
                ('consent', 1, 1, NULL, NULL, 21, 's'), ('app', 1, 2, 'refuse', 3, 22, 's');
            INSERT INTO setting VALUES ('disconnection-notice', '4294967295 boot unix:path=/a b dunst');
            INSERT INTO popup VALUES (1, 'c', 5, 's', 3, 7, 9, 10), (NULL, NULL, 6, 's', 4, 8, 11, 12);
            """)
        let after = try former.migrated()
        #expect(
            try after.read { try $0.notifications.fetchAll() } == [
                NotificationRecord(
                    owner: .outage, notification: .max, session: "boot unix:path=/a b dunst",
                    shownAt: .at(0)),
                NotificationRecord(owner: .question(1), notification: 21, session: "s", shownAt: .at(1)),
                NotificationRecord(
                    owner: .reply(account, "c"), notification: 5, session: "s", count: 3, lastSequence: 9,
                    shownAt: Timestamp(milliseconds: 10)),
                NotificationRecord(
                    owner: .summary, notification: 6, session: "s", count: 4, lastSequence: 11,
                    shownAt: Timestamp(milliseconds: 12)),
            ])
        #expect(try after.read { try $0.settings.fetchText(ofSetting: "disconnection-notice") } == nil)
        #expect(try after.read { try $0.questions.fetchOpen() }.map(\.kind) == ["consent"])
    }

    @Test func `The migration moves account settings out of the global settings`()
        throws
    {
        let former = try FormerDatabase("13-account-settings", in: directory.path)
        for (key, text) in [
            ("user/3", #"{"name":"Ann"}"#), ("inbox/3", "7"), ("knows-up-to/12", "yes"),
            ("last-speaker/12", #"{"adminID":"a/1","isPerson":true}"#), ("pause", #"{"until":1}"#),
            ("unread-outbox", "/a/1"),
        ] { try former.execute("INSERT INTO setting VALUES (?, ?)", [key, text]) }
        let after = try former.migrated()
        let (third, twelfth) = (AccountID(rawValue: 3), AccountID(rawValue: 12))
        #expect(
            try after.read { try $0.settings.fetchText(ofSetting: "user", account: third) }
                == #"{"name":"Ann"}"#)
        #expect(
            try after.read { try $0.settings.fetchValue(of: StoredSetting<String>("inbox", of: third)) }
                == "7")
        #expect(
            try after.read { try $0.settings.fetchValue(of: StoredSetting<Bool>("knows-up-to", of: twelfth)) }
                == true)
        #expect(
            try after.read { try $0.settings.fetchText(ofSetting: "last-speaker", account: twelfth) }
                == #"{"adminID":"a/1","isPerson":true}"#)
        #expect(try after.read { try $0.settings.fetchText(ofSetting: "pause") } == #"{"until":1}"#)
        #expect(try after.read { try $0.fetchCount("SELECT COUNT(*) FROM setting") } == 2)
    }

    @Test func `Messages that an earlier version indexed are indexed again, starting with the newest`()
        async throws
    {
        let former = try FormerDatabase("15-group-store", in: directory.path)
        try former.insertConversation("c1")
        for number in 1...1000 {
            try former.insert(
                .reply("m\(number)", "n\(number) 東京の道とStraße", at: Int64(number)), stage: .shown)
        }
        try former.execute("INSERT INTO message_text (rowid, text) SELECT row, text FROM message")
        let store = try former.migrated()
        let query = try #require(SearchQuery("strasse 京の"))
        #expect(try store.fetchIndexedPercentage() == 0)
        #expect(try await store.search(query, limit: 1).map(\.message.id) == ["m1000"])
        #expect(try await store.search(query, limit: 2000).count < 1000)
        var progress: [Int?] = []
        while try await store.indexHistorySlice(rowLimit: 100) {
            progress.append(try store.fetchIndexedPercentage())
        }
        #expect(progress == [35, 45, 55, 65, 75, 85, 95, nil])
        #expect(try await store.search(query, limit: 2000).count == 1000)
        while try await store.prune(olderThan: .init(before: .at(500), eventsBefore: .at(0), now: .at(5000)))
            > 0
        {}
        #expect(try await store.search(query, limit: 2000).count == 501)
        #expect(try store.quickCheck() == nil)
    }
}
