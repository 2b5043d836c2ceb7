public import Varlink

/// The permissions of apps on this desktop, and the services that apps can use.
public enum GrantsInterface: SocketInterface {
    public static let name = "io.cutied.Grants"

    public static var description: String {
        String(decoding: PackageResources.io_cutied_Grants_varlink, as: UTF8.self)
    }

    public static let faults: [any Fault.Type] = []
}

/// A method about apps and services.
public protocol GrantsMethod: ControlMethod where Interface == GrantsInterface {}

/// Returns the known services, most recently used first.
public struct ListServices: GrantsMethod {
    /// Whether to return only services with a token.
    public var mine: Bool?
    /// Search words for the name or the host.
    public var words: String?
    public var account: String?

    public init(mine: Bool? = nil, words: String? = nil, account: String? = nil) {
        (self.mine, self.words, self.account) = (mine, words, account)
    }

    public struct Reply: Codable, Hashable, Sendable {
        public var services: [ServiceView]
        /// A message for each source that could not be searched.
        public var problems: [String]?

        public init(services: [ServiceView], problems: [String]? = nil) {
            (self.services, self.problems) = (services, problems)
        }
    }
}

/// Searches for services at a host, or at the places named in the configuration.
public struct DiscoverServices: GrantsMethod {
    public typealias Reply = ListServices.Reply
    public var url: String?
    public var account: String?

    public init(url: String? = nil, account: String? = nil) { (self.url, self.account) = (url, account) }
}

/// Removes a service and revokes its tokens.
public struct ForgetService: GrantsMethod {
    public typealias Reply = RevokeGrant.Reply
    /// The name or the link of the service.
    public var service: String
    /// Whether to only report what would be lost.
    public var dryRun: Bool?
    public var account: String?

    public init(service: String, dryRun: Bool? = nil, account: String? = nil) {
        (self.service, self.dryRun, self.account) = (service, dryRun, account)
    }
}

/// Returns the permissions that apps were granted or refused, newest first.
public struct ListGrants: GrantsMethod {
    public init() {}

    public struct Reply: Codable, Hashable, Sendable {
        public var grants: [GrantView]

        public init(grants: [GrantView]) { self.grants = grants }
    }
}

/// Revokes the permissions of an app.
public struct RevokeGrant: GrantsMethod {
    /// `GrantView.app`, or the name of the account that the app owns.
    public var app: String
    /// Whether to only report what would be lost.
    public var dryRun: Bool?
    /// Whether to delete the history of the app's account, too.
    public var forget: Bool?

    public init(app: String, dryRun: Bool? = nil, forget: Bool? = nil) {
        (self.app, self.dryRun, self.forget) = (app, dryRun, forget)
    }

    public struct Reply: Codable, Hashable, Sendable {
        /// The losses, one sentence per item.
        public var lost: [String]

        public init(lost: [String]) { self.lost = lost }
    }
}

/// A service of the user's institution.
public struct ServiceView: Codable, Hashable, Sendable {
    public var account: String
    public var name: String
    /// The `engineLink`, which identifies the service.
    public var link: String
    public var host: String
    public var homePage: String?
    public var protocols: [String]
    /// The reason for each protocol that cannot be used; `nil` if all can.
    public var unusable: [String]?
    /// Whether a token for the service is stored.
    public var authorized: Bool
    /// Unix milliseconds.
    public var fetchedAt: Int64
    /// Unix milliseconds. The last time an app received a token for the service.
    public var usedAt: Int64?

    public init(
        account: String, name: String, link: String, host: String, homePage: String? = nil,
        protocols: [String], unusable: [String]? = nil, authorized: Bool, fetchedAt: Int64,
        usedAt: Int64? = nil
    ) {
        (self.account, self.name, self.link, self.host) = (account, name, link, host)
        (self.homePage, self.protocols, self.unusable) = (homePage, protocols, unusable)
        self.authorized = authorized
        (self.fetchedAt, self.usedAt) = (fetchedAt, usedAt)
    }
}

/// A permission that an app requested, and the user's decision.
public struct GrantView: Codable, Hashable, Sendable {
    public enum Kind: String, Codable, Sendable {
        /// Access to the replies of the app's maker.
        case feedback
        case services
    }

    public enum State: String, Codable, Sendable {
        case asked, granted, refused, expired, revoked
    }

    public var grantId: String
    /// The account that the app owns, or whose user it acts for; `nil` if there is none yet.
    public var account: String?
    /// A `Kind`, or an unknown value of a later version.
    public var kind: String
    /// The identifier of the app for `RevokeGrant`.
    public var app: String
    /// The name that the app gave itself.
    public var appName: String
    /// Whether the system verified the identity of the app.
    public var verified: Bool
    public var protocols: [String]
    /// The names of the services.
    public var services: [String]
    /// A `State`, or an unknown value of a later version.
    public var state: String
    /// Unix milliseconds, as are the two times below.
    public var askedAt: Int64
    public var decidedAt: Int64?
    public var expiresAt: Int64?

    public init(
        grantId: String, account: String? = nil, kind: Kind, app: String, appName: String, verified: Bool,
        protocols: [String] = [], services: [String] = [], state: State, askedAt: Int64,
        decidedAt: Int64? = nil, expiresAt: Int64? = nil
    ) {
        (self.grantId, self.account, self.kind) = (grantId, account, kind.rawValue)
        (self.app, self.appName, self.verified) = (app, appName, verified)
        (self.protocols, self.services, self.state) = (protocols, services, state.rawValue)
        (self.askedAt, self.decidedAt, self.expiresAt) = (askedAt, decidedAt, expiresAt)
    }
}
