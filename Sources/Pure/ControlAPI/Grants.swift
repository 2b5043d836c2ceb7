public import Varlink

/// What apps on this desktop may do, and which services there are for them.
public enum GrantsInterface: SocketInterface {
    public static let name = "io.cutied.Grants"

    public static var description: String {
        String(decoding: PackageResources.io_cutied_Grants_varlink, as: UTF8.self)
    }

    public static let faults: [any Fault.Type] = []
}

/// A call about apps and services.
public protocol GrantsMethod: ControlMethod where Interface == GrantsInterface {}

/// The services that are known, those that were used last first.
public struct ListServices: GrantsMethod {
    /// Only those with a token.
    public var mine: Bool?
    /// In the name or the host.
    public var words: String?
    public var account: String?

    public init(mine: Bool? = nil, words: String? = nil, account: String? = nil) {
        (self.mine, self.words, self.account) = (mine, words, account)
    }

    public struct Reply: Codable, Hashable, Sendable {
        public var services: [ServiceView]
        /// A sentence for each place that was searched without success.
        public var problems: [String]?

        public init(services: [ServiceView], problems: [String]? = nil) {
            (self.services, self.problems) = (services, problems)
        }
    }
}

/// Looks which services there are, at a host, or where the configuration says.
public struct DiscoverServices: GrantsMethod {
    public typealias Reply = ListServices.Reply
    public var url: String?
    public var account: String?

    public init(url: String? = nil, account: String? = nil) { (self.url, self.account) = (url, account) }
}

/// Forgets a service; the tokens at it are given back.
public struct ForgetService: GrantsMethod {
    public typealias Reply = RevokeGrant.Reply
    /// Its name or its link.
    public var service: String
    /// Only tells what is lost.
    public var dryRun: Bool?
    public var account: String?

    public init(service: String, dryRun: Bool? = nil, account: String? = nil) {
        (self.service, self.dryRun, self.account) = (service, dryRun, account)
    }
}

/// What apps may do and what was refused, the newest first.
public struct ListGrants: GrantsMethod {
    public init() {}

    public struct Reply: Codable, Hashable, Sendable {
        public var grants: [GrantView]

        public init(grants: [GrantView]) { self.grants = grants }
    }
}

/// Takes from an app what it was granted.
public struct RevokeGrant: GrantsMethod {
    /// `GrantView.app`, or the name of the account that it owns.
    public var app: String
    /// Only tells what is lost.
    public var dryRun: Bool?
    /// The history of its account goes, too.
    public var forget: Bool?

    public init(app: String, dryRun: Bool? = nil, forget: Bool? = nil) {
        (self.app, self.dryRun, self.forget) = (app, dryRun, forget)
    }

    public struct Reply: Codable, Hashable, Sendable {
        /// A sentence each.
        public var lost: [String]

        public init(lost: [String]) { self.lost = lost }
    }
}

/// A service of the person's institution.
public struct ServiceView: Codable, Hashable, Sendable {
    public var account: String
    public var name: String
    /// Its `engineLink`, which tells it from all others.
    public var link: String
    public var host: String
    public var homePage: String?
    public var protocols: [String]
    /// A sentence for each protocol that cannot be used; `nil` if all can.
    public var unusable: [String]?
    /// There is a token for it.
    public var authorized: Bool
    /// Unix milliseconds, like the one below.
    public var fetchedAt: Int64
    /// An app got a token for it last.
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

/// What an app asked for, and what the person said.
public struct GrantView: Codable, Hashable, Sendable {
    public enum Kind: String, Codable, Sendable {
        /// Answers of the app's maker.
        case feedback
        case services
    }

    public enum State: String, Codable, Sendable {
        case asked, granted, refused, expired, revoked
    }

    public var grantId: String
    /// The account that the app owns, or whose person it acts for; nil: none yet.
    public var account: String?
    /// A `Kind`, or a later version's.
    public var kind: String
    /// What `RevokeGrant` names the app by.
    public var app: String
    /// What the app calls itself.
    public var appName: String
    /// The system vouches for the app.
    public var verified: Bool
    public var protocols: [String]
    /// Names.
    public var services: [String]
    /// A `State`, or a later version's.
    public var state: String
    /// Unix milliseconds, like the two below.
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
