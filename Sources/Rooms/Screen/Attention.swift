package import Attention
package import Config
import CutieAPI
package import Log
package import Store

/// What the person wants to be told of: what is configured, and what they switched for now or for good, which
/// survives a restart.
package final class Attention {
    private let ingest: Ingest
    private static let enabledKey = "notifications"
    private static let pause = Setting<StoredPause>("pause")

    private let surroundings: Surroundings
    /// Names this start of the machine; nil where that is not known.
    private let bootID: String?
    package var policy: Policy {
        didSet { reconsider() }
    }
    /// What programs have before the person's eyes, and how many of them.
    private var attended: [PopupOwner: Int] = [:]
    /// Moves when what is held may be free to go, and when what may be shown has changed.
    package let changes = Signal()

    package init(_ policy: Policy, ingest: Ingest, surroundings: Surroundings, bootID: String?) throws {
        (self.policy, self.ingest) = (policy, ingest)
        (self.surroundings, self.bootID) = (surroundings, bootID)
        let (enabled, pause) = try ingest.store.read { transaction in
            (try transaction.settings.text(Self.enabledKey), try transaction.settings.value(of: Self.pause))
        }
        self.policy.enabled = enabled.map { $0 == "on" }
        self.policy.pause = pause?.pause(surroundings.moment, boot: bootID)
    }

    /// What is held may be free to go: a pause ended, a first sync is complete, something was not sent.
    package func reconsider() { changes.notify() }

    /// The configuration was read again.
    package func apply(_ configuration: NotificationConfiguration, rules: [Rule]) {
        var policy = policy
        (policy.configuration, policy.rules) = (configuration, rules)
        self.policy = policy
    }

    /// The pause in force; nil where there is none or it is over.
    package func pause(at now: Moment) -> Policy.Pause? {
        policy.pause.flatMap { $0.holds(at: now) ? $0 : nil }
    }

    /// What becomes of a message that `owner`'s pop-up would tell.
    func verdict(on subject: Subject, of owner: PopupOwner, at now: Moment) -> Policy.Verdict {
        let verdict = policy.verdict(on: subject, now: now)
        guard verdict == .show, attended[owner] != nil else { return verdict }
        return .hold(why: "a window shows it", until: nil)
    }

    /// Whether a program has what `owner` is about before the person's eyes.
    package func isAttended(_ owner: PopupOwner) -> Bool { attended[owner] != nil }

    /// A program shows the person the conversations of these; `leave` is to follow.
    package func attend(_ owners: [PopupOwner]) {
        for owner in owners { attended[owner, default: 0] += 1 }
    }

    /// It shows them no more: what it left unread is told.
    package func leave(_ owners: [PopupOwner]) {
        for owner in owners {
            attended[owner] = attended[owner].flatMap { $0 > 1 ? $0 - 1 : nil }
        }
        reconsider()
    }

    package func set(pause: Policy.Pause?) throws {
        let stored = pause.map { StoredPause($0, surroundings.moment, boot: bootID) }
        try keep { try $0.settings.set(Self.pause, to: stored) }
        policy.pause = pause
    }

    package func set(enabled: Bool) throws {
        try keep { try $0.settings.setText(Self.enabledKey, to: enabled ? "on" : "off") }
        policy.enabled = enabled
    }

    /// The entry in the log tells those who watch, a status bar for instance, to look again.
    package func keep(_ change: (Transaction) throws -> Void) throws {
        try ingest.log(.state, with: change)
    }
}
