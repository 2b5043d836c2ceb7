import CutieAPI

/// The identity of an app according to the system. Nothing that the app itself reports is used.
///
/// Two values are equal if they identify the same app. An app that cannot be distinguished from others is
/// equal only to itself during the same run: `isPersistent` is false, and a grant must not be remembered.
package struct AppIdentity: Hashable, Codable, Sendable {
    /// The source of the identity.
    package enum Kind: String, Codable, Sendable {
        /// Verified by Flatpak and by the user's service manager.
        case flatpak
        /// Verified by Snap and by the user's service manager.
        case snap
        /// The service manager's scope, which the desktop created for the app.
        case scope
        /// The executable file. Scripts share that of their interpreter.
        case executable
        /// No source: the app is unknown.
        case stranger
    }

    package let kind: Kind
    /// The app ID if it is verified; otherwise, the path of the program, or the identifier of an unknown
    /// app's process.
    package let id: String
    /// The program's file; `nil` if the ID is sufficient.
    package let file: File?
    /// The name for the user: the ID, or the last part of the path.
    package let name: String

    /// A file, independent of its name.
    package struct File: Hashable, Codable, Sendable {
        package let device: UInt64
        package let inode: UInt64

        package init(device: UInt64, inode: UInt64) { (self.device, self.inode) = (device, inode) }
    }

    /// Whether the system has verified the ID.
    package var isVerified: Bool {
        switch kind {
        case .flatpak, .snap, .scope: true
        case .executable, .stranger: false
        }
    }

    /// Whether the app can be recognized later.
    package var isPersistent: Bool { kind != .stranger }

    /// A unique identifier of the app in one line.
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

    /// Returns whether `claim`, the app's own ID, contradicts the system's. Always `false` for an unverified
    /// app.
    package func contradicts(_ claim: String) -> Bool {
        guard isVerified else { return false }
        let ending = ".desktop"
        let claimed = claim.hasSuffix(ending) ? String(claim.dropLast(ending.count)) : claim
        // A snap's app may also use the snap's name.
        let own = kind == .snap ? [id, String(id.prefix { $0 != "." })] : [id]
        return !own.contains(claimed)
    }
}

extension AppIdentity {
    /// Creates an identity; `name`: the last part of `id` if `nil`.
    package init(_ kind: Kind, _ id: String, _ file: File? = nil, name: String? = nil) {
        (self.kind, self.id, self.file) = (kind, id, file)
        self.name = Self.printable(name ?? Self.name(of: id))
    }

    /// Returns the last part of a path.
    package static func name(of path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }

    /// Returns a name for a question to the user: line breaks, or an overlong name, could change the
    /// question's meaning.
    private static func printable(_ name: String) -> String {
        let text = String(DisplayName.cleaned(name).prefix(64))
        return DisplayName.isReadable(text) ? text : "?"
    }
}
