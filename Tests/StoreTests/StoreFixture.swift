import CutieAPI
import TestSupport

@_spi(EventLog) @testable import Store

/// A new store in a temporary directory, with one account.
final class StoreFixture {
    let directory: TemporaryDirectory
    let store: MessageStore
    let account: AccountID

    init() throws {
        directory = try TemporaryDirectory()
        store = try MessageStore.open(directory: directory.path).store
        account = try store.write { try $0.makeAccount("default") }
    }

    deinit { store.close() }

    /// Returns a second connection, which simulates another program.
    func openForeignConnection() throws -> ForeignConnection { try ForeignConnection(path: store.path) }
}

extension MessageStore {
    /// Returns the first problem that `PRAGMA quick_check` reports; `nil` if it reports none.
    func quickCheck() throws -> String? {
        try write {
            try DatabaseSchema.findDamage(on: $0.connection)
                ?? DatabaseSchema.findIndexDamage(on: $0.connection)
        }
    }
}

extension Transaction {
    func makeAccount(_ name: String) throws -> AccountID {
        try accounts.findOrCreate(name: name, appID: "app_x", apiURL: "https://api.example") {
            DeviceID("device_\(name)")
        }
        .id
    }
}

extension MessageTable {
    /// Inserts a message in the same way as the log writer does for a device account.
    @discardableResult
    func insert(
        _ message: Message, account: AccountID, stage: LedgerStage, detail: String? = nil,
        pending: Bool, at time: Timestamp
    ) throws -> Bool {
        try insert(
            message, account: account, isOwn: message.senderType == .user,
            isNote: message.isInternalNote, stage: stage, detail: detail, isPending: pending, at: time) != nil
    }
}

extension Message {
    static func reply(
        _ id: String, in conversation: Conversation.ID = "c1", _ text: String = "Hello there",
        from sender: SenderType = .admin, at milliseconds: Int64 = 1000
    ) -> Message {
        Message(
            id: Message.ID(id), conversation: conversation, senderType: sender, text: text,
            createdAt: Timestamp(milliseconds: milliseconds))
    }
}

extension Timestamp {
    static func at(_ milliseconds: Int64) -> Timestamp { Timestamp(milliseconds: milliseconds) }
}
