import CutieAPI

/// The identity of an app as determined by the system, independent of the app's own claims.
///
/// Two values are equal if they identify the same app. An app that cannot be distinguished from other apps is
/// equal only to itself, and only while its process runs: `isPersistent` is false, and a grant must not be
/// stored.
package struct AppIdentity: Hashable, Codable, Sendable {
    /// The source of an app identity.
    package enum Kind: String, Codable, Sendable {
        /// Verified by Flatpak and by the user's service manager.
        case flatpak
        /// Verified by snapd and by the user's service manager.
        case snap
        /// Verified by the desktop, which started the app in a separate systemd unit.
        case scope
        /// The path of the executable file; not verified. All scripts of an interpreter have the same path:
        /// the path of the interpreter.
        case executable
        /// An unknown app, which none of the sources identifies.
        case unidentified = "stranger"
    }

    package let kind: Kind
    /// The app ID, the path of the program or, for an unknown app, an identifier of the process.
    package let id: String
    /// The program file of the app; `nil` if `id` alone identifies the app.
    package let file: File?
    /// The name shown to the user: the ID, or the last component of the path.
    package let name: String
    /// A unique identifier of the running process, which is never reused. This identifier is not part of the
    /// identity of the app, because an app may have several processes.
    package var process: String?

    /// A file, identified by device and inode, so that renaming the file does not change the identity.
    package struct File: Hashable, Codable, Sendable {
        package let device: UInt64
        package let inode: UInt64

        package init(device: UInt64, inode: UInt64) { (self.device, self.inode) = (device, inode) }
    }

    /// Whether the system has verified the ID.
    package var isVerified: Bool {
        switch kind {
        case .flatpak, .snap, .scope: true
        case .executable, .unidentified: false
        }
    }

    /// Whether the app can be recognized in a later connection or run.
    package var isPersistent: Bool { kind != .unidentified }

    /// A unique identifier of the app, on one line.
    package var description: String {
        let place = file.map { ":\($0.device):\($0.inode)" } ?? ""
        return "\(kind.rawValue):\(id)\(place)"
    }

    package static func == (left: AppIdentity, right: AppIdentity) -> Bool {
        left.kind == right.kind && left.id == right.id && left.file == right.file
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        hasher.combine(id)
        hasher.combine(file)
    }

    /// Returns whether the ID that the app claims differs from the verified ID; `false` if the ID is not
    /// verified.
    package func contradicts(claimedID claim: String) -> Bool {
        guard isVerified else { return false }
        let ending = ".desktop"
        let claimed = claim.hasSuffix(ending) ? String(claim.dropLast(ending.count)) : claim
        // A snap app may also claim the name of its snap.
        let own = kind == .snap ? [id, String(id.prefix { $0 != "." })] : [id]
        return !own.contains(claimed)
    }
}

extension AppIdentity {
    /// Creates an identity. `name`: the display name; `nil` for the last component of `id`.
    package init(_ kind: Kind, _ id: String, _ file: File? = nil, name: String? = nil) {
        (self.kind, self.id, self.file) = (kind, id, file)
        self.name = Self.printableName(name ?? Self.lastPathComponent(of: id))
    }

    /// Returns the last component of a path.
    package static func lastPathComponent(of path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }

    /// Returns a name for use in a question to the user: without line breaks and at most 64 characters,
    /// because a line break or a long name could change the meaning of the question.
    private static func printableName(_ name: String) -> String {
        let text = String(DisplayName.cleaned(name).prefix(64))
        return DisplayName.isReadable(text) ? text : "?"
    }
}
