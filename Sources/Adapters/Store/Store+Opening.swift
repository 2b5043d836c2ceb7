internal import CSQLite
internal import GRDB

/// An opened store, and what had to be put out of its way.
public struct Opening: Sendable {
    public let store: Store
    /// The former database, where it could not be used; for the person to know.
    public let setAside: SetAside?
}

/// A database that could not be used, kept under another name.
public struct SetAside: Hashable, Sendable {
    public let path: String
    /// Why, and what became of its outbox, as a sentence.
    public let reason: String
}

extension Store {
    /// Opens `cutied.db` in `directory`, both made where missing (0600 in 0700). A damaged database, or
    /// one that a newer version made, is renamed and a fresh one begun, with what can be read of its outbox.
    public static func open(directory: String) throws(StoreError) -> Opening {
        try open(directory: directory, limits: Limits())
    }

    /// Reads the whole of a database that was found damaged while it was in use, and sets it aside where it is:
    /// an open takes no time to look so closely. To be called when nobody uses it any more.
    public static func examine(directory: String) throws(StoreError) -> SetAside? {
        let opening = try open(directory: directory, limits: Limits(checkedBytes: .max, checksIndex: true))
        opening.store.close()
        return opening.setAside
    }

    static func open(directory: String, limits: Limits) throws(StoreError) -> Opening {
        csqlite_count_no_memory()
        let files = StateFiles(directory: directory)
        do {
            try files.prepare()
            let interrupted = try Replacement(interruptedIn: files)
            try interrupted?.finish()
            try files.prepare(files.database)
            do {
                let store = try Store(at: files.database, limits)
                return Opening(store: store, setAside: interrupted?.setAside)
            } catch let verdict as Unusable {
                let replacement = Replacement(of: files, verdict)
                let outbox = try replacement.build(limits)
                try replacement.finish()
                let store = try Store(at: files.database, limits)
                let reason = verdict.sentence(path: replacement.path) + outbox
                return Opening(store: store, setAside: SetAside(path: replacement.path, reason: reason))
            }
        } catch {
            throw StoreError(error, path: files.database)
        }
    }

    /// Throws `Unusable` where the database at `path` cannot be used.
    convenience init(at path: String, _ limits: Limits) throws {
        do {
            let queue = try DatabaseQueue(path: path, configuration: .store(limits))
            // Closed at once on a failure: the last connection's close empties the write-ahead log into
            // the file, so that what is set aside is whole.
            do {
                try Schema.inspect(queue, limits)
                try Schema.migrate(queue)
                try Schema.probeIndex(queue)
                if limits.checksIndex { try Schema.checkIndex(queue) }
            } catch {
                try? queue.close()
                throw error
            }
            try self.init(path: path, queue: queue)
        } catch let error as DatabaseError where StoreError.Code(error.resultCode) == .damaged {
            throw Unusable.damaged(error.message ?? "\(error.extendedResultCode)")
        }
    }
}

/// How much an open may cost and how long it waits for a lock. Tests make both small.
struct Limits: Sendable {
    /// Seconds to wait for another connection's lock.
    var busyTimeout: Double = 2
    /// Files up to this size are read through for damage at each open: about 5 ms.
    var checkedBytes = 4 << 20
    /// Also whether the full-text index is that of the messages.
    var checksIndex = false
}

/// Why a database cannot be used as it is.
enum Unusable: Error {
    case damaged(String)
    case newer

    var word: String {
        switch self {
        case .damaged: "damaged"
        case .newer: "newer"
        }
    }

    func sentence(path: String) -> String {
        switch self {
        case .damaged(let detail):
            "the database was damaged (\(detail)) and is kept as \(path); a fresh one was begun"
        case .newer:
            "the database was made by a newer cutied and is kept as \(path); a fresh one was begun"
        }
    }
}
