import FoundationEssentials

/// The database file and its companions in the state directory.
struct StateFiles {
    let directory: String
    var database: String { directory + "/cutied.db" }

    /// Makes the directory where it is missing, and closes it to others.
    func prepare() throws {
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try close(directory, to: 0o700)
    }

    /// The same for a database in it.
    func prepare(_ file: String) throws {
        let manager = FileManager.default
        // SQLite gives its -wal and -shm files the mode of the database, and that of a new database
        // the process's umask: so it must exist before SQLite sees it.
        if !manager.fileExists(atPath: file) {
            // Where this fails SQLite fails too, and says why.
            _ = manager.createFile(atPath: file, contents: nil, attributes: [.posixPermissions: 0o600])
        }
        if manager.fileExists(atPath: file) { try close(file, to: 0o600) }
    }

    /// Where a database that cannot be used goes: `cutied.db.<word>-<UTC time>`.
    func place(for verdict: Unusable) -> String {
        unusedName("\(database).\(verdict.word)-\(Self.stamp())")
    }

    /// Puts the database with its companions at `path`, or beside it where something is there.
    func setAside(to path: String) throws {
        let manager = FileManager.default
        let target = manager.fileExists(atPath: database) ? unusedName(path) : path
        for suffix in Self.suffixes where manager.fileExists(atPath: database + suffix) {
            try manager.moveItem(atPath: database + suffix, toPath: target + suffix)
        }
    }

    /// The paths of what is called after the database.
    func derived() throws -> [String] {
        let names = try FileManager.default.contentsOfDirectory(atPath: directory)
        return names.map { directory + "/" + $0 }.filter { $0.hasPrefix(database + ".") }
    }

    /// A database with its companions, where they are there.
    func remove(_ file: String) throws {
        let manager = FileManager.default
        for suffix in Self.suffixes where manager.fileExists(atPath: file + suffix) {
            try manager.removeItem(atPath: file + suffix)
        }
    }

    /// A rollback journal that stayed behind would be applied to another database under that name.
    private static let suffixes = ["-journal", "-wal", "-shm", ""]

    private func close(_ path: String, to mode: Int) throws {
        let manager = FileManager.default
        let present = try manager.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        if let present, present & 0o077 == 0 { return }
        try manager.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    private func unusedName(_ name: String) -> String {
        let candidates = sequence(state: 1) { number -> String? in
            number += 1
            return "\(name)-\(number)"
        }
        guard FileManager.default.fileExists(atPath: name) else { return name }
        return candidates.first { !FileManager.default.fileExists(atPath: $0) } ?? name
    }

    private static func stamp() -> String {
        let style = Date.ISO8601FormatStyle(dateSeparator: .omitted, timeSeparator: .omitted)
        return String(Date().formatted(style).prefix { $0 != "Z" })
    }
}
