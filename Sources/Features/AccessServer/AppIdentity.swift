import CutieAPI
package import VarlinkSocket

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
    /// Identifies the app of a connected process.
    package init(of peer: Peer) {
        let run = peer.process.flatMap { process in process.startTime.map { "\(process.pid)@\($0)" } }
        self.init(peer.process?.facts, run: run ?? "\(peer.pid)")
    }

    /// - Parameters:
    ///   - facts: `nil` if the process cannot be inspected.
    ///   - run: a unique identifier of the process, never reused.
    init(_ facts: ProcessFacts?, run: String) {
        let facts = facts ?? ProcessFacts()
        if let verified = VerifiedID(of: facts) {
            self.init(verified.kind, verified.id)
        } else if let executable = facts.executable, facts.sharesMounts == true {
            self.init(
                .executable, executable.path,
                File(device: executable.device, inode: executable.inode))
        } else {
            self.init(
                .stranger, run, name: facts.executable.map { Self.name(of: $0.path) } ?? facts.name)
        }
    }

    private init(_ kind: Kind, _ id: String, _ file: File? = nil, name: String? = nil) {
        (self.kind, self.id, self.file) = (kind, id, file)
        self.name = Self.printable(name ?? Self.name(of: id))
    }

    private static func name(of path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }

    /// Returns a name for a question to the user: line breaks, or an overlong name, could change the
    /// question's meaning.
    private static func printable(_ name: String) -> String {
        let text = String(DisplayName.cleaned(name).prefix(64))
        return DisplayName.isReadable(text) ? text : "?"
    }
}

/// An ID that the system has verified.
private struct VerifiedID {
    let kind: AppIdentity.Kind
    let id: String

    /// `nil` if no source verifies the ID, or two sources contradict each other.
    init?(of facts: ProcessFacts) {
        guard let unit = facts.cgroup.flatMap(ControlGroup.init(_:))?.unit,
            let app = AppUnit(unit), app.isOf(facts)
        else { return nil }
        (kind, id) = (app.kind, app.id)
    }
}

extension AppUnit {
    fileprivate var kind: AppIdentity.Kind {
        switch launcher {
        case .flatpak: .flatpak
        case .snap: .snap
        case .desktop: .scope
        }
    }

    /// Returns whether the sandbox's properties of the process match the unit.
    fileprivate func isOf(_ facts: ProcessFacts) -> Bool {
        switch launcher {
        case .desktop: true
        case .flatpak:
            switch facts.flatpakInfo {
            case .text(let text): FlatpakInfo(text).application == id
            // Flatpak's own helper processes are in the app's scope, but outside its sandbox.
            case .absent: false
            // If the files of the process cannot be read, only the service manager's statement is available.
            case .hidden: facts.sharesMounts == nil
            }
        case .snap:
            // Without AppArmor there is no label; another label means another program.
            facts.securityLabel.map { $0.split(separator: " ").first.map(String.init) == "snap." + id }
                ?? true
        }
    }
}
