package import Attention
package import Config
import CutieAPI
package import Localization
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
    /// Returns who reads the notifications, by the kinds of the accounts.
    package var reader: () -> Reader = { .user }
    /// What programs have before the person's eyes, and how many of them.
    private var attended: [PopupOwner: Int] = [:]
    /// Moves when what is held may be free to go, and when what may be shown has changed.
    package let changes = Signal()
    /// How many clients follow the log, and are notified when something holds notifications or no longer does.
    private(set) var watcherCount = 0
    /// Moves when the first of them arrives.
    let arrivals = Signal()
    /// What the last entry of the log is about; without the notification server, which the screen knows.
    var loggedHolds: [NotificationHold] = []

    package init(_ policy: Policy, ingest: Ingest, surroundings: Surroundings, bootID: String?) throws {
        (self.policy, self.ingest) = (policy, ingest)
        (self.surroundings, self.bootID) = (surroundings, bootID)
        let (enabled, pause) = try ingest.store.read { transaction in
            (try transaction.settings.text(Self.enabledKey), try transaction.settings.value(of: Self.pause))
        }
        self.policy.enabled = enabled.map { $0 == "on" }
        let now = surroundings.moment
        self.policy.pause = pause?.pause(now, boot: bootID)
        loggedHolds = holds(at: now)
        // Whatever the clocks show later, a pause that has ended does not begin again.
        if self.policy.pause?.holds(at: now) == false { try set(pause: nil) }
    }

    private func holds(at now: Moment) -> [NotificationHold] { policy.holds(at: now, hasServer: true) }

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
        loggedHolds = holds(at: surroundings.moment)
    }

    /// Ends a pause whose time is over, also in the store: a clock that is set back must not bring it back.
    func endPauseIfOver() throws {
        guard let pause = policy.pause, !pause.holds(at: surroundings.moment) else { return }
        try set(pause: nil)
    }

    package func set(enabled: Bool) throws {
        try keep { try $0.settings.setText(Self.enabledKey, to: enabled ? "on" : "off") }
        policy.enabled = enabled
        loggedHolds = holds(at: surroundings.moment)
    }

    /// A client begins to follow the log; `endWatching` is to follow.
    package func beginWatching() {
        watcherCount += 1
        if watcherCount == 1 { arrivals.notify() }
    }

    package func endWatching() { watcherCount -= 1 }

    /// The entry in the log tells those who watch, a status bar for instance, to look again.
    package func keep(_ change: (Transaction) throws -> Void) throws {
        try ingest.log(.state, with: change)
    }
}
