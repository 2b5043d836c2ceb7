package import CutieAPI
package import Store

/// A permission that an app requested, and the user's decision.
package struct AppGrant {
    package enum Kind {
        /// Permission to show the replies of the app's developers.
        case feedback
        case services
    }

    package let id: String
    /// The account that belongs to the app, or the account of the user on whose behalf the app acts; `nil` if
    /// no account exists yet.
    package let account: String?
    package let kind: Kind
    /// The identity of the app.
    package let app: String
    /// The app's name, as the app reported it.
    package let appName: String
    /// Whether the system has verified the identity of the app.
    package let isVerified: Bool
    package let protocols: [String]
    /// The names of the services.
    package let services: [String]
    package let state: GrantRecord.State
    package let askedAt: Timestamp
    package let decidedAt: Timestamp?
    package let expiresAt: Timestamp?

    package init(
        id: String, account: String? = nil, kind: Kind, app: String, appName: String, isVerified: Bool,
        protocols: [String] = [], services: [String] = [], state: GrantRecord.State, askedAt: Timestamp,
        decidedAt: Timestamp? = nil, expiresAt: Timestamp? = nil
    ) {
        (self.id, self.account, self.kind) = (id, account, kind)
        (self.app, self.appName, self.isVerified) = (app, appName, isVerified)
        (self.protocols, self.services, self.state) = (protocols, services, state)
        (self.askedAt, self.decidedAt, self.expiresAt) = (askedAt, decidedAt, expiresAt)
    }
}
