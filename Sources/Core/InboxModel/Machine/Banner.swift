public import ControlAPI
import Localization

/// The most urgent state of the app, shown at the top of the window.
public enum Banner: Hashable, Sendable {
    /// No App ID is configured.
    case notConfigured
    /// The user must act; `advice` describes how.
    case stopped(account: String?, reason: String, advice: String?)
    /// The user is signed out of the account with this title.
    case signedOut(String)
    /// The account is not connected. `since`: the formatted time at which the connection was lost; `nil` if
    /// unknown.
    case offline(account: String?, since: String?, reason: String?)
    /// The first pending question. `count`: the number of pending questions.
    case question(QuestionView, count: Int)
    /// The number of the user's messages that could not be sent.
    case notSent(Int)
    case connecting(account: String?)
    /// Notifications are paused. `until`: the formatted end of the pause; `nil` if the pause has no end.
    case paused(until: String?, hidesText: Bool)
    /// Quiet hours suppress notifications. `until`: the formatted end of the quiet hours; `nil` if unknown.
    case quietHours(until: String?)
    case notificationsOff
    case noNotificationServer
    /// Notifications hide the message text until the user confirms their presence at this desktop.
    case hidesText

    public var sentence: String {
        switch self {
        case .notConfigured: localized("Cuti-E is not set up yet.")
        case .signedOut(let account):
            localized("You are not signed in to {account}.", ["account": account])
        case .stopped(let account, let reason, _): Self.message(forAccount: account, text: reason)
        case .offline(let account, let since, let reason):
            Self.message(forAccount: account, text: Self.offlineMessage(since: since, reason: reason))
        case .question(let question, _): question.question
        case .notSent(let count):
            localized(
                one: "{count} message could not be sent.", other: "{count} messages could not be sent.",
                count: count)
        case .connecting(let account): Self.message(forAccount: account, text: localized("Connecting…"))
        case .paused(let until, let hidesText): Self.pausedMessage(until: until, hidesText: hidesText)
        case .quietHours(let until?):
            localized("Quiet hours: no notifications until {time}.", ["time": until])
        case .quietHours(nil): localized("Quiet hours: no notifications are shown.")
        case .notificationsOff: localized("Notifications are turned off.")
        case .noNotificationServer: localized("No notification service is running in this session.")
        case .hidesText:
            localized("Notifications hide message text until you confirm that you are at this computer.")
        }
    }

    private static func message(forAccount account: String?, text sentence: String) -> String {
        account.map { localized("{account}: {sentence}", ["account": $0, "sentence": sentence]) } ?? sentence
    }

    private static func offlineMessage(since: String?, reason: String?) -> String {
        switch (since, reason) {
        case (let since?, let reason?):
            localized("Offline since {time}: {reason}", ["time": since, "reason": reason])
        case (let since?, nil): localized("Offline since {time}", ["time": since])
        case (nil, let reason?): localized("Offline: {reason}", ["reason": reason])
        case (nil, nil): localized("Offline")
        }
    }

    private static func pausedMessage(until: String?, hidesText: Bool) -> String {
        switch (until, hidesText) {
        case (let time?, false): localized("Notifications are paused until {time}.", ["time": time])
        case (let time?, true): localized("Notifications hide message text until {time}.", ["time": time])
        case (nil, false): localized("Notifications are paused.")
        case (nil, true): localized("Notifications hide message text.")
        }
    }
}

/// The connection to the daemon, for the view.
public enum DaemonView: Hashable, Sendable {
    /// The daemon has not responded yet.
    case connecting
    case ready
    /// The daemon is not running or does not respond. The value is an error message, for example of a failed
    /// start; `nil` if there is none.
    case notRunning(String?)
    case starting
    /// The connection was lost. The window still shows the data that it had received.
    case disconnected
    /// The daemon's version is too old. The value is a message for the user.
    case tooOld(String)
    /// The socket is unusable until the user fixes the cause. The value is a message for the user.
    case unusable(String)
}

/// The state of notifications, with the reasons for a hold.
public struct NotificationStatus: Hashable, Sendable {
    public var isPaused: Bool
    /// The reasons why notifications are held or hide message text, most important first.
    public var holds: [Banner]
}

/// The connection to the daemon.
enum DaemonPhase: Hashable, Sendable {
    case connecting
    case ready
    case absent(String?)
    /// The daemon was started at this time, in Unix milliseconds.
    case starting(since: Int64)
    case disconnected
    case tooOld(String)
    case unusable(String)

    /// The time limit for starting the daemon, in milliseconds. If the daemon has not connected by then, the
    /// start has failed.
    private static let startLimit: Int64 = 15_000

    /// Starts waiting for the daemon, unless it is already connected or unusable.
    mutating func handleStart(now: Int64) {
        switch self {
        case .connecting, .absent, .disconnected: self = .starting(since: now)
        case .ready, .starting, .tooOld, .unusable: break
        }
    }

    mutating func handleDisconnect(reason: DisconnectReason, isListLoaded: Bool, now: Int64) {
        switch (self, reason) {
        case (_, .tooOld(let sentence)): self = .tooOld(sentence)
        case (_, .unusable(let sentence)): self = .unusable(sentence)
        case (.starting(let since), _) where now - since < Self.startLimit: break
        case (.starting, _):
            self = .absent(localized("Cuti-E was started but is not responding."))
        case (.absent, _): break
        case (_, .tooSlow) where !isListLoaded:
            self = .absent(localized("Cuti-E is running but not responding."))
        default: self = isListLoaded ? .disconnected : .absent(nil)
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
