public import Varlink

/// Asks for access to one or more services that have all of the protocols. An empty list is a refusal without
/// a reason.
public struct AuthorizeProtocols: AccessMethod {
    public var clientId: String
    public var appId: String
    /// The name in the question.
    public var appName: String
    /// Protocol names, for example `com.cuti-e.replies`.
    public var protocols: [String]
    /// Whether the user may choose one service only.
    public var single: Bool?
    /// A previous access token, to be renewed while the grant is valid.
    public var token: String?

    public init(
        clientId: String, appId: String, appName: String, protocols: [String], single: Bool? = nil,
        token: String? = nil
    ) {
        (self.clientId, self.appId, self.appName) = (clientId, appId, appName)
        (self.protocols, self.single, self.token) = (protocols, single, token)
    }

    /// Checks the number and length of the names, which `AccessInterface.checkLimits` cannot do before the
    /// list is decoded.
    public func checkProtocols() throws(InvalidArgument) {
        let most = AccessInterface.protocolsLimit
        if protocols.isEmpty { throw InvalidArgument(parameter: "protocols", reason: "it is empty") }
        guard protocols.count <= most else {
            throw InvalidArgument(parameter: "protocols", reason: "it has more than \(most) names")
        }
        for (index, name) in protocols.enumerated() {
            let parameter = "protocols[\(index)]"
            if name.isEmpty { throw InvalidArgument(parameter: parameter, reason: "it is empty") }
            guard name.utf8.count <= AccessInterface.shortLimit else {
                let reason = AccessInterface.reason(ofLimit: AccessInterface.shortLimit)
                throw InvalidArgument(parameter: parameter, reason: reason)
            }
        }
    }

    public struct Reply: Codable, Hashable, Sendable {
        public var services: [AuthorizedService]

        public init(services: [AuthorizedService]) { self.services = services }
    }
}

/// Revokes the tokens of `clientId`, at one service or at all.
public struct RevokeToken: AccessMethod {
    public var clientId: String
    public var engineLink: String?

    public init(clientId: String, engineLink: String? = nil) {
        (self.clientId, self.engineLink) = (clientId, engineLink)
    }

    public struct Reply: Codable, Hashable, Sendable {
        public var revoked: Bool

        public init(revoked: Bool) { self.revoked = revoked }
    }
}

/// A service of the user's institution: its RSD2 document, reduced to the requested protocols and
/// `org.ietf.oauth2`.
public struct AuthorizedService: Codable, Hashable, Sendable {
    public var engineName: String
    public var engineLink: String
    public var engineId: String?
    public var homePageLink: String?
    public var homePageIcon: String?
    /// The APIs by protocol name.
    public var apis: [String: ServiceAPI]
    public var authorization: ServiceAuthorization

    public init(
        engineName: String, engineLink: String, engineId: String? = nil, homePageLink: String? = nil,
        homePageIcon: String? = nil, apis: [String: ServiceAPI], authorization: ServiceAuthorization
    ) {
        (self.engineName, self.engineLink, self.engineId) = (engineName, engineLink, engineId)
        (self.homePageLink, self.homePageIcon) = (homePageLink, homePageIcon)
        (self.apis, self.authorization) = (apis, authorization)
    }
}

/// A protocol of a service.
public struct ServiceAPI: Codable, Hashable, Sendable {
    /// An absolute address.
    public var apiLink: String
    public var apiVersion: String?
    /// The settings as published by the service.
    public var settings: [String: JSONValue]?
    public var notes: String?

    public init(
        apiLink: String, apiVersion: String? = nil, settings: [String: JSONValue]? = nil, notes: String? = nil
    ) {
        (self.apiLink, self.apiVersion, self.settings, self.notes) = (apiLink, apiVersion, settings, notes)
    }
}

/// The access token of one app at one service. The refresh token stays with the daemon.
public struct ServiceAuthorization: Codable, Hashable, Sendable {
    public var accessToken: String
    public var tokenType: String
    /// Unix milliseconds.
    public var expiresAt: Int64?
    public var scope: String?

    public init(accessToken: String, tokenType: String, expiresAt: Int64? = nil, scope: String? = nil) {
        (self.accessToken, self.tokenType) = (accessToken, tokenType)
        (self.expiresAt, self.scope) = (expiresAt, scope)
    }
}
