import CutieAPI
import Inbox
import Store

/// What the person switched for now or for good; it survives a restart.
final class Switches {
    private let ingest: Ingest
    private var store: Store { ingest.store }
    private let announcer: Announcer
    private static let enabledKey = "notifications"
    private static let pause = Setting<StoredPause>("pause")

    private let surroundings: Surroundings
    /// Names this start of the machine; nil where that is not known.
    private let bootID: String?

    init(ingest: Ingest, announcer: Announcer, surroundings: Surroundings, bootID: String?) throws {
        (self.ingest, self.announcer) = (ingest, announcer)
        (self.surroundings, self.bootID) = (surroundings, bootID)
        let store = ingest.store
        announcer.policy.enabled = try store.read { try $0.setting(Self.enabledKey) }.map { $0 == "on" }
        announcer.policy.pause = try store.read { try $0.value(of: Self.pause) }?
            .pause(surroundings.moment, boot: bootID)
    }

    /// The pause in force; nil where there is none or it is over.
    func pause(at now: Moment) -> Policy.Pause? {
        announcer.policy.pause.flatMap { $0.holds(at: now) ? $0 : nil }
    }

    func set(pause: Policy.Pause?) throws {
        let stored = pause.map { StoredPause($0, surroundings.moment, boot: bootID) }
        try keep { try $0.set(Self.pause, to: stored) }
        announcer.policy.pause = pause
    }

    func set(enabled: Bool) throws {
        try keep { try $0.setSetting(Self.enabledKey, to: enabled ? "on" : "off") }
        announcer.policy.enabled = enabled
    }

    /// The entry in the log tells those who watch, a status bar for instance, to look again.
    private func keep(_ change: (Transaction) throws -> Void) throws {
        try ingest.log("state", with: change)
    }
}

/// A pause as its row keeps it. What the machine counts from its start means nothing after the next one: then
/// the clock on the wall is the best that is known, and a pause lasts no longer than it was to last.
private struct StoredPause: Codable {
    var isPrivate: Bool
    /// In milliseconds since the start of the machine that `boot` names.
    var end: Int64?
    var boot: String?
    var until: Timestamp?
    /// In milliseconds.
    var length: Int64?

    init(_ pause: Policy.Pause, _ now: Moment, boot: String?) {
        isPrivate = pause.isPrivate
        guard let end = pause.end else { return }
        (self.end, self.boot) = (end.milliseconds, boot)
        (until, length) = (pause.until(at: now), (end - now.uptime).milliseconds)
    }

    func pause(_ now: Moment, boot: String?) -> Policy.Pause {
        guard let until else { return .init(end: nil, isPrivate: isPrivate) }
        if let end, let boot, boot == self.boot {
            return .init(end: .milliseconds(end), isPrivate: isPrivate)
        }
        let rest = min(until - now.time, length.map { .milliseconds($0) } ?? (until - now.time))
        return .init(end: now.uptime + rest, isPrivate: isPrivate)
    }
}

extension Duration {
    fileprivate var milliseconds: Int64 {
        components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    }
}
