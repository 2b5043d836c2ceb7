public import Varlink

/// The interface for signing in and out, for accounts of support staff and of users of an institution.
public enum SignInInterface: SocketInterface {
    public static let name = "io.cutied.SignIn"

    public static var description: String {
        String(decoding: PackageResources.io_cutied_SignIn_varlink, as: UTF8.self)
    }

    public static let faults: [any Fault.Type] = [
        AccessDenied.self, CodeExpired.self, InsufficientScope.self, PresenceRequired.self,
        SignInRequired.self,
    ]
}

public protocol SignInCall: ControlMethod where Interface == SignInInterface {}
public protocol SignInFault: ControlFault where Interface == SignInInterface {}

/// Signs in (with `more`). The first reply has the instructions for the user, the second one the session.
public struct SignIn: SignInCall {
    public var account: String?
    /// `device`, `browser` or `client`; `nil` for the best method that the issuer offers.
    public var method: String?
    /// A login name that the issuer's page may fill in.
    public var hint: String?
    /// Whether the user wants to create an account at the issuer.
    public var register: Bool?

    public init(account: String? = nil, method: String? = nil, hint: String? = nil, register: Bool? = nil) {
        (self.account, self.method) = (account, method)
        (self.hint, self.register) = (hint, register)
    }

    public struct Reply: Codable, Hashable, Sendable {
        public var userCode: String?
        public var verificationUri: String?
        public var verificationUriComplete: String?
        /// Unix milliseconds.
        public var expiresAt: Int64?
        public var authorizationUri: String?
        public var session: SessionView?

        public init(
            userCode: String, verificationUri: String, verificationUriComplete: String?, expiresAt: Int64
        ) {
            (self.userCode, self.verificationUri) = (userCode, verificationUri)
            (self.verificationUriComplete, self.expiresAt) = (verificationUriComplete, expiresAt)
        }

        public init(authorizationUri: String) { self.authorizationUri = authorizationUri }
        public init(session: SessionView) { self.session = session }
    }
}

/// Completes a sign-in with the redirect address from the browser.
public struct CompleteSignIn: SignInCall {
    public var redirect: String

    public init(redirect: String) { self.redirect = redirect }

    public typealias Reply = SessionReply
}

public struct GetSession: SignInCall {
    public var account: String?

    public init(account: String? = nil) { self.account = account }

    public typealias Reply = SessionReply
}

/// Fetches the user's profile from the issuer again.
public struct RefreshProfile: SignInCall {
    public var account: String?

    public init(account: String? = nil) { self.account = account }

    public typealias Reply = SessionReply
}

public struct SignOut: SignInCall {
    public var account: String?
    /// Whether to only report what would be revoked.
    public var dryRun: Bool?

    public init(account: String? = nil, dryRun: Bool? = nil) {
        (self.account, self.dryRun) = (account, dryRun)
    }

    public struct Reply: Codable, Hashable, Sendable {
        /// The items that are revoked, or would be, as text for the user.
        public var revoked: [String]
        /// Whether the issuer was unreachable, so that the revocation is still pending.
        public var queued: Bool

        public init(revoked: [String], queued: Bool) { (self.revoked, self.queued) = (revoked, queued) }
    }
}

public struct SessionReply: Codable, Hashable, Sendable {
    public var session: SessionView

    public init(session: SessionView) { self.session = session }
}

/// The session of an account, as last reported by the issuer.
public struct SessionView: Codable, Hashable, Sendable {
    public var account: String
    public var auth: Authentication
    /// The reason why no user is signed in, with advice.
    public var reason: String?
    /// The user's id at the issuer.
    public var subject: String?
    /// The user's id at the API.
    public var adminId: String?
    public var name: String?
    public var email: String?
    public var issuer: String
    /// `device`, `browser` or `client`.
    public var method: String?
    public var scopes: [String]
    /// Unix milliseconds.
    public var expiresAt: Int64?
    /// The address of a page of the issuer, as is the one below.
    public var registerUri: String?
    public var forgotUri: String?

    public init(
        account: String, auth: Authentication, reason: String? = nil, subject: String? = nil,
        adminId: String? = nil, name: String? = nil, email: String? = nil, issuer: String,
        method: String? = nil, scopes: [String], expiresAt: Int64? = nil, registerUri: String? = nil,
        forgotUri: String? = nil
    ) {
        (self.account, self.auth, self.reason) = (account, auth, reason)
        (self.subject, self.adminId, self.name, self.email) = (subject, adminId, name, email)
        (self.issuer, self.method, self.scopes, self.expiresAt) = (issuer, method, scopes, expiresAt)
        (self.registerUri, self.forgotUri) = (registerUri, forgotUri)
    }
}

/// The account has no session.
public struct SignInRequired: SignInFault, Hashable {
    public var reason: String
    public init(reason: String) { self.reason = reason }
}

/// The user or the issuer refused the sign-in, or a redirect address was not accepted.
public struct AccessDenied: SignInFault, Hashable {
    public var reason: String
    public init(reason: String) { self.reason = reason }
}

/// The sign-in took too long and expired.
public struct CodeExpired: SignInFault, Hashable {
    public var reason: String
    public init(reason: String) { self.reason = reason }
}

/// The session is valid, but lacks the permission for this call.
public struct InsufficientScope: SignInFault, Hashable {
    /// The missing scope; `nil` if the API does not report it.
    public var scope: String?
    public var reason: String

    public init(scope: String? = nil, reason: String) { (self.scope, self.reason) = (scope, reason) }
}

/// The user must confirm their presence at this desktop.
public struct PresenceRequired: SignInFault, Hashable {
    public var reason: String
    public init(reason: String) { self.reason = reason }
}
