public import ControlAPI
import Localization

/// The most urgent state of the app, shown above the rest of the window.
public enum Banner: Hashable, Sendable {
    /// No App ID is configured, so nothing works yet.
    case notConfigured
    /// Requires an action of the user: `advice` says which.
    case stopped(account: String?, reason: String, advice: String?)
    /// The account with this title has no session.
    case signedOut(String)
    /// `since`: a formatted time; `nil` if unknown.
    case offline(account: String?, since: String?, reason: String?)
    /// Questions wait for the user's decision: the first one and their number.
    case question(QuestionView, count: Int)
    /// The number of the user's messages that could not be sent.
    case notSent(Int)
    case connecting
    /// `until`: a formatted time; `nil` until the user ends the pause.
    case paused(until: String?, hidesText: Bool)
    /// Quiet hours suppress notifications until this formatted time.
    case quietHours(until: String?)
    case notificationsOff
    case noNotificationServer
    /// Notifications hide the message text until the user confirms that they are at this desktop.
    case hidesText

    /// The text for the user.
    public var sentence: String {
        switch self {
        case .notConfigured: localized("Cuti-E is not set up yet.")
        case .signedOut(let account):
            localized("You are not signed in to {account}.", ["account": account])
        case .stopped(let account, let reason, _): Self.named(account, reason)
        case .offline(let account, let since, let reason): Self.named(account, Self.offline(since, reason))
        case .question(let question, _): question.question
        case .notSent(let count):
            localized(
                one: "{count} message could not be sent.", other: "{count} messages could not be sent.",
                count: count)
        case .connecting: localized("Connecting…")
        case .paused(let until, let hidesText): Self.paused(until, hidesText)
        case .quietHours(let until?):
            localized("Quiet hours: notifications are paused until {time}.", ["time": until])
        case .quietHours(nil): localized("Quiet hours: notifications are paused.")
        case .notificationsOff: localized("Notifications are turned off.")
        case .noNotificationServer: localized("No notification service is running in this session.")
        case .hidesText: localized("Notifications hide message text until you confirm your presence.")
        }
    }

    private static func named(_ account: String?, _ sentence: String) -> String {
        account.map { localized("{account}: {sentence}", ["account": $0, "sentence": sentence]) } ?? sentence
    }

    private static func offline(_ since: String?, _ reason: String?) -> String {
        switch (since, reason) {
        case (let since?, let reason?):
            localized("Offline since {time}: {reason}", ["time": since, "reason": reason])
        case (let since?, nil): localized("Offline since {time}", ["time": since])
        case (nil, let reason?): localized("Offline: {reason}", ["reason": reason])
        case (nil, nil): localized("Offline")
        }
    }

    private static func paused(_ until: String?, _ hidesText: Bool) -> String {
        switch (until, hidesText) {
        case (let time?, false): localized("Notifications are paused until {time}.", ["time": time])
        case (let time?, true): localized("Notifications hide message text until {time}.", ["time": time])
        case (nil, false): localized("Notifications are paused.")
        case (nil, true): localized("Notifications hide message text.")
        }
    }
}

/// The state of the connection to the daemon.
public enum DaemonView: Hashable, Sendable {
    /// The daemon has not answered yet.
    case connecting
    case ready
    /// The error text if starting the daemon failed.
    case notRunning(String?)
    case starting
    /// The connection was lost; the window shows the state before that.
    case disconnected
    /// The daemon has another version; a sentence for the user.
    case tooOld(String)
    /// The socket is unusable until the user fixes the cause; a sentence for the user.
    case unusable(String)
}

/// The state of notifications: whether they are paused, and why.
public struct NotificationStatus: Hashable, Sendable {
    public var isPaused: Bool
    /// The reasons that suppress notifications or hide their text, most important first; empty if there are
    /// none.
    public var holds: [Banner]
}

/// The state of the connection to the daemon, with the time of a start.
enum DaemonPhase: Hashable, Sendable {
    case connecting
    case ready
    case absent(String?)
    /// In Unix milliseconds.
    case starting(since: Int64)
    case disconnected
    case tooOld(String)
    case unusable(String)

    /// In milliseconds. A daemon that does not connect within this time failed to start.
    private static let startLimit: Int64 = 15_000

    mutating func disconnect(_ reason: DisconnectReason, hasContent: Bool, now: Int64) {
        switch (self, reason) {
        case (_, .tooOld(let sentence)): self = .tooOld(sentence)
        case (_, .unusable(let sentence)): self = .unusable(sentence)
        case (.starting(let since), _) where now - since < Self.startLimit: break
        case (.starting, _):
            self = .absent(localized("Cuti-E was started but does not respond."))
        case (.absent, _): break
        case (_, .tooSlow) where !hasContent:
            self = .absent(localized("Cuti-E is running but does not respond."))
        default: self = hasContent ? .disconnected : .absent(nil)
        }
    }

    var view: DaemonView {
        switch self {
        case .connecting: .connecting
        case .ready: .ready
        case .absent(let sentence): .notRunning(sentence)
        case .starting: .starting
        case .disconnected: .disconnected
        case .tooOld(let sentence): .tooOld(sentence)
        case .unusable(let sentence): .unusable(sentence)
        }
    }
}
