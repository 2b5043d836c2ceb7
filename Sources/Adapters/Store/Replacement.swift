internal import CutieAPI
import FoundationEssentials

/// A fresh database for one that cannot be used. It is whole, with what waited to be sent, before the former one
/// is touched, and its name then tells so: after a kill the next open goes on, and takes nothing twice.
struct Replacement {
    /// The place for the former one.
    let path: String
    private let files: StateFiles
    private var fresh: String { path + Self.ending }
    private static let ending = ".fresh"

    init(of files: StateFiles, _ verdict: Unusable) {
        self.files = files
        path = files.place(for: verdict)
    }

    /// The one that a kill interrupted, where its fresh database is whole.
    init?(interruptedIn files: StateFiles) throws {
        guard let fresh = try files.derived().first(where: { $0.hasSuffix(Self.ending) }) else { return nil }
        self.files = files
        path = String(fresh.dropLast(Self.ending.count))
    }

    /// Makes the fresh one, and returns what there is to say of what waited in the former one.
    func build(_ limits: StoreLimits) throws -> String {
        let draft = files.database + ".draft"
        // Of an open that was killed here.
        try files.remove(draft)
        try files.prepare(draft)
        let store = try Store(at: draft, limits)
        let sentence = try Leftovers(in: files.database).move(to: store, from: path)
        // What a close could not fold into the file would not go along with it.
        try store.wipe()
        store.close()
        try FileManager.default.moveItem(atPath: draft, toPath: fresh)
        return sentence
    }

    /// Puts the former one aside and the fresh one in its place.
    func finish() throws {
        try files.setAside(to: path)
        try FileManager.default.moveItem(atPath: fresh, toPath: files.database)
    }

    /// What the open that finishes it for another one has to say.
    var setAside: SetAside {
        let former = "the database could not be used and is kept as \(path)"
        return SetAside(path: path, reason: former + "; a fresh one was begun by a start that was cut short")
    }
}

/// The outbox of a database that was set aside, as far as it can be read: the person's words are nowhere else.
struct Leftovers {
    /// A damaged file need not come to an end.
    private static let (mostItems, mostBytes) = (1000, 16 << 20)

    private var accounts: [AccountID: AccountRecord] = [:]
    private var items: [OutboxRecord] = []
    private var bytes = 0
    /// There was no more than this.
    private var isWhole = true

    /// Leaves the file at `path` as it is.
    init(in path: String) {
        // A reader makes them and, as it may not write, leaves them.
        let companions = ["-wal", "-shm"].map { path + $0 }.filter {
            !FileManager.default.fileExists(atPath: $0)
        }
        defer { for file in companions { try? FileManager.default.removeItem(atPath: file) } }
        do {
            let connection = try Connection(path: path, .reading)
            defer { connection.close() }
            try connection.exclusively {
                // writable_schema: else SQLite does not touch a file that lacks its end.
                try connection.execute(
                    "PRAGMA writable_schema = ON; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0")
                try read(Transaction(connection: connection))
            }
        } catch {
            // What stands before the damage is taken all the same.
            isWhole = false
        }
    }

    /// By the tables alone: an index may be what is damaged. An item that cannot be read costs no other one.
    private mutating func read(_ transaction: Transaction) throws {
        for account in try transaction.accounts.ofAnyVersion() { accounts[account.id] = account }
        var places: [Int64] = []
        let all = "SELECT place FROM outbox NOT INDEXED ORDER BY place LIMIT \(Self.mostItems + 1)"
        defer { isWhole = isWhole && items.count == places.count }
        do { _ = try transaction.all(all) { places.append($0.int64()) } } catch { isWhole = false }
        let one = "SELECT \(OutboxRecord.columns) FROM outbox AS o WHERE place = ?"
        for place in places.prefix(Self.mostItems) where bytes <= Self.mostBytes {
            guard let item = try? transaction.first(one, [place.stored], OutboxRecord.init(_:)), isSound(item)
            else {
                continue
            }
            bytes += item.payload.utf8.count
            items.append(item)
        }
    }

    /// Rubbish must not become the name of this device, or a header of a request.
    private func isSound(_ item: OutboxRecord) -> Bool {
        guard let account = accounts[item.account], isSound(account) else { return false }
        return !item.payload.isEmpty && UUID(uuidString: item.id) != nil
            && UUID(uuidString: item.idempotencyKey) != nil && !items.contains { $0.id == item.id }
    }

    private func isSound(_ account: AccountRecord) -> Bool {
        guard account.kind == .device else { return true }
        let device = account.deviceID?.rawValue ?? ""
        return device.hasPrefix("device_") && device.utf8.count <= 256
            && device.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    /// Puts them into the fresh database, in their order; returns what there is to say of it. Where not all of
    /// it is there, the person is to be told of the file at `path`. Throws where the disk does not let it.
    func move(to store: Store, from path: String) throws -> String {
        do {
            try store.write { transaction in
                for item in items { try transaction.outbox.append(moved(item, transaction)) }
                if !isWhole { try transaction.settings.setText(Store.unreadOutbox, to: path) }
            }
        } catch let error as StoreError where error.code == .failed {
            try store.write { try $0.settings.setText(Store.unreadOutbox, to: path) }
            return "; what waited in it to be sent stays there (\(error))"
        }
        let taken = items.isEmpty ? "" : "; what waited in it to be sent was taken along (\(items.count))"
        return taken + (isWhole ? "" : "; what else may have waited in it cannot be read")
    }

    /// It may have been sent since this was written: the API is asked before it goes again, with its old key.
    private func moved(_ item: OutboxRecord, _ transaction: Transaction) throws -> OutboxRecord {
        guard let former = accounts[item.account] else { return item }
        let account = try transaction.accounts.findOrMake(
            name: former.name, appID: former.appID, apiURL: former.apiURL, kind: former.kind
        ) {
            former.deviceID
        }
        return OutboxRecord(
            id: item.id, account: account.id, conversation: item.conversation, kind: item.kind,
            payload: item.payload, idempotencyKey: item.idempotencyKey,
            state: item.state == .failed ? .failed : .waiting, attempts: item.attempts, isAmbiguous: true,
            readBound: item.readBound, error: item.error, isTold: item.isTold, createdAt: item.createdAt)
    }
}

extension Store {
    /// The setting that names a database set aside whose outbox could not be read to its end.
    public static let unreadOutbox = "unread-outbox"
}
