import AccessAPI
public import FoundationEssentials
import Varlink

/// Access of your app to services of the user's institution, by protocol.
///
/// The user is asked which services your app may use, and cutied obtains tokens for your app alone. The
/// user's own sign-in is never passed to your app.
public struct CutiEAccess: Sendable {
    /// Identifies your app's tokens at a service.
    public let clientId: String
    /// The id of the app on this system, for example `org.example.Notes`. An id that contradicts the system
    /// is rejected.
    public let appId: String
    /// The name in the question.
    public let appName: String
    private let cutiE: CutiE

    /// Creates the access of one app. The user is not asked yet.
    public init(clientId: String, appId: String, appName: String) {
        self.init(clientId: clientId, appId: appId, appName: appName, cutiE: .shared)
    }

    package init(clientId: String, appId: String, appName: String, cutiE: CutiE) {
        (self.clientId, self.appId, self.appName, self.cutiE) = (clientId, appId, appName, cutiE)
    }

    /// Asks for access to services that have all of `protocols`. Returns when the user has answered, after
    /// two minutes at most. Access that was allowed before is returned without a question.
    ///
    /// - Parameters:
    ///   - protocols: 1 to 32 names, for example `com.cuti-e.replies`.
    ///   - single: whether the user may choose one service only.
    ///   - expired: a previous access token to renew.
    /// - Returns: an empty array if there is no such service or the user refused. An app cannot distinguish
    ///   the two.
    public func authorize(
        protocols: [String], single: Bool = false, renewing expired: String? = nil
    ) async throws -> [AccessService] {
        let call = AuthorizeProtocols(
            clientId: clientId, appId: appId, appName: appName, protocols: protocols,
            single: single ? true : nil, renew: expired)
        do { try call.checkProtocols() } catch { throw CutiEError.invalidRequest }
        let reply = try await cutiE.session.client.call(call, timeout: AccessClient.questionTimeout)
        return try reply.services.map { try AccessService($0) }
    }

    /// Asks for access like ``authorize(protocols:single:renewing:)``. `token` is a previous access token to
    /// renew.
    @available(*, deprecated, renamed: "authorize(protocols:single:renewing:)")
    public func authorize(
        protocols: [String], single: Bool = false, token: String?
    ) async throws -> [AccessService] {
        try await authorize(protocols: protocols, single: single, renewing: token)
    }

    /// Revokes the app's tokens at one service, or at all services. Returns false if there were none.
    @discardableResult
    public func revoke(at service: URL? = nil) async throws -> Bool {
        let call = RevokeToken(clientId: clientId, engineLink: service?.absoluteString)
        return try await cutiE.session.client.call(call).revoked
    }
}

/// A service that the app may use: its description (RSD 2), reduced to the requested protocols.
public struct AccessService: Hashable, Sendable {
    /// A name for display.
    public let name: String
    /// The address that identifies the service.
    public let link: URL
    /// The software of the service, if it is stated.
    public let engineId: String?
    /// A page about the service.
    public let homePage: URL?
    /// An icon of the service.
    public let icon: URL?
    /// The endpoints by protocol name.
    public let protocols: [String: Endpoint]
    /// The token for requests to the service.
    public let authorization: Authorization

    /// The endpoint of one protocol.
    public struct Endpoint: Hashable, Sendable {
        /// The base address of requests.
        public let url: URL
        /// The version of the protocol, if it is stated.
        public let version: String?
        /// The settings of the protocol, as published by the service.
        public let settings: [String: Setting]
        /// A note for display.
        public let notes: String?
    }

    /// A value of any JSON type.
    public indirect enum Setting: Hashable, Sendable {
        /// JSON null.
        case null
        /// A truth value.
        case bool(Bool)
        /// An integer.
        case integer(Int64)
        /// A number with a fraction, or one that does not fit `Int64`.
        case number(Double)
        /// A string.
        case text(String)
        /// An array.
        case list([Setting])
        /// An object.
        case object([String: Setting])
    }

    /// A token of this app for this service.
    public struct Authorization: Hashable, Sendable {
        /// The token. `header` has it in the form that a request needs.
        public let accessToken: String
        /// Usually `Bearer`.
        public let tokenType: String
        /// `nil` if the service does not state it. Ask again with the token after this time, or after a 401.
        public let expiresAt: Date?
        /// The scopes separated by spaces, if they are stated.
        public let scope: String?

        /// The value of the `Authorization` header.
        public var header: String { "\(tokenType) \(accessToken)" }
    }
}

extension AccessService {
    init(_ service: AuthorizedService) throws {
        (name, link, engineId) = (service.engineName, try Self.url(service.engineLink), service.engineId)
        homePage = service.homePageLink.isEmpty ? nil : URL(string: service.homePageLink)
        icon = service.homePageIcon.flatMap { URL(string: $0) }
        protocols = try service.apis.mapValues { api in
            Endpoint(
                url: try Self.url(api.apiLink), version: api.apiVersion,
                settings: (api.settings ?? [:]).mapValues(Setting.init), notes: api.notes)
        }
        let authorization = service.authorization
        self.authorization = Authorization(
            accessToken: authorization.accessToken, tokenType: authorization.tokenType,
            expiresAt: authorization.expiresAt.map(Date.init(milliseconds:)), scope: authorization.scope)
    }

    private static func url(_ text: String) throws -> URL {
        guard let url = URL(string: text) else { throw CutiEError.decodingError("\(text) is not a URL") }
        return url
    }
}

extension AccessService.Setting {
    init(_ value: JSONValue) {
        self =
            switch value {
            case .null: .null
            case .bool(let value): .bool(value)
            case .int(let value): .integer(value)
            case .float(let value): .number(value)
            case .string(let value): .text(value)
            case .array(let values): .list(values.map(Self.init))
            case .object(let values): .object(values.mapValues(Self.init))
            }
    }
}
