public import ControlAPI
import Localization

/// What is said above everything else; the most pressing only.
public enum Banner: Hashable, Sendable {
    /// Nothing can be done before an App ID is known.
    case notConfigured
    /// `reason` and what to do; needs a person.
    case stopped(account: String?, reason: String, advice: String?)
    /// The account with this title has no session.
    case signedOut(String)
    /// `since`, in words; nil where nobody knows.
    case offline(account: String?, since: String?, reason: String?)
    /// Something waits for the person's decision, of so many.
    case question(QuestionView, count: Int)
    /// What the person wrote could not be sent: so many.
    case notSent(Int)
    case connecting
    /// `until`, in words; nil: until the person ends it.
    case paused(until: String?, hidesWords: Bool)
    /// Quiet hours hold notifications; `until` in words.
    case quietHours(until: String?)
    case notificationsOff
    case noNotificationServer
    /// Notifications show no text until the person confirms that they are at this desktop.
    case hidesText

    /// For the person.
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
        case .connecting: localized("Connecting …")
        case .paused(let until, let hidesWords): Self.paused(until, hidesWords)
        case .quietHours(let until?):
            localized("Quiet hours: notifications are held until {time}.", ["time": until])
        case .quietHours(nil): localized("Quiet hours: notifications are held.")
        case .notificationsOff: localized("Notifications are turned off.")
        case .noNotificationServer: localized("No program shows notifications in this session.")
        case .hidesText: localized("Notifications show no text until you confirm that you are here.")
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

    private static func paused(_ until: String?, _ hidesWords: Bool) -> String {
        switch (until, hidesWords) {
        case (let time?, false): localized("Pop-ups are paused until {time}.", ["time": time])
        case (let time?, true): localized("Pop-ups show no words until {time}.", ["time": time])
        case (nil, false): localized("Pop-ups are paused.")
        case (nil, true): localized("Pop-ups show no words.")
        }
    }
}

/// Whether somebody answers in the background.
public enum DaemonView: Hashable, Sendable {
    /// Nobody has answered yet.
    case connecting
    case here
    /// A sentence, where it was started in vain.
    case doesNotRun(String?)
    case starting
    /// What is shown is as it was when it went.
    case went
    /// It runs in another version; a sentence.
    case tooOld(String)
    /// No waiting heals that; a sentence.
    case unusable(String)
}

/// Whether notifications appear.
public struct PopupsView: Hashable, Sendable {
    public var isPaused: Bool
    /// The reasons that hold notifications now, the most important first; empty if they appear in full.
    public var holds: [Banner]
}

/// Whether the daemon is there, as the window hears of it.
enum DaemonPhase: Hashable, Sendable {
    case connecting
    case here
    case absent(String?)
    /// Since Unix milliseconds.
    case starting(since: Int64)
    case gone
    case tooOld(String)
    case unusable(String)

    /// A daemon that does not come within this time is not starting any more.
    private static let startLimit: Int64 = 15_000

    mutating func lose(_ absence: Absence, hasContent: Bool, now: Int64) {
        switch (self, absence) {
        case (_, .tooOld(let sentence)): self = .tooOld(sentence)
        case (_, .unusable(let sentence)): self = .unusable(sentence)
        case (.starting(let since), _) where now - since < Self.startLimit: break
        case (.starting, _):
            self = .absent(localized("It was started, but does not answer."))
        case (.absent, _): break
        case (_, .tooSlow) where !hasContent:
            self = .absent(localized("It runs, but does not answer."))
        default: self = hasContent ? .gone : .absent(nil)
        }
    }

    var view: DaemonView {
        switch self {
        case .connecting: .connecting
        case .here: .here
        case .absent(let sentence): .doesNotRun(sentence)
        case .starting: .starting
        case .gone: .went
        case .tooOld(let sentence): .tooOld(sentence)
        case .unusable(let sentence): .unusable(sentence)
        }
    }
}
