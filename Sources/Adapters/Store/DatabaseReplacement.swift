internal import CutieAPI
import FoundationEssentials

/// A new database that replaces an unusable one. The new file is complete, including the outbox, before the
/// old one is moved. Its name marks it as complete, so that the next open can continue after a kill without
/// copying anything twice.
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

    /// Finds the replacement that a kill interrupted; `nil` if no complete new database exists.
    init?(interruptedIn files: StateFiles) throws {
        guard let replacementPath = try files.relatedFiles().first(where: { $0.hasSuffix(Self.ending) })
        else {
            return nil
        }
        self.files = files
        path = String(replacementPath.dropLast(Self.ending.count))
    }

    /// Creates the new database.
    ///
    /// - Returns: a sentence about the outbox of the old database.
    func build(_ limits: StoreLimits) throws -> String {
        let draft = files.database + ".draft"
        // Remove the draft of an open that was killed at this point.
        try files.remove(draft)
        try files.prepare(draft)
        let store = try MessageStore(at: draft, limits)
        let sentence = try UnsentItems(in: files.database).move(to: store, from: path)
        // The write-ahead log must be empty, because only the database file itself is moved.
        try store.wipe()
        store.close()
        try FileManager.default.moveItem(atPath: draft, toPath: replacementPath)
        return sentence
    }

    /// Renames the old database and moves the new one to its place.
    func finish() throws {
        try files.setAside(to: path)
        try FileManager.default.moveItem(atPath: replacementPath, toPath: files.database)
    }

    /// The description of the replaced database, for the open that finishes an interrupted replacement.
    var setAside: SetAside {
        let former = "the database could not be used and is kept as \(path)"
        return SetAside(path: path, reason: former + "; a new one was created by an interrupted start")
    }
}

/// The readable part of a replaced database's outbox, which holds the only copy of the user's unsent
/// messages.
struct UnsentItems {
    /// Limits, because reading a damaged file may never end.
    private static let (maxItems, maxBytes) = (1000, 16 << 20)

    private var accounts: [AccountID: AccountRecord] = [:]
    private var items: [OutboxRecord] = []
    private var bytes = 0
    /// Whether the outbox was read completely.
    private var isComplete = true

    /// Reads the outbox without changing the file at `path`.
    init(in path: String) {
        // A read-only connection creates these files and cannot remove them.
        let companions = ["-wal", "-shm"].map { path + $0 }.filter {
            !FileManager.default.fileExists(atPath: $0)
        }
        defer { for file in companions { try? FileManager.default.removeItem(atPath: file) } }
        do {
            let connection = try DatabaseConnection(path: path, .reading)
            defer { connection.close() }
            try connection.exclusively {
                // writable_schema: without it, SQLite rejects a truncated file.
                try connection.execute(
                    "PRAGMA writable_schema = ON; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0")
                try read(Transaction(connection: connection))
            }
        } catch {
            // The items read before the error are used.
            isComplete = false
        }
    }

    /// Reads tables without indexes, because an index may be damaged. An unreadable item does not affect
    /// other items.
    private mutating func read(_ transaction: Transaction) throws {
        for account in try transaction.accounts.allVersions() { accounts[account.id] = account }
        var places: [Int64] = []
        let all = "SELECT place FROM outbox NOT INDEXED ORDER BY place LIMIT \(Self.maxItems + 1)"
        defer { isComplete = isComplete && items.count == places.count }
        do { _ = try transaction.all(all) { places.append($0.int64()) } } catch { isComplete = false }
        let one = "SELECT \(OutboxRecord.columns) FROM outbox AS o WHERE place = ?"
        for place in places.prefix(Self.maxItems) where bytes <= Self.maxBytes {
            guard let item = try? transaction.first(one, [place.stored], OutboxRecord.init(_:)), isValid(item)
            else {
                continue
            }
            bytes += item.payload.utf8.count
            items.append(item)
        }
    }

    /// Returns whether the item is valid. Damaged data must not become the id of this device or a request
    /// header.
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

    /// Adds the items to the new database in their order. If items may be missing, the setting `unreadOutbox`
    /// stores `path`, so that the user can be informed.
    ///
    /// - Returns: a sentence about the outbox.
    /// - Throws: if the database cannot be written, for example because the disk is full.
    func move(to store: MessageStore, from path: String) throws -> String {
        do {
            try store.write { transaction in
                for item in items { try transaction.outbox.append(moved(item, transaction)) }
                if !isComplete { try transaction.settings.setText(MessageStore.unreadOutbox, to: path) }
            }
        } catch let error as StoreError where error.code == .failed {
            try store.write { try $0.settings.setText(MessageStore.unreadOutbox, to: path) }
            return "; its unsent messages could not be copied (\(error))"
        }
        let taken = items.isEmpty ? "" : "; its unsent messages were copied (\(items.count))"
        return taken + (isComplete ? "" : "; other unsent messages may not be readable")
    }

    /// Returns the item for the new database. The item may have been sent after this row was written, so it
    /// is marked as ambiguous and keeps its idempotency key.
    private func moved(_ item: OutboxRecord, _ transaction: Transaction) throws -> OutboxRecord {
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
