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
    func build(_ limits: Limits) throws -> String {
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
