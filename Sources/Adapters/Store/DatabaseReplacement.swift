internal import CutieAPI
import FoundationEssentials

/// A new database that replaces an unusable database and contains a copy of its outbox. The new file is
/// completed first, and then both files are renamed. If the process is killed, the next run recognizes a
/// completed file by its name and only repeats the renaming, so no outbox item is copied twice.
struct DatabaseReplacement {
    /// The path to which the old database is renamed.
    let path: String
    private let files: StateFiles
    private var replacementPath: String { path + Self.ending }
    private static let ending = ".fresh"

    init(of files: StateFiles, verdict: UnusableDatabase) {
        self.files = files
        path = files.makeSetAsidePath(for: verdict)
    }

    /// Finds a replacement that was interrupted before the renaming. Returns `nil` if there is no completed
    /// new file.
    init?(interruptedIn files: StateFiles) throws {
        guard let replacementPath = try files.findRelatedFiles().first(where: { $0.hasSuffix(Self.ending) })
        else {
            return nil
        }
        self.files = files
        path = String(replacementPath.dropLast(Self.ending.count))
    }

    /// Creates and completes the new file.
    ///
    /// - Returns: a message about the outbox of the old database.
    func buildReplacement(limits: StoreLimits) throws -> String {
        let draft = files.database + ".draft"
        // Remove an incomplete file from a previous run that was killed.
        try files.removeDatabase(at: draft)
        try files.prepareDatabaseFile(at: draft)
        let store = try MessageStore(at: draft, limits: limits)
        let sentence = try UnsentItems(in: files.database).moveRows(to: store, from: path)
        // Empty the write-ahead log, because only the database file is renamed.
        try store.wipeFreedPages()
        store.close()
        try FileManager.default.moveItem(atPath: draft, toPath: replacementPath)
        return sentence
    }

    /// Renames the old database to `path`, and then the new file to the name of the database.
    func finishReplacement() throws {
        try files.setDatabaseAside(to: path)
        try FileManager.default.moveItem(atPath: replacementPath, toPath: files.database)
    }

    /// The description of the old database, for a run that finishes an interrupted replacement.
    var setAside: SetAsideDatabase {
        let former = "the database could not be used and is kept as \(path)"
        return SetAsideDatabase(
            path: path, reason: former + "; a new one was created by an interrupted start")
    }
}

/// The readable items in the outbox of an unusable database. These items are the only copies of unsent
/// messages.
struct UnsentItems {
    /// The maximum number and total size (in bytes) of the items. The limits prevent endless reading of a
    /// corrupt file.
    private static let (maxItems, maxBytes) = (1000, 16 << 20)

    private var accounts: [AccountID: AccountRecord] = [:]
    private var items: [OutboxRecord] = []
    private var bytes = 0
    /// Whether all items of the outbox could be read.
    private var isComplete = true

    /// Reads the outbox. Does not change the file at `path`.
    init(in path: String) {
        // Remove the -wal and -shm files that a read-only connection creates but cannot remove.
        let companions = ["-wal", "-shm"].map { path + $0 }.filter {
            !FileManager.default.fileExists(atPath: $0)
        }
        defer { for file in companions { try? FileManager.default.removeItem(atPath: file) } }
        do {
            let connection = try DatabaseConnection(path: path, access: .reading)
            defer { connection.close() }
            try connection.withExclusiveAccess {
                // Set writable_schema, because SQLite would otherwise reject a truncated file.
                try connection.execute(
                    "PRAGMA writable_schema = ON; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0")
                try readUnsentRows(in: Transaction(connection: connection))
            }
        } catch {
            // Keep the items that were read before the error.
            isComplete = false
        }
    }

    /// Reads the tables without their indexes, which may be corrupt. Reads each item separately, so that an
    /// unreadable item does not affect other items.
    private mutating func readUnsentRows(in transaction: Transaction) throws {
        for account in try transaction.accounts.fetchAllFromAnySchemaVersion() {
            accounts[account.id] = account
        }
        var places: [Int64] = []
        let all = "SELECT place FROM outbox NOT INDEXED ORDER BY place LIMIT \(Self.maxItems + 1)"
        defer { isComplete = isComplete && items.count == places.count }
        do { _ = try transaction.fetchAll(all) { places.append($0.readInt64()) } } catch {
            isComplete = false
        }
        // Earlier schema versions do not have the column `reason` (the code and arguments of an error).
        let reasonColumn = "SELECT 1 FROM pragma_table_info('outbox') WHERE name = 'reason'"
        let hasReasons = (try? transaction.fetchOne(reasonColumn) { $0.readInt64() }) != nil
        func fetchItem(at position: Int64, reasonColumn column: String) -> OutboxRecord? {
            let columns = OutboxRecord.columnsOfAnyVersion + ", " + column
            let one = "SELECT \(columns) FROM outbox AS o WHERE place = ?"
            return try? transaction.fetchOne(one, [position.stored], OutboxRecord.init(_:))
        }
        for place in places.prefix(Self.maxItems) where bytes <= Self.maxBytes {
            let complete = hasReasons ? fetchItem(at: place, reasonColumn: "o.reason") : nil
            // If only the reason is unreadable, read the item without the reason.
            guard let item = complete ?? fetchItem(at: place, reasonColumn: "NULL"), isValid(item) else {
                continue
            }
            bytes += item.payload.utf8.count
            items.append(item)
        }
    }

    /// Returns whether the outbox item is valid. Rejects corrupt data, which must not become a device ID or a
    /// request header.
    private func isValid(_ item: OutboxRecord) -> Bool {
        guard let account = accounts[item.account], isValid(account) else { return false }
        return !item.payload.isEmpty && UUID(uuidString: item.id) != nil
            && UUID(uuidString: item.idempotencyKey) != nil && !items.contains { $0.id == item.id }
    }

    private func isValid(_ account: AccountRecord) -> Bool {
        guard account.kind == .device else { return true }
        let device = account.deviceID?.rawValue ?? ""
        return device.hasPrefix("device_") && device.utf8.count <= 256
            && device.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    /// Adds the items to the new database in the same order. If items may be missing, stores `path` in the
    /// setting `unreadOutbox`, so that the daemon can inform the user.
    ///
    /// - Returns: a message about the outbox.
    /// - Throws: an error if the database cannot be written, for example because the disk is full.
    func moveRows(to store: MessageStore, from path: String) throws -> String {
        do {
            try store.write { transaction in
                for item in items {
                    try transaction.outbox.append(makeMovedItem(from: item, in: transaction))
                }
                if !isComplete {
                    try transaction.settings.setText(ofSetting: MessageStore.unreadOutbox, to: path)
                }
            }
        } catch let error as StoreError where error.code == .failed {
            try store.write { try $0.settings.setText(ofSetting: MessageStore.unreadOutbox, to: path) }
            return "; its unsent messages could not be copied (\(error))"
        }
        let taken = items.isEmpty ? "" : "; its unsent messages were copied (\(items.count))"
        return taken + (isComplete ? "" : "; other unsent messages may not be readable")
    }

    /// Returns a copy of the item for the new database. Keeps the idempotency key and marks the item as
    /// ambiguous, because the item may have been sent after the stored row was last updated.
    private func makeMovedItem(from item: OutboxRecord, in transaction: Transaction) throws -> OutboxRecord {
        guard let former = accounts[item.account] else { return item }
        let account = try transaction.accounts.findOrCreate(
            name: former.name, appID: former.appID, apiURL: former.apiURL, kind: former.kind
        ) {
            former.deviceID
        }
        return OutboxRecord(
            id: item.id, account: account.id, conversation: item.conversation, kind: item.kind,
            payload: item.payload, idempotencyKey: item.idempotencyKey,
            state: item.state == .failed ? .failed : .waiting, attempts: item.attempts, isAmbiguous: true,
            readBound: item.readBound, error: item.error, isReported: item.isReported,
            createdAt: item.createdAt)
    }
}

extension MessageStore {
    /// The name of the setting that contains the path of a renamed database whose outbox could not be read
    /// completely.
    public static let unreadOutbox = "unread-outbox"
}
