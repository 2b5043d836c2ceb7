package import Config
import CutieAPI
package import EventLog
package import Localization
package import NotificationPolicy
package import Store

/// The user's notification preferences: the configuration, and the choices that the user made in a program,
/// such as a pause. These choices are stored across restarts.
package final class NotificationController {
    private let log: LogWriter
    private static let enabledKey = "notifications"
    private static let pause = StoredSetting<StoredPause>("pause")

    private let runtime: RuntimeEnvironment
    /// The ID of this boot; `nil` if unknown.
    private let bootID: String?
    package var policy: Policy {
        didSet { requestReevaluation() }
    }
    /// Returns the role of the user who reads the notifications, derived from the kinds of the accounts.
    let reader: () -> UserRole
    /// Returns whether the screen is locked; `nil` if this is unknown.
    private let isLocked: () async -> Bool?
    /// The number of programs that currently show each conversation to the user.
    private var attended: [NotificationOwner: Int] = [:]
    /// The number of programs that currently show the unanswered questions to the user.
    private var questionDisplays = 0
    /// The notifications of the muted conversations.
    private var muted: Set<NotificationOwner> = []
    /// The notifications to close after the user muted or snoozed their conversations.
    private var ownersToClose: [NotificationOwner] = []
    /// Notified when a program begins to show a conversation to the user.
    let openings = ChangeSignal()
    /// Notified when held messages may be released, or when the preview may have changed.
    package let changes = ChangeSignal()
    /// The number of clients that follow the log and are notified when notifications become held or released.
    private(set) var watcherCount = 0
    /// Notified when the first client begins to follow the log.
    let arrivals = ChangeSignal()
    /// The holds of the last log entry. `noServer` is not included, because `HoldReporter` tracks it.
    var loggedHolds: [NotificationHold] = []

    package init(
        _ policy: Policy, log: LogWriter, runtime: RuntimeEnvironment, bootID: String?,
        reader: @escaping () -> UserRole = { .user }, isLocked: @escaping () async -> Bool? = { nil }
    ) throws {
        (self.policy, self.log, self.reader, self.isLocked) = (policy, log, reader, isLocked)
        (self.runtime, self.bootID) = (runtime, bootID)
        let (enabled, pause) = try log.store.read { transaction in
            (
                try transaction.settings.fetchText(ofSetting: Self.enabledKey),
                try transaction.settings.fetchValue(of: Self.pause)
            )
        }
        self.policy.enabled = enabled.map { $0 == "on" }
        let now = runtime.clockReading
        self.policy.pause = pause?.restoredPause(at: now, bootID: bootID)
        try loadMutedConversations()
        loggedHolds = currentHolds(at: now)
        changes.follow(log.releaseSignal)
        // Delete an expired pause, so that it does not resume if the clock is set back.
        if self.policy.pause?.isActive(at: now) == false { try setPause(nil) }
    }

    /// Reads the muted conversations from the store, after they changed.
    package func loadMutedConversations() throws {
        muted = Set(
            try log.store.read { try $0.marks.fetchMuted() }.map { .reply($0.account, $0.conversation) })
    }

    /// Requests to close the notifications of conversations that the user muted or snoozed.
    package func requestClosingNotifications(of owners: [NotificationOwner]) {
        ownersToClose += owners
        requestReevaluation()
    }

    /// Removes and returns the notifications that are to be closed.
    func removeOwnersToClose() -> [NotificationOwner] { exchange(&ownersToClose, with: []) }

    private func currentHolds(at now: ClockReading) -> [NotificationHold] {
        policy.currentHolds(at: now, hasServer: true)
    }

    /// Requests another check of the held messages, for example after a pause, a complete first sync or a
    /// failed send.
    package func requestReevaluation() { changes.notify() }

    /// Applies a reloaded configuration.
    package func apply(_ configuration: NotificationConfiguration, rules: [Rule]) {
        var policy = policy
        (policy.configuration, policy.rules) = (configuration, rules)
        self.policy = policy
    }

    /// Returns the current pause; `nil` if there is no pause, or if the pause has expired.
    package func currentPause(at now: ClockReading) -> Policy.Pause? {
        policy.pause.flatMap { $0.isActive(at: now) ? $0 : nil }
    }

    /// The interval at which the daemon checks whether the screen is unlocked. The daemon polls, because
    /// logind reports an unlock only to D-Bus clients.
    static let lockInterval: Duration = .seconds(10)

    /// Queries whether the screen is locked, if that can change what is shown. Call this directly before a
    /// notification is shown.
    ///
    /// - Returns: whether the notification must be held.
    func isHeldByScreenLock() async -> Bool {
        guard policy.dependsOnLock else { return false }
        let isLocked = await isLocked() ?? false
        // Set `policy` only if the value has changed, because each assignment causes another check of the held
        // messages.
        if policy.isLocked != isLocked { policy.isLocked = isLocked }
        return policy.isHeldByLock
    }

    /// Returns the verdict on a message of `owner`'s notification. Suppresses the messages of a muted
    /// conversation, and holds a message while a program shows its conversation.
    func verdict(on subject: NotificationSubject, of owner: NotificationOwner, at now: ClockReading)
        -> Policy.Verdict
    {
        if muted.contains(owner) { return .suppress(reason: "the conversation is muted") }
        let verdict = policy.verdict(on: subject, now: now)
        guard verdict == .show, attended[owner] != nil else { return verdict }
        return .hold(reason: "shown in a window", until: nil)
    }

    /// Returns whether a program currently shows the conversation of `owner` to the user.
    package func isConversationDisplayed(for owner: NotificationOwner) -> Bool { attended[owner] != nil }

    /// Registers that a program shows these conversations. Balance each call with
    /// `endDisplayingConversations`.
    package func beginDisplayingConversations(of owners: [NotificationOwner]) {
        for owner in owners { attended[owner, default: 0] += 1 }
        openings.notify()
    }

    /// Registers that a program no longer shows these conversations. Messages that are still unread may then
    /// be shown.
    package func endDisplayingConversations(of owners: [NotificationOwner]) {
        for owner in owners {
            attended[owner] = attended[owner].flatMap { $0 > 1 ? $0 - 1 : nil }
        }
        requestReevaluation()
    }

    /// Whether a program currently shows the unanswered questions to the user.
    var areQuestionsDisplayed: Bool { questionDisplays > 0 }

    /// Registers that a program shows the unanswered questions. Balance each call with
    /// `endDisplayingQuestions`.
    package func beginDisplayingQuestions() {
        questionDisplays += 1
        requestReevaluation()
    }

    /// Registers that a program no longer shows the questions. The questions may then be shown as
    /// notifications.
    package func endDisplayingQuestions() {
        questionDisplays -= 1
        requestReevaluation()
    }

    /// Starts or ends a pause, and stores the change.
    package func setPause(_ pause: Policy.Pause?) throws {
        let stored = pause.map { StoredPause($0, at: runtime.clockReading, boot: bootID) }
        try saveChange { try $0.settings.setValue(of: Self.pause, to: stored) }
        policy.pause = pause
        loggedHolds = currentHolds(at: runtime.clockReading)
    }

    /// Ends an expired pause and stores the change, so that the pause does not resume if the clock is set
    /// back.
    func endExpiredPause() throws {
        guard let pause = policy.pause, !pause.isActive(at: runtime.clockReading) else { return }
        try setPause(nil)
    }

    /// Turns notifications on or off, and stores the choice. Overrides the configuration.
    package func setEnabled(_ enabled: Bool) throws {
        try saveChange { try $0.settings.setText(ofSetting: Self.enabledKey, to: enabled ? "on" : "off") }
        policy.enabled = enabled
        loggedHolds = currentHolds(at: runtime.clockReading)
    }

    /// Registers a client that follows the log. Balance each call with `endFollowingLog`.
    package func beginFollowingLog() {
        watcherCount += 1
        if watcherCount == 1 { arrivals.notify() }
    }

    /// Unregisters a client that followed the log.
    package func endFollowingLog() { watcherCount -= 1 }

    /// Writes `change` together with a log entry, so that followers of the log, such as status bars, refresh.
    package func saveChange(_ change: (Transaction) throws -> Void) throws {
        try log.log(.state, inTransaction: change)
    }
}
