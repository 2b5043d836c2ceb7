import FoundationEssentials

/// The database file and its companions in the state directory.
struct StateFiles {
    let directory: String
    var database: String { directory + "/cutied.db" }

    /// Makes what is missing and closes it to others.
    func prepare() throws {
        let manager = FileManager.default
        try manager.createDirectory(
            atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try close(directory, to: 0o700)
        // SQLite gives its -wal and -shm files the mode of the database, and that of a new database
        // the process's umask: so it must exist before SQLite sees it.
        if !manager.fileExists(atPath: database) {
            // Where this fails SQLite fails too, and says why.
            _ = manager.createFile(
                atPath: database, contents: nil, attributes: [.posixPermissions: 0o600])
        }
        if manager.fileExists(atPath: database) { try close(database, to: 0o600) }
    }

    /// Renames the database and its companions to `cutied.db.<word>-<UTC time>`, and returns its new path.
    func setAside(_ verdict: Unusable) throws -> String {
        let target = unusedName("\(database).\(verdict.word)-\(Self.stamp())")
        let manager = FileManager.default
        // The database last: a -wal file that stayed behind a crash here would be deleted with a fresh
        // database, while a database that stayed behind is only set aside once more.
        for suffix in ["-wal", "-shm", ""] where manager.fileExists(atPath: database + suffix) {
            try manager.moveItem(atPath: database + suffix, toPath: target + suffix)
        }
        return target
    }

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
