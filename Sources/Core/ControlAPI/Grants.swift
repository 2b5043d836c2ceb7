/// The known values of `kind` and `state`. A later daemon may send other values.
extension GrantView {
    public enum Kind: String, Codable, Sendable {
        /// Access to the replies of the app's developer.
        case feedback
        case services
    }

    public enum State: String, Codable, Sendable {
        case asked, granted, refused, expired, revoked
    }

    public init(
        grantId: String, account: String? = nil, kind: Kind, app: String, appName: String, verified: Bool,
        protocols: [String] = [], services: [String] = [], state: State, askedAt: Int64,
        decidedAt: Int64? = nil, expiresAt: Int64? = nil
    ) {
        self.init(
            grantId: grantId, account: account, kind: kind.rawValue, app: app, appName: appName,
            verified: verified, protocols: protocols, services: services, state: state.rawValue,
            askedAt: askedAt, decidedAt: decidedAt, expiresAt: expiresAt)
    }
}
