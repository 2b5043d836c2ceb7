import AccessAPI
public import FoundationEssentials
import Varlink

/// Access of your app to services of the person's institution, by the protocols that they speak.
///
/// The person is asked which services your app may use, and cutied gets tokens that are made for your app alone. Nothing
/// of the person's sign-in reaches you.
public struct CutiEAccess: Sendable {
    /// Tells your app's tokens apart from another one's at a service.
    public let clientId: String
    /// The name that the system knows the app by, such as `org.example.Notes`; one that contradicts what the system says is refused.
    public let appId: String
    /// As the person reads it in the question.
    public let appName: String
    private let cutiE: CutiE

    /// The access of one app: nothing is asked yet.
    public init(clientId: String, appId: String, appName: String) {
        self.init(clientId: clientId, appId: appId, appName: appName, cutiE: .shared)
    }

    package init(clientId: String, appId: String, appName: String, cutiE: CutiE) {
        (self.clientId, self.appId, self.appName, self.cutiE) = (clientId, appId, appName, cutiE)
    }

    /// Asks for access to services that speak all of `protocols`. It returns when the person has answered, within two minutes; what they
    /// allowed before is answered without a question.
    ///
    /// - Parameters:
    ///   - protocols: 1 to 32 names, such as `com.cuti-e.replies`.
    ///   - single: one service, not several.
    ///   - token: an access token that was got before, to be renewed.
    /// - Returns: empty where there is none, or the person said no: which of the two, an app is not told.
    public func authorize(
        protocols: [String], single: Bool = false, token: String? = nil
    ) async throws -> [AccessService] {
        let call = AuthorizeProtocols(
            clientId: clientId, appId: appId, appName: appName, protocols: protocols,
            single: single ? true : nil, token: token)
        do { try call.checkProtocols() } catch { throw CutiEError.invalidRequest }
        let reply = try await cutiE.client.call(call, timeout: AccessClient.questionTimeout)
        return try reply.services.map { try AccessService($0) }
    }

    /// Gives back what the app got, at one service or at all. False: there was nothing.
    @discardableResult
    public func revoke(at service: URL? = nil) async throws -> Bool {
        let call = RevokeToken(clientId: clientId, engineLink: service?.absoluteString)
        return try await cutiE.client.call(call).revoked
    }
}

/// A service that the app may use: its description (RSD 2), with nothing but what was asked for.
public struct AccessService: Hashable, Sendable {
    /// As a person reads it.
    public let name: String
    /// What tells it from every other service.
    public let link: URL
    /// Which software it is, where it says so.
    public let engineId: String?
    /// A page for people about it.
    public let homePage: URL?
    /// A picture of it.
    public let icon: URL?
    /// By the names of the protocols.
    public let protocols: [String: Endpoint]
    /// What requests to it carry.
    public let authorization: Authorization

    /// Where a service speaks one protocol.
    public struct Endpoint: Hashable, Sendable {
        /// Where requests go.
        public let url: URL
        /// Of the protocol, where the service tells it.
        public let version: String?
        /// What the protocol wants to be known, as the service wrote it.
        public let settings: [String: Setting]
        /// What the service says about it to people.
        public let notes: String?
    }

    /// A value of any shape.
    public indirect enum Setting: Hashable, Sendable {
        /// Nothing.
        case null
        /// Yes or no.
        case bool(Bool)
        /// A whole number.
        case integer(Int64)
        /// A number with a fraction, or one that is too large to be whole here.
        case number(Double)
        /// A text.
        case text(String)
        /// Values in an order.
        case list([Setting])
        /// Values by their names.
        case object([String: Setting])
    }

    /// A token for this app at this service.
    public struct Authorization: Hashable, Sendable {
        /// The token itself; `header` has it as a request carries it.
        public let accessToken: String
        /// `Bearer`, as a rule.
        public let tokenType: String
        /// nil where the service does not tell. Ask again with the token then, or after a 401.
        public let expiresAt: Date?
        /// What it is for, separated by spaces, where the service tells.
        public let scope: String?

        /// The value of a request's `Authorization` header.
        public var header: String { "\(tokenType) \(accessToken)" }
    }
}

extension AccessService {
    init(_ service: AuthorizedService) throws {
        (name, link, engineId) = (service.engineName, try Self.url(service.engineLink), service.engineId)
        homePage = service.homePageLink.flatMap { URL(string: $0) }
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
        guard let url = URL(string: text) else { throw CutiEError.decodingError("\(text) is no address") }
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
