public import Varlink

/// Signing in to the accounts of support staff and of people whom an institution knows, and out.
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

/// Signs in (with `more`): first what the person has to do, then the session.
public struct SignIn: SignInCall {
    public var account: String?
    /// `device`, `browser` or `client`; nil: the best that the issuer offers.
    public var method: String?
    /// A name that the issuer's page may fill in.
    public var hint: String?
    /// The person wants to make an account there.
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

/// Takes what the browser came back with.
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

/// Asks the issuer again who the person is.
public struct RefreshProfile: SignInCall {
    public var account: String?

    public init(account: String? = nil) { self.account = account }

    public typealias Reply = SessionReply
}

public struct SignOut: SignInCall {
    public var account: String?
    /// Only tells.
    public var dryRun: Bool?

    public init(account: String? = nil, dryRun: Bool? = nil) {
        (self.account, self.dryRun) = (account, dryRun)
    }

    public struct Reply: Codable, Hashable, Sendable {
        /// What is revoked, or would be, for a person.
        public var revoked: [String]
        /// The issuer could not be reached, and gets it later.
        public var queued: Bool

        public init(revoked: [String], queued: Bool) { (self.revoked, self.queued) = (revoked, queued) }
    }
}

public struct SessionReply: Codable, Hashable, Sendable {
    public var session: SessionView

    public init(session: SessionView) { self.session = session }
}

/// Who is signed in to an account, as the issuer said last.
public struct SessionView: Codable, Hashable, Sendable {
    public var account: String
    public var auth: Authentication
    /// Why nobody is, with what to do.
    public var reason: String?
    /// Names the person at the issuer.
    public var subject: String?
    /// Names them at the API.
    public var adminId: String?
    public var name: String?
    public var email: String?
    public var issuer: String
    /// `device`, `browser` or `client`.
    public var method: String?
    public var scopes: [String]
    /// Unix milliseconds.
    public var expiresAt: Int64?
    /// Pages of the issuer.
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

/// Nobody is signed in.
public struct SignInRequired: SignInFault, Hashable {
    public var reason: String
    public init(reason: String) { self.reason = reason }
}

/// The person or the issuer refused the sign-in, or a redirect has no effect.
public struct AccessDenied: SignInFault, Hashable {
    public var reason: String
    public init(reason: String) { self.reason = reason }
}

/// The time for the sign-in is over.
public struct CodeExpired: SignInFault, Hashable {
    public var reason: String
    public init(reason: String) { self.reason = reason }
}

/// The sign-in is good, and may not be used for this.
public struct InsufficientScope: SignInFault, Hashable {
    /// What it lacks, where the API tells.
    public var scope: String?
    public var reason: String

    public init(scope: String? = nil, reason: String) { (self.scope, self.reason) = (scope, reason) }
}

/// The person has to confirm at this desktop that they are there.
public struct PresenceRequired: SignInFault, Hashable {
    public var reason: String
    public init(reason: String) { self.reason = reason }
}
