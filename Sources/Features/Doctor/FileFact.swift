import Glibc
import Platform

/// The state of a file or directory that only the user may access.
struct FileFact: Hashable, Sendable {
    enum Kind: String, Hashable, Sendable {
        case directory, file, socket, other
    }

    enum Group: String, Hashable, Sendable {
        case state = "files"
        case socket = "control socket"
        case access = "access socket"
    }

    var path: String
    var group: Group
    var expected: Kind
    /// The properties of the existing file; `nil` if the file does not exist.
    var found: Properties?

    struct Properties: Hashable, Sendable {
        var kind: Kind
        /// The permission bits (the lower nine bits).
        var mode: UInt32
        var owner: UInt32
    }

    /// The required permission bits: access for the owner only.
    var expectedMode: UInt32 { expected == .directory ? 0o700 : 0o600 }
}

extension FileFact {
    static func inspectFiles(at paths: Paths) -> [FileFact] {
        let state = paths.stateDirectory
        var facts = [FileFact(at: state, group: .state, expected: .directory)]
        facts += ["cutied.db", "cutied.db-wal", "cutied.db-shm", "lock", "devices", "secrets"].map {
            FileFact(at: state + "/" + $0, group: .state, expected: .file)
        }
        guard let socket = try? paths.controlSocketPath() else { return facts }
        // Check the directory only at the default path: if CUTIED_SOCKET contains another path, the user
        // chose its permissions.
        if let own = paths.runtimeDirectory, socket == own + "/cutied/control.sock" {
            facts.append(FileFact(at: own + "/cutied", group: .socket, expected: .directory))
        }
        facts.append(FileFact(at: socket, group: .socket, expected: .socket))
        return facts + inspectAccessFiles(at: paths)
    }

    /// Returns the facts about the access socket and its directory.
    private static func inspectAccessFiles(at paths: Paths) -> [FileFact] {
        guard let socket = try? paths.accessSocketPath() else { return [] }
        var facts: [FileFact] = []
        if let own = paths.runtimeDirectory, socket == own + "/cutied/access/access.sock" {
            facts.append(FileFact(at: own + "/cutied/access", group: .access, expected: .directory))
        }
        return facts + [FileFact(at: socket, group: .access, expected: .socket)]
    }

    private init(at path: String, group: Group, expected: Kind) {
        (self.path, self.group, self.expected) = (path, group, expected)
        var status = stat()
        // Use `lstat`, so that a symbolic link is reported as the wrong kind of file.
        guard lstat(path, &status) == 0 else { return }
        let kind: Kind =
            switch status.st_mode & S_IFMT {
            case S_IFDIR: .directory
            case S_IFREG: .file
            case S_IFSOCK: .socket
            default: .other
            }
        found = Properties(kind: kind, mode: status.st_mode & 0o777, owner: status.st_uid)
    }
}

extension FileFact {
    /// Returns a check for the state files, and a check for each socket.
    static func makeChecks(for files: [FileFact], userID: UInt32) -> [Check] {
        [Group.state, .socket, .access].map { group in
            makeCheck(for: group, files: files.filter { $0.group == group }, userID: userID)
        }
    }

    private static func makeCheck(for group: Group, files: [FileFact], userID: UInt32) -> Check {
        let present = files.filter { $0.found != nil }
        guard let first = present.first else {
            let place = files.first.map { "does not exist yet: \($0.path)" }
            return Check(group.rawValue, .skipped, place ?? "the session has no directory for it")
        }
        let flaws = present.compactMap { $0.findProblem(userID: userID) }
        guard !flaws.isEmpty else {
            let names = present.dropFirst().compactMap { $0.path.split(separator: "/").last.map(String.init) }
            let others = names.isEmpty ? "" : " with " + names.joined(separator: ", ")
            return Check(group.rawValue, .ok, "accessible only to you: \(first.path)\(others)")
        }
        let advice = flaws.map(\.advice).joined(separator: " && ")
        return Check(
            group.rawValue, .failure, flaws.map(\.finding).joined(separator: ", "), advice: "run: " + advice)
    }

    private func findProblem(userID: UInt32) -> (finding: String, advice: String)? {
        guard let found else { return nil }
        let name = path.shellQuoted
        guard found.kind == expected else {
            return ("\(path) is not a \(expected.rawValue)", "mv \(name) \((path + ".aside").shellQuoted)")
        }
        guard found.owner == userID else {
            return ("\(path) belongs to user \(found.owner), not to you", "sudo chown \(userID) \(name)")
        }
        let mode = String(expectedMode, radix: 8)
        guard found.mode != expectedMode else { return nil }
        let isOpen = found.mode & 0o077 != 0
        let what = isOpen ? "other users can access \(path)" : "you cannot access \(path)"
        return ("\(what) (mode \(String(found.mode, radix: 8)) instead of \(mode))", "chmod \(mode) \(name)")
    }
}

extension String {
    /// The string quoted as one shell word.
    fileprivate var shellQuoted: String {
        let isPlain = utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "/._-".utf8.contains(byte)
            }
        }
        return isPlain && !isEmpty ? self : "'" + replacing("'", with: #"'\''"#) + "'"
    }
}
