import AccessAPI
public import FoundationEssentials
import JSONReading
import Varlink

/// Your app's access to services of the user's institution. Your app selects services by the protocols that
/// they support.
///
/// The user is asked which services your app may use, and cutied obtains tokens that only your app can use.
/// Your app never receives the credentials of the user.
public struct CutiEAccess: Sendable {
    /// The identifier that your app uses at services.
    public let clientId: String
    /// The ID of the app on this system, for example `org.example.Notes`. Requests fail if the system has
    /// verified another ID.
    public let appId: String
    /// The name of the app in the question.
    public let appName: String
    private let cutiE: CutiE

    /// Describes the app that requests access. Does not ask the user.
    public init(clientId: String, appId: String, appName: String) {
        self.init(clientId: clientId, appId: appId, appName: appName, cutiE: .shared)
    }

    package init(clientId: String, appId: String, appName: String, cutiE: CutiE) {
        (self.clientId, self.appId, self.appName, self.cutiE) = (clientId, appId, appName, cutiE)
    }

    /// Requests access to services that support all of `protocols`. Returns when the user has answered, after
    /// two minutes at the latest. The user is not asked if access was allowed before.
    ///
    /// - Parameters:
    ///   - protocols: the names of 1 to 32 protocols, for example `com.cuti-e.replies`.
    ///   - single: whether the user may choose only one service.
    ///   - expired: a previous access token to renew.
    /// - Returns: the services with tokens; empty if no service matches or the user refused. Apps cannot
    ///   distinguish these cases.
    public func authorize(
        protocols: [String], single: Bool = false, renewing expired: String? = nil
    ) async throws -> [AccessService] {
        let call = AuthorizeProtocols(
            clientId: clientId, appId: appId, appName: appName, protocols: protocols,
            single: single ? true : nil, renew: expired)
        do { try call.checkProtocolNames() } catch { throw CutiEError.invalidRequest }
        let reply = try await cutiE.session.client.call(call, timeout: AccessClient.questionTimeout)
        return try reply.services.map { try AccessService($0) }
    }

    /// Requests access like ``authorize(protocols:single:renewing:)``. `token`: a previous access token to
    /// renew.
    @available(*, deprecated, renamed: "authorize(protocols:single:renewing:)")
    public func authorize(
        protocols: [String], single: Bool = false, token: String?
    ) async throws -> [AccessService] {
        try await authorize(protocols: protocols, single: single, renewing: token)
    }

    /// Revokes the app's tokens for one service, or for all services. Returns `false` if the app had no
    /// tokens.
    @discardableResult
    public func revoke(at service: URL? = nil) async throws -> Bool {
        let call = RevokeToken(clientId: clientId, engineLink: service?.absoluteString)
        return try await cutiE.session.client.call(call).revoked
    }
}

/// A service that the app may use, with the token for it. Contains the service's description (RSD2), reduced
/// to the requested protocols.
public struct AccessService: Hashable, Sendable {
    /// The display name of the service.
    public let name: String
    /// The address that identifies the service.
    public let link: URL
    /// The software of the service; `nil` if the service does not name it.
    public let engineId: String?
    /// A web page about the service; `nil` if there is none.
    public let homePage: URL?
    /// The address of the service's icon; `nil` if there is none.
    public let icon: URL?
    /// The endpoints of the service; the keys are the names of protocols.
    public let protocols: [String: Endpoint]
    /// The token for requests to the service.
    public let authorization: Authorization

    /// The endpoint for one protocol.
    public struct Endpoint: Hashable, Sendable {
        /// The base address for requests.
        public let url: URL
        /// The first of `versions`; `nil` if the service states no versions.
        public let version: String?
        /// The versions of the protocol that the service supports; empty if the service states none.
        public let versions: [String]
        /// The transports: `REST`, `SOAP`, `XML-RPC`, `JSON-RPC`, `Web-Form`, or a name that the service
        /// defines.
        public let transports: [String]
        /// Whether the service recommends this protocol over its other protocols.
        public let isPreferred: Bool
        /// A page for developers; `nil` if there is none.
        public let documentation: URL?
        /// A WSDL document; `nil` if there is none.
        public let wsdl: URL?
        /// The settings of the protocol, as published by the service.
        public let settings: [String: Setting]
        /// A note to display; `nil` if there is none.
        public let notes: String?
    }

    /// A JSON value in the settings of a protocol.
    public indirect enum Setting: Hashable, Sendable {
        /// The JSON value null.
        case null
        /// A JSON true or false.
        case bool(Bool)
        /// A JSON number without a fraction that fits in `Int64`.
        case integer(Int64)
        /// Any other JSON number.
        case number(Double)
        /// A JSON string.
        case text(String)
        /// A JSON array.
        case list([Setting])
        /// A JSON object.
        case object([String: Setting])
    }

    /// A token that allows this app to use this service.
    public struct Authorization: Hashable, Sendable {
        /// The access token. Use `header` for requests.
        public let accessToken: String
        /// The token type, usually `Bearer`.
        public let tokenType: String
        /// The expiry time; `nil` if unknown. After this time, or after a 401, call `authorize` with this
        /// token as `renewing`.
        public let expiresAt: Date?
        /// The scopes, separated by spaces; `nil` if the service does not report them.
        public let scope: String?

        /// The value of the `Authorization` header for requests.
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
                versions: api.apiVersions ?? [api.apiVersion].compactMap(\.self),
                transports: api.transports ?? [], isPreferred: api.preferred ?? false,
                documentation: api.docs.flatMap { URL(string: $0) },
                wsdl: api.description.flatMap { URL(string: $0) },
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
