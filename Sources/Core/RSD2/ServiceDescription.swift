public import OAuth
public import Varlink

/// The description of a service in Really Simple Discovery, version 2: its protocols and the address of each.
///
/// All usable addresses have the origin of `engineLink`, so that no token for the service is sent elsewhere.
/// An API on another origin is listed in `refusals`.
public struct ServiceDescription: Hashable, Sendable {
    /// The largest document that is read, in bytes.
    public static let sizeLimit = 1 << 20
    /// A Moodle may describe each of its 400 functions as a protocol.
    static let protocolLimit = 1024
    static let settingsKey = "settings"

    /// The protocol of the token endpoint.
    public static let oauth2 = "org.ietf.oauth2"
    /// The protocol name of the token endpoint itself. The app eduid-app-ios prefers it.
    static let tokenProtocol = "org.ietf.oauth2.token"

    /// A name for display. The document chooses it freely: `host` identifies the service.
    public let engineName: String
    /// The root of the service, or the address of the document if it names no root.
    public let engineLink: EndpointURL
    public let engineId: String?
    /// An https address, or a loopback address if the service is on the loopback.
    public let homePageLink: String?
    /// An https address, or a loopback address if the service is on the loopback.
    public let homePageIcon: String?
    /// The usable APIs by protocol name.
    public private(set) var apis: [String: API]
    /// The reason why an API cannot be used, by protocol name.
    public private(set) var refusals: [String: String]

    public struct API: Hashable, Sendable {
        /// The address. Its origin is that of `engineLink`.
        public let link: EndpointURL
        public let versions: [String]
        /// Whether the service recommends this API over its others.
        public let isPreferred: Bool
        /// `REST`, `SOAP`, `XML-RPC`, `JSON-RPC`, `Web-Form`, or a name that the service made up.
        public let transports: [String]
        /// The id of the engine that serves this API, if it differs from that of the document.
        public let engineId: String?
        public let docs: String?
        public let settings: [String: JSONValue]?
        /// At most 4 KiB of arbitrary characters.
        public let notes: String?
    }

    /// Parses a JSON or YAML document. Unknown members are ignored, as is `authorization`: a public document
    /// must not contain it.
    ///
    /// - Parameter document: the address that the document was fetched from; `nil` if an index returned it.
    public init(_ bytes: [UInt8], at document: EndpointURL? = nil) throws(Unreadable) {
        let members = try ServiceDocumentParser.root(of: bytes)
        let place = try ServiceLocation(members, document: document)
        engineLink = place.engineLink
        engineName = try Self.name(members["engineName"]) ?? place.engineLink.host
        engineId = members["engineId"]?.text.flatMap(ServiceDocumentParser.name)
        homePageLink = place.homePage?.description
        homePageIcon = place.page(members["homePageIcon"])
        (apis, refusals) = ([:], [:])
        for (name, value) in try Self.protocols(members["apis"]) {
            guard let name = ServiceDocumentParser.name(name) else { throw .protocolName }
            do throws(APIProblem) { apis[name] = try API(value, of: place) } catch {
                refusals[name] = "\(name) \(error.sentence)"
            }
        }
    }

    private static func name(_ value: JSONValue?) throws(Unreadable) -> String? {
        guard let value, value != .null else { return nil }
        guard let name = value.text.flatMap(ServiceDocumentParser.name) else { throw .unusable(.engineName) }
        return name
    }

    /// Returns the protocols by name. JSON and YAML use an object with the names as keys. Also accepted are a
    /// list of objects with a `name` each, and a list of such objects with the names as keys, which a release
    /// of Moodle's plugin sends.
    private static func protocols(_ value: JSONValue?) throws(Unreadable) -> [(String, JSONValue)] {
        let protocols: [(String, JSONValue)]
        switch value {
        case nil: throw .missing(.apis)
        case .object(let members)?: protocols = Array(members)
        case .array(let list)?: protocols = try list.map(Self.named).flatMap(\.self)
        default: throw .unusable(.apis)
        }
        guard protocols.count <= protocolLimit else { throw .tooManyProtocols }
        guard Set(protocols.map(\.0)).count == protocols.count else { throw .duplicateProtocol }
        return protocols
    }

    /// Returns the protocols of one entry of a list.
    private static func named(_ entry: JSONValue) throws(Unreadable) -> [(String, JSONValue)] {
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
    /// The host of the service, with the port unless it is the default port. Users identify the service by
    /// it.
    public var host: String { engineLink.host }

    /// Whether `url` has the origin of the service. Only the service itself may describe the service.
    public func isFrom(_ url: EndpointURL) -> Bool { engineLink.origin == url.origin }

    /// The names of the usable protocols: preferred ones first, then alphabetically.
    public var protocolNames: [String] {
        apis.sorted { ($1.value.isPreferred ? 1 : 0, $0.key) < ($0.value.isPreferred ? 1 : 0, $1.key) }.map(
            \.key)
    }

    /// Returns whether the service has all `protocols` and issues tokens.
    public func supports(_ protocols: [String]) -> Bool {
        tokenEndpoint != nil && protocols.allSatisfy { apis[$0] != nil }
    }

    /// Returns the description reduced to `protocols` and to those that issue tokens.
    public func filtered(to protocols: [String]) -> ServiceDescription {
        let names = Set(protocols + [Self.oauth2, Self.tokenProtocol])
        var description = self
        description.apis = apis.filter { names.contains($0.key) }
        description.refusals = refusals.filter { names.contains($0.key) }
        return description
    }

    /// The token endpoint (RFC 6749, section 3.2); `nil` if the service issues no tokens.
    public var tokenEndpoint: EndpointURL? { apis[Self.tokenProtocol]?.link ?? endpoint("token") }

    /// The revocation endpoint (RFC 7009); `nil` if the service has none.
    public var revocationEndpoint: EndpointURL? { endpoint("revoke") }

    /// Returns the scope that a token for `protocols` needs.
    public func scope(of protocols: [String]) -> Scope {
        let asked = protocols.filter { $0 != Self.oauth2 }
        return Scope(asked.flatMap { Self.names(apis[$0]?.settings?["scope"]) })
    }

    /// Returns the names of a value that is a text with spaces between the names, or a list.
    private static func names(_ value: JSONValue?) -> [String] {
        switch value {
        case .string(let text)?: Scope(text: text).names
        case .array(let list)?: list.prefix(256).compactMap(\.text)
        default: []
        }
    }

    private func endpoint(_ name: String) -> EndpointURL? {
        apis[Self.oauth2].flatMap { try? LinkBase(address: $0.link).url(name) }
    }
}
