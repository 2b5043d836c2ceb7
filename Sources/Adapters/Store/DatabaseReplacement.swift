internal import CutieAPI
import FoundationEssentials

/// A new database that replaces an unusable one. The new file is complete, including the outbox, before the
/// old file is renamed. The name of the new file marks it as complete, so that, if the process is killed, the
/// next run can finish the replacement without copying an item twice.
struct DatabaseReplacement {
    /// The new path of the old database.
    let path: String
    private let files: StateFiles
    private var replacementPath: String { path + Self.ending }
    private static let ending = ".fresh"

    init(of files: StateFiles, _ verdict: UnusableDatabase) {
        self.files = files
        path = files.setAsidePath(for: verdict)
    }

    /// Finds an interrupted replacement; `nil` if there is no complete new database.
    init?(interruptedIn files: StateFiles) throws {
        guard let replacementPath = try files.findRelatedFiles().first(where: { $0.hasSuffix(Self.ending) })
        else {
            return nil
        }
        self.files = files
        path = String(replacementPath.dropLast(Self.ending.count))
    }

    /// Creates the new database.
    ///
    /// - Returns: a message about the outbox of the old database.
    func buildReplacement(_ limits: StoreLimits) throws -> String {
        let draft = files.database + ".draft"
        // Remove the draft of a previous run that was killed before it renamed the draft.
        try files.removeFile(draft)
        try files.prepareFile(draft)
        let store = try MessageStore(at: draft, limits)
        let sentence = try UnsentItems(in: files.database).moveRows(to: store, from: path)
        // The write-ahead log must be empty, because only the database file is renamed.
        try store.wipeFreedPages()
        store.close()
        try FileManager.default.moveItem(atPath: draft, toPath: replacementPath)
        return sentence
    }

    /// Renames the old database to `path`, and the new database to the name of the old one.
    func finishReplacement() throws {
        try files.setAside(to: path)
        try FileManager.default.moveItem(atPath: replacementPath, toPath: files.database)
    }

    /// Describes the replaced database; used when a run finishes an interrupted replacement.
    var setAside: SetAside {
        let former = "the database could not be used and is kept as \(path)"
        return SetAside(path: path, reason: former + "; a new one was created by an interrupted start")
    }
}

/// The readable part of a replaced database's outbox, which contains the only copy of unsent messages.
struct UnsentItems {
    /// Limits, because reading a corrupt file may never end.
    private static let (maxItems, maxBytes) = (1000, 16 << 20)

    private var accounts: [AccountID: AccountRecord] = [:]
    private var items: [OutboxRecord] = []
    private var bytes = 0
    /// Whether the entire outbox could be read.
    private var isComplete = true

    /// Reads the outbox. Does not change the file at `path`.
    init(in path: String) {
        // A read-only connection creates the -wal and -shm files but cannot remove them.
        let companions = ["-wal", "-shm"].map { path + $0 }.filter {
            !FileManager.default.fileExists(atPath: $0)
        }
        defer { for file in companions { try? FileManager.default.removeItem(atPath: file) } }
        do {
            let connection = try DatabaseConnection(path: path, .reading)
            defer { connection.close() }
            try connection.withExclusiveAccess {
                // Without writable_schema, SQLite rejects a truncated file.
                try connection.execute(
                    "PRAGMA writable_schema = ON; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0")
                try readKeptRows(Transaction(connection: connection))
            }
        } catch {
            // Keep the items that were read before the error.
            isComplete = false
        }
    }

    /// Reads tables without indexes, because an index may be corrupt. An unreadable item does not affect
    /// other items.
    private mutating func readKeptRows(_ transaction: Transaction) throws {
        for account in try transaction.accounts.fetchAllVersions() { accounts[account.id] = account }
        var places: [Int64] = []
        let all = "SELECT place FROM outbox NOT INDEXED ORDER BY place LIMIT \(Self.maxItems + 1)"
        defer { isComplete = isComplete && items.count == places.count }
        do { _ = try transaction.fetchAll(all) { places.append($0.readInt64()) } } catch {
            isComplete = false
        }
        // Older versions have no column for the code and the arguments of the error.
        let reasonColumn = "SELECT 1 FROM pragma_table_info('outbox') WHERE name = 'reason'"
        let hasReasons = (try? transaction.fetchOne(reasonColumn) { $0.readInt64() }) != nil
        func fetchItem(at place: Int64, _ reason: String) -> OutboxRecord? {
            let columns = OutboxRecord.columnsOfAnyVersion + ", " + reason
            let one = "SELECT \(columns) FROM outbox AS o WHERE place = ?"
            return try? transaction.fetchOne(one, [place.stored], OutboxRecord.init(_:))
        }
        for place in places.prefix(Self.maxItems) where bytes <= Self.maxBytes {
            let complete = hasReasons ? fetchItem(at: place, "o.reason") : nil
            // An item whose reason is unreadable is kept without its reason.
            guard let item = complete ?? fetchItem(at: place, "NULL"), isValid(item) else { continue }
            bytes += item.payload.utf8.count
            items.append(item)
        }
    }

    /// Returns whether the item is valid. Corrupt data must not become the device ID or a request header.
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

    /// Adds the items to the new database in their order. If items may be missing, stores `path` in the
    /// setting `unreadOutbox`, so that the user can be informed.
    ///
    /// - Returns: a message about the outbox.
    /// - Throws: an error if the database cannot be written, for example because the disk is full.
    func moveRows(to store: MessageStore, from path: String) throws -> String {
        do {
            try store.write { transaction in
                for item in items { try transaction.outbox.append(movedItem(item, transaction)) }
                if !isComplete { try transaction.settings.setText(MessageStore.unreadOutbox, to: path) }
            }
        } catch let error as StoreError where error.code == .failed {
            try store.write { try $0.settings.setText(MessageStore.unreadOutbox, to: path) }
            return "; its unsent messages could not be copied (\(error))"
        }
        let taken = items.isEmpty ? "" : "; its unsent messages were copied (\(items.count))"
        return taken + (isComplete ? "" : "; other unsent messages may not be readable")
    }

    /// Returns the item for the new database. The item is marked as ambiguous and keeps its idempotency key,
    /// because it may have been sent after the row was written.
    private func movedItem(_ item: OutboxRecord, _ transaction: Transaction) throws -> OutboxRecord {
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
    /// The setting with the path of a renamed database whose outbox could not be read completely.
    public static let unreadOutbox = "unread-outbox"
}
