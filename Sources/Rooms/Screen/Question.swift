import Attention
import ControlAPI
package import CutieAPI
import Desktop
import Localization
package import Store

/// What only the person can decide.
package enum Question: Hashable {
    /// Whether replies may pop up: told once, at the very first start.
    case permission
    /// Whether the apps' makers may count this device as in use.
    case consent
    /// Whether the account behind a token is to be added; `account`: at whose API it was made, nil: the first's.
    case app(FeedbackToken, account: String?)
    /// Whether an app may show the answers of its makers here.
    case hostApp(HostAppRequest)

    package enum Kind: String {
        case permission, consent, app
        case hostApp = "host-app"
    }

    var kind: Kind {
        switch self {
        case .permission: .permission
        case .consent: .consent
        case .app: .app
        case .hostApp: .hostApp
        }
    }

    /// What is stored with the kind.
    var subject: String? {
        switch self {
        case .permission, .consent: nil
        case .app(let token, let account): Self.text(AppSubject(token: token, account: account))
        case .hostApp(let request): Self.text(request)
        }
    }

    private static func text(_ subject: some Encodable) -> String? {
        (try? JSON.encode(subject)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// nil for a row that this version does not understand.
    package init?(_ record: QuestionRecord) {
        switch Kind(rawValue: record.kind) {
        case .permission: self = .permission
        case .consent: self = .consent
        case .app:
            guard let subject = record.subject,
                let app = try? JSON.decode(AppSubject.self, from: subject.utf8)
            else { return nil }
            self = .app(app.token, account: app.account)
        case .hostApp:
            guard let subject = record.subject,
                let request = try? JSON.decode(HostAppRequest.self, from: subject.utf8)
            else { return nil }
            self = .hostApp(request)
        case nil: return nil
        }
    }

    private struct AppSubject: Codable {
        var token: FeedbackToken
        var account: String?
    }
}

extension Question {
    package struct Words {
        package var question: String
        package var detail: String
        package var allow: String
        package var refuse: String
    }

    /// As a person reads them, by pop-up and in a terminal. Servers cut a summary after some 36 characters.
    package var words: Words {
        switch self {
        case .permission:
            Words(
                question: localized("Show replies to your feedback here?"),
                detail: localized(
                    """
                    When somebody answers your feedback, a short message appears on this screen. \
                    You can keep that, or turn it off now.
                    """),
                allow: localized("Keep on"), refuse: localized("Turn off"))
        case .consent:
            Words(
                question: localized("May apps count you as active?"),
                detail: localized(
                    """
                    Their makers would be told at each start that this computer is in use, \
                    under a number instead of your name. Nothing is sent unless you allow it.
                    """),
                allow: localized("Allow"), refuse: localized("Refuse"))
        case .app:
            Words(
                question: localized("Show another app's feedback here?"),
                detail: localized(
                    """
                    A link asks to show an app's conversations on this computer, too, where they could \
                    be read and answered. Allow it only if you have just asked for it.
                    """),
                allow: localized("Allow"), refuse: localized("Refuse"))
        case .hostApp(let request): request.words
        }
    }

    func popup(withActions: Bool) -> Popup {
        var detail = words.detail
        if !withActions {
            detail += "\n"
            detail += localized(
                "To answer, type in a terminal: {command}", ["command": "cutied ctl questions"])
        }
        var popup = Popup.notice(words.question, detail)
        popup.stackTag = "cutied-question-" + kind.rawValue + (asker.map { "-" + $0 } ?? "")
        popup.actions = [
            .init(.allow, label: words.allow), .init(.refuse, label: words.refuse),
        ]
        if isAskedByThePerson {
            popup.expireMilliseconds = 0
        } else {
            popup.urgency = .low
            popup.isTransient = true
        }
        return popup
    }

    /// The person's own click on a link is answered at once, whatever the hour is, and so is an app that waits before
    /// their eyes. What the daemon asks by itself is in nobody's way.
    var isAskedByThePerson: Bool { kind == .app || isAwaited }

    /// Whoever asks waits for the answer: without them it is nothing.
    package var isAwaited: Bool { kind == .hostApp }

    /// Allowing it gives somebody something.
    var isGrant: Bool { kind == .app || kind == .hostApp }

    /// Who asks, where there may be several of one kind; else a newer question takes the place of an older one.
    var asker: String? {
        guard case .hostApp(let request) = self else { return nil }
        return request.app
    }
}
