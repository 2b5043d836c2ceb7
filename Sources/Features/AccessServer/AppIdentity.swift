package import Domain
package import VarlinkSocket

extension AppIdentity {
    /// Identifies the app of a connected process.
    package init(of peer: Peer) {
        let run = peer.process.flatMap { process in process.startTime.map { "\(process.pid)@\($0)" } }
        self.init(peer.process?.facts, run: run ?? "\(peer.pid)")
    }

    /// Identifies the app from facts about its process.
    ///
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
                .unidentified, run,
                name: facts.executable.map { Self.lastPathComponent(of: $0.path) } ?? facts.name)
        }
        process = run
    }
}

/// An app ID that the system has verified.
private struct VerifiedID {
    let kind: AppIdentity.Kind
    let id: String

    /// Determines the verified ID of an app; `nil` if no source verifies the ID, or two sources contradict
    /// each other.
    init?(of facts: ProcessFacts) {
        guard let unit = facts.cgroup.flatMap(ControlGroup.init(_:))?.unit,
            let app = AppUnit(unit), app.matchesSandbox(of: facts)
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

    /// Returns whether the sandbox of the process belongs to the app of the unit.
    fileprivate func matchesSandbox(of facts: ProcessFacts) -> Bool {
        switch launcher {
        case .desktop: true
        case .flatpak:
            switch facts.flatpakInfo {
            case .text(let text): FlatpakInfo(text).application == id
            // If the sandbox contains no information file, the process is a helper of Flatpak: it runs in the
            // app's scope but outside the app's sandbox, so it is not the app.
            case .absent: false
            // The files of the process cannot be read. Accept the identity of the unit if the mounts cannot
            // be compared either.
            case .hidden: facts.sharesMounts == nil
            }
        case .snap:
            // Accept a process without a label, because AppArmor may be off. A different label means that the
            // process is a different program.
            facts.securityLabel.map { $0.split(separator: " ").first.map(String.init) == "snap." + id }
                ?? true
        }
    }
}
