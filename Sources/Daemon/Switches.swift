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

    init(ingest: Ingest, announcer: Announcer) throws {
        self.ingest = ingest
        self.announcer = announcer
        let store = ingest.store
        announcer.policy.enabled = try store.read { try $0.setting(Self.enabledKey) }.map { $0 == "on" }
        announcer.policy.pause = try store.read { try $0.value(of: Self.pause) }
            .map { Policy.Pause(until: $0.until, isPrivate: $0.isPrivate) }
    }

    /// The pause in force; nil where there is none or it is over.
    func pause(at now: Timestamp) -> Policy.Pause? {
        announcer.policy.pause.flatMap { $0.holds(at: now) ? $0 : nil }
    }

    func set(pause: Policy.Pause?) throws {
        let stored = pause.map { StoredPause(until: $0.until, isPrivate: $0.isPrivate) }
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

    private struct StoredPause: Codable {
        var until: Timestamp?
        var isPrivate: Bool
    }
}
