import CutieAPI
import Store

/// What only the person can decide.
enum Question: Hashable {
    /// Whether replies may pop up: told once, at the very first start.
    case permission
    /// Whether the apps' makers may count this device as in use.
    case consent
    /// Whether the account behind a token is to be added; `account`: at whose API it was made, nil: the first's.
    case app(FeedbackToken, account: String?)

    enum Kind: String {
        case permission, consent, app
    }

    var kind: Kind {
        switch self {
        case .permission: .permission
        case .consent: .consent
        case .app: .app
        }
    }

    /// What is stored with the kind.
    var subject: String? {
        guard case .app(let token, let account) = self else { return nil }
        let subject = AppSubject(token: token, account: account)
        return (try? JSON.encode(subject)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// nil for a row that this version does not understand.
    init?(_ record: QuestionRecord) {
        switch Kind(rawValue: record.kind) {
        case .permission: self = .permission
        case .consent: self = .consent
        case .app:
            guard let subject = record.subject,
                let app = try? JSON.decode(AppSubject.self, from: subject.utf8)
            else { return nil }
            self = .app(app.token, account: app.account)
        case nil: return nil
        }
    }

    private struct AppSubject: Codable {
        var token: FeedbackToken
        var account: String?
    }
}
