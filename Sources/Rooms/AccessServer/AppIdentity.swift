import CutieAPI
package import VarlinkSocket

/// Which app asks, as the system knows it: nothing that the app says has a part in it.
///
/// Two values are equal where it is the same app. One that nothing tells apart from others is equal to nothing but
/// itself in the same run: `isLasting` is false, and what the person allows it must not be remembered.
package struct AppIdentity: Hashable, Codable, Sendable {
    /// Who says so.
    package enum Kind: String, Codable, Sendable {
        /// Flatpak, and the session's manager.
        case flatpak
        /// Snap, and the session's manager.
        case snap
        /// The session's manager, which the desktop told what it started.
        case scope
        /// The file that runs. Scripts share it with each other.
        case executable
        /// Nobody.
        case stranger
    }

    package let kind: Kind
    /// The app's id where it is verified; else the path of the program, or what a stranger's process is known by.
    package let id: String
    /// Where the program's file is; nil where the id is enough.
    package let file: File?
    /// For the person: the id, or the last part of the path.
    package let name: String

    /// A file, whatever it is called.
    package struct File: Hashable, Codable, Sendable {
        package let device: UInt64
        package let inode: UInt64
    }

    /// Whether the system vouches for the id.
    package var isVerified: Bool {
        switch kind {
        case .flatpak, .snap, .scope: true
        case .executable, .stranger: false
        }
    }

    /// Whether the app is known again another time.
    package var isLasting: Bool { kind != .stranger }

    /// One line that tells it from every other app.
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

    /// Whether an app that says its id is `claim` says something else than the system. Of one that is not verified
    /// nobody knows.
    package func contradicts(_ claim: String) -> Bool {
        guard isVerified else { return false }
        let ending = ".desktop"
        let claimed = claim.hasSuffix(ending) ? String(claim.dropLast(ending.count)) : claim
        // A snap's program is called by the snap's name, too.
        let own = kind == .snap ? [id, String(id.prefix { $0 != "." })] : [id]
        return !own.contains(claimed)
    }
}

extension AppIdentity {
    /// The app whose process has connected.
    package init(of peer: Peer) {
        let run = peer.process.flatMap { process in process.startTime.map { "\(process.pid)@\($0)" } }
        self.init(peer.process?.facts, run: run ?? "\(peer.pid)")
    }

    /// - Parameters:
    ///   - facts: nil where nothing can be seen of the process.
    ///   - run: tells this process from all others, at any time.
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

    /// It stands in a question: a line end, or more of it than a person reads, would make another question of it.
    private static func printable(_ name: String) -> String {
        let text = String(DisplayName.cleaned(name).prefix(64))
        return DisplayName.isReadable(text) ? text : "?"
    }
}

/// An id that the system vouches for.
private struct VerifiedID {
    let kind: AppIdentity.Kind
    let id: String

    /// nil where nobody vouches, or two say different things.
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

    /// Whether what the sandbox left on the process says the same.
    fileprivate func isOf(_ facts: ProcessFacts) -> Bool {
        switch launcher {
        case .desktop: true
        case .flatpak:
            switch facts.flatpakInfo {
            case .text(let text): FlatpakInfo(text).application == id
            // What Flatpak itself runs beside the app is in its scope, and outside of its sandbox.
            case .absent: false
            // Of a process whose files cannot be seen the manager's word is what there is.
            case .hidden: facts.sharesMounts == nil
            }
        case .snap:
            // Without AppArmor there is none; confined by something else, it is another program.
            facts.securityLabel.map { $0.split(separator: " ").first.map(String.init) == "snap." + id }
                ?? true
        }
    }
}
