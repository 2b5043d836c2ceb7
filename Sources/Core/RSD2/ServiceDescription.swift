public import JSONReading
public import OAuth
public import Reasons

/// A service description in Really Simple Discovery, version 2: the protocols of the service, with their
/// URLs.
///
/// All usable URLs have the same origin as `engineLink`, so that a token for the service is never sent to
/// another server. `refusals` lists the APIs on other origins.
public struct ServiceDescription: Hashable, Sendable {
    /// The maximum size of a document in bytes.
    public static let sizeLimit = 1 << 20
    /// The maximum number of protocols. The limit is high, because a Moodle service may describe each of its
    /// 400 functions as a protocol.
    static let protocolLimit = 1024
    static let settingsKey = "settings"

    /// The protocol that contains the token endpoint.
    public static let oauth2 = "org.ietf.oauth2"
    /// An alternative name for `oauth2`, preferred by the app eduid-app-ios.
    static let tokenProtocol = "org.ietf.oauth2.token"
    /// The protocols that only issue tokens. These protocols are not shown to users.
    public static let tokenProtocols = [oauth2, tokenProtocol]

    /// The display name of the service. The author of the document can choose any name, so only `host`
    /// identifies the service.
    public let engineName: String
    /// The root URL of the service. If the document contains no root URL, the URL of the home page; if
    /// there is no home page, the URL of the document.
    public let engineLink: EndpointURL
    public let engineId: String?
    /// The URL of the home page: an https URL, or a loopback URL if the service itself is on the loopback
    /// interface.
    public let homePageLink: String?
    /// The URL of the icon: an https URL, or a loopback URL if the service itself is on the loopback
    /// interface.
    public let homePageIcon: String?
    /// The usable APIs by protocol name.
    public private(set) var apis: [String: API]
    /// The reasons why APIs cannot be used, by protocol name.
    public private(set) var refusals: [String: Reason]

    public struct API: Hashable, Sendable {
        /// The URL of the API; its origin is the origin of `engineLink`.
        public let link: EndpointURL
        public let versions: [String]
        /// Whether the service recommends this API over its other APIs.
        public let isPreferred: Bool
        /// Each transport is `REST`, `SOAP`, `XML-RPC`, `JSON-RPC`, `Web-Form`, or a name that the service
        /// defines.
        public let transports: [String]
        /// The ID of the engine that serves this API; `nil` if it equals the `engineId` of the document.
        public let engineId: String?
        /// The URL of a page for developers.
        public let docs: String?
        /// The URL of a WSDL document, from the member `description` of the API.
        public let serviceDescription: String?
        public let settings: [String: JSONValue]?
        /// The service's notes for developers, at most 4 KiB of arbitrary text.
        public let notes: String?
    }

    /// Parses a JSON or YAML document. Ignores unknown members, and also `authorization`, because a public
    /// document must not contain credentials.
    ///
    /// - Parameter document: the URL of the document; `nil` for a document from an index of services.
    public init(_ bytes: [UInt8], at document: EndpointURL? = nil) throws(ParseError) {
        let members = try ServiceDocumentParser.parseRoot(of: bytes)
        let place = try ServiceLocation(members, document: document)
        engineLink = place.engineLink
        engineName = Self.parseName(members["engineName"]) ?? place.engineLink.host
        engineId = members["engineId"]?.text.flatMap(ServiceDocumentParser.validName)
        homePageLink = place.homePage?.description
        homePageIcon = place.parsePageURL(members["homePageIcon"])
        (apis, refusals) = ([:], [:])
        for (name, value) in try Self.parseProtocols(members["apis"]) {
            guard let name = ServiceDocumentParser.validName(name) else { throw .protocolName }
            do throws(APIProblem) { apis[name] = try API(value, at: place) } catch {
                refusals[name] = error.reason(forProtocol: name)
            }
        }
    }

    /// Returns the display name; `nil` if the document contains no valid name. A service without a name is
    /// still usable.
    private static func parseName(_ value: JSONValue?) -> String? {
        value?.text.map(ServiceDocumentParser.trimmed).flatMap(ServiceDocumentParser.validName)
    }

    /// Returns the protocols by name. In JSON and YAML documents, the protocols are an object with the names
    /// as keys. Two kinds of lists are also accepted: objects with a member `name`, and objects with the
    /// names as keys, as sent by a release of Moodle's plugin.
    private static func parseProtocols(_ value: JSONValue?) throws(ParseError) -> [(String, JSONValue)] {
        let protocols: [(String, JSONValue)]
        switch value {
        case nil: throw .missing(.apis)
        case .object(let members)?: protocols = Array(members)
        case .array(let list)?: protocols = try list.map(Self.parseNamedProtocols).flatMap(\.self)
        default: throw .unusable(.apis)
        }
        guard protocols.count <= protocolLimit else { throw .tooManyProtocols }
        guard Set(protocols.map(\.0)).count == protocols.count else { throw .duplicateProtocol }
        return protocols
    }

    /// Returns the protocols in one element of a list.
    private static func parseNamedProtocols(_ entry: JSONValue) throws(ParseError) -> [(String, JSONValue)] {
        if let name = entry.members?["name"]?.text { return [(name, entry)] }
        // PHP writes an empty object as an empty list.
        if entry == .array([]) { return [] }
        guard let named = entry.members, named.values.allSatisfy({ $0.members != nil }) else {
            throw .unusable(.apis)
        }
        return Array(named)
    }
}

extension ServiceDescription {
    /// The host of the service, followed by the port if it is not the default port. Users identify a service
    /// by its host.
    public var host: String { engineLink.host }

    /// Returns whether `url` has the origin of the service. A document from another origin must not describe
    /// the service.
    public func hasSameOrigin(as url: EndpointURL) -> Bool { engineLink.origin == url.origin }

    /// The names of the usable protocols: preferred protocols first, then alphabetically.
    public var protocolNames: [String] {
        apis.sorted { ($1.value.isPreferred ? 1 : 0, $0.key) < ($0.value.isPreferred ? 1 : 0, $1.key) }.map(
            \.key)
    }

    /// Returns whether the service supports all `protocols` and issues tokens.
    public func supports(_ protocols: [String]) -> Bool {
        tokenEndpoint != nil && protocols.allSatisfy { apis[$0] != nil }
    }

    /// Returns a description that contains only `protocols` and the protocols that issue tokens.
    public func restricted(to protocols: [String]) -> ServiceDescription {
        let names = Set(protocols + Self.tokenProtocols)
        var description = self
        description.apis = apis.filter { names.contains($0.key) }
        description.refusals = refusals.filter { names.contains($0.key) }
        return description
    }

    /// The token endpoint (RFC 6749, section 3.2); `nil` if the service issues no tokens.
    public var tokenEndpoint: EndpointURL? {
        apis[Self.tokenProtocol]?.link ?? resolveEndpoint(atPath: "token")
    }

    /// The reason why the token endpoint in the document cannot be used; `nil` if the document contains no
    /// token endpoint, or if the token endpoint can be used.
    public var tokenRefusal: Reason? { refusals[Self.tokenProtocol] ?? refusals[Self.oauth2] }

    /// The revocation endpoint (RFC 7009); `nil` if the service has none.
    public var revocationEndpoint: EndpointURL? { resolveEndpoint(atPath: "revoke") }

    /// Returns the scope that is required for `protocols`.
    public func scope(requiredFor protocols: [String]) -> Scope {
        let asked = protocols.filter { $0 != Self.oauth2 }
        return Scope(asked.flatMap { Self.parseNames(apis[$0]?.settings?["scope"]) })
    }

    /// Returns the names in a string (separated by spaces) or in a list.
    private static func parseNames(_ value: JSONValue?) -> [String] {
        switch value {
        case .string(let text)?: Scope(text: text).names
        case .array(let list)?: list.prefix(256).compactMap(\.text)
        default: []
        }
    }

    private func resolveEndpoint(atPath name: String) -> EndpointURL? {
        apis[Self.oauth2].flatMap { try? LinkBase(address: $0.link).resolveURL(name) }
    }
}
