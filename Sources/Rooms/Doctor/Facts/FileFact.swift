/// A file or directory that others must not get at, as it is on the disk.
struct FileFact: Hashable, Sendable {
    enum Kind: String, Hashable, Sendable {
        case directory, file, socket, other
    }

    enum Group: String, Hashable, Sendable {
        case state = "files"
        case socket = "control socket"
    }

    var path: String
    var group: Group
    var expected: Kind
    /// nil where there is nothing.
    var found: Found?

    struct Found: Hashable, Sendable {
        var kind: Kind
        /// The nine bits of rights.
        var mode: UInt32
        var owner: UInt32
    }

    /// What its owner needs, and nobody else has.
    var wanted: UInt32 { expected == .directory ? 0o700 : 0o600 }
}
