package import CutieAPI
import Domain
package import Localization
import NotificationPolicy
package import Reasons
package import Store

/// A question that only the user can answer.
package enum Question: Hashable {
    /// Whether replies may pop up. Asked once, on first launch.
    case permission
    /// Whether the developers of apps may count this device as active.
    case consent
    /// Whether to add the account of a token. `account`: the account whose API issued the token. `api`: the
    /// address of that API. `appName`: the app's name according to the API; `nil` if the API did not report
    /// the app.
    case app(FeedbackToken, appName: String? = nil, account: String?, api: APIAddress = .production)
    /// Whether an app may show the replies of its developers on this computer.
    case hostApp(HostAppRequest)
    /// Whether an app may perform an action on its account.
    case hostAppAction(HostAppAction)
    /// Whether an app may have tokens for services, and for which services.
    case services(ServicesRequest)

    /// The kind of a question. The raw values are stored.
    package enum Kind: String {
        case permission, consent, app, services
        case hostApp = "host-app"
        case hostAppAction = "host-app-action"
    }

    var kind: Kind {
        switch self {
        case .permission: .permission
        case .consent: .consent
        case .app: .app
        case .hostApp: .hostApp
        case .hostAppAction: .hostAppAction
        case .services: .services
        }
    }

    /// The value that is stored together with the kind; `nil` for kinds without a value.
    var subject: String? {
        switch self {
        case .permission, .consent: nil
        case .app(let token, let appName, let account, let api):
            Self.encodeSubject(
                AppSubject(token: token, appName: appName, account: account, apiURL: api.description))
        case .hostApp(let request): Self.encodeSubject(request)
        case .hostAppAction(let action): Self.encodeSubject(action)
        case .services(let request): Self.encodeSubject(request)
        }
    }

    private static func encodeSubject(_ subject: some Encodable) -> String? {
        (try? JSON.encode(subject)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Decodes a stored question; `nil` if this version does not understand the record.
    package init?(_ record: QuestionRecord) {
        switch Kind(rawValue: record.kind) {
        case .permission: self = .permission
        case .consent: self = .consent
        case .app:
            guard let app = Self.decodeSubject(AppSubject.self, from: record),
                let api = try? APIAddress(app.apiURL)
            else { return nil }
            self = .app(app.token, appName: app.appName, account: app.account, api: api)
        case .hostApp:
            guard let request = Self.decodeSubject(HostAppRequest.self, from: record) else { return nil }
            self = .hostApp(request)
        case .hostAppAction:
            guard let action = Self.decodeSubject(HostAppAction.self, from: record) else { return nil }
            self = .hostAppAction(action)
        case .services:
            guard let request = Self.decodeSubject(ServicesRequest.self, from: record) else { return nil }
            self = .services(request)
        case nil: return nil
        }
    }

    private static func decodeSubject<Subject: Decodable>(
        _ type: Subject.Type, from record: QuestionRecord
    ) -> Subject? {
        record.subject.flatMap { try? JSON.decode(type, from: $0.utf8) }
    }

    private struct AppSubject: Codable {
        var token: FeedbackToken
        var appName: String?
        var account: String?
        var apiURL: String
    }
}

extension Question {
    /// The wording of a question and of its two answers.
    package struct Text {
        package var question: Reason
        /// The sentences that explain the question.
        package var detail: [Reason]
        package var allow: Reason
        package var refuse: Reason

        init(_ question: Reason, detail: [Reason], allow: Reason.Code, refuse: Reason.Code) {
            (self.question, self.detail) = (question, detail)
            (self.allow, self.refuse) = (Reason(allow), Reason(refuse))
        }
    }

    /// Returns the wording of the question. The question must be short, because notification servers truncate
    /// it after about 36 characters.
    package func text(for reader: UserRole) -> Text {
        switch self {
        case .permission:
            let (question, detail): (Reason.Code, Reason.Code) =
                switch reader {
                case .user: (.askToShowReplies, .repliesAreShown)
                case .staff: (.askToShowUserMessages, .userMessagesAreShown)
                case .both: (.askToShowMessages, .messagesAreShown)
                }
            return Text(Reason(question), detail: [Reason(detail)], allow: .leaveOn, refuse: .turnOff)
        case .consent:
            return Text(Reason(.askActivity), detail: [Reason(.activityEffect)], allow: .allow, refuse: .deny)
        case .app(_, let app?, _, let api):
            let names = ["app": app, "host": api.host]
            return Text(
                Reason(.askNamedApp, ["app": app]), detail: [Reason(.namedAppEffect, names)], allow: .allow,
                refuse: .deny)
        case .app(_, nil, _, let api):
            return Text(
                Reason(.askApp), detail: [Reason(.appEffect, ["host": api.host])], allow: .allow,
                refuse: .deny)
        case .hostApp(let request): return request.text
        case .hostAppAction(let action): return action.text
        case .services(let request): return request.text
        }
    }

    func makeNotification(withActions: Bool, for reader: UserRole) -> DesktopNotification {
        let text = text(for: reader)
        var detail = text.detail.map(\.localized).joined(separator: " ")
        if !withActions {
            detail += "\n"
            detail += localized(
                "To answer, run this command in a terminal: {command}", ["command": "cutied ctl questions"])
        }
        var notification = DesktopNotification.makeNotice(summary: text.question.localized, body: detail)
        notification.stackTag = "cutied-question-" + kind.rawValue + (requestingApp.map { "-" + $0 } ?? "")
        // Open the window on a click on the text: the window shows the complete text, and the server may hide
        // the buttons.
        notification.actions = [
            .init(.open, label: localized("Open")), .init(.allow, label: text.allow.localized),
        ]
        if isChoice { notification.actions.append(.init(.choose, label: localized("Choose…"))) }
        notification.actions.append(.init(.refuse, label: text.refuse.localized))
        if isRequestedByUser {
            notification.expireMilliseconds = 0
        } else {
            notification.urgency = .low
            notification.isTransient = true
        }
        return notification
    }

    /// Whether the user's own action causes the question: a click on a link, or an app that is waiting.
    /// Such a question is shown immediately, even in quiet hours. Other questions wait and are shown
    /// unobtrusively.
    var isRequestedByUser: Bool { kind == .app || isAwaited }

    /// Whether a client waits for the answer. If the client disconnects, the question is withdrawn.
    package var isAwaited: Bool { kind == .hostApp || kind == .hostAppAction || kind == .services }

    /// Whether `allow` grants access to another party.
    var isGrant: Bool { kind == .app || isAwaited }

    /// The name of the requesting program as the system reports it, and whether the system verified the
    /// program; `nil` if the question is not from a program.
    package var program: (name: String, isVerified: Bool)? {
        switch self {
        case .hostApp(let request): (request.program, request.isVerified)
        case .hostAppAction(let action): (action.program, action.isVerified)
        case .services(let request): (request.program, request.isVerified)
        case .permission, .consent, .app: nil
        }
    }

    /// The app that sent the request; `nil` for kinds with at most one open question.
    var requestingApp: String? {
        switch self {
        case .hostApp(let request): request.app
        case .hostAppAction(let action): action.app
        case .services(let request): request.app
        case .permission, .consent, .app: nil
        }
    }

    /// The request for services; `nil` for other kinds.
    package var servicesRequest: ServicesRequest? {
        if case .services(let request) = self { request } else { nil }
    }

    /// Whether the user must choose among several services. A notification has no room for the choice, so the
    /// user chooses in the window.
    var isChoice: Bool { servicesRequest?.isChoice == true }
}

extension Question {
    /// Returns the offered services that the user selected by name or link; empty if the question offers
    /// no services. Throws if the argument is invalid for the question.
    func offeredServices(named services: [String]?) throws(ServiceError) -> [OfferedService] {
        if let request = servicesRequest { return try request.offeredServices(named: services) }
        guard services == nil else {
            throw ServiceError.invalidArgument(
                parameter: "services", reason: Reason(.questionNotAboutServices))
        }
        return []
    }
}
