public import CutieAPI

/// An absolute URL of an endpoint at an authorization server. Secrets may be sent to the URL, so it must use
/// https, or http with a loopback host, and must contain neither user information nor a fragment.
public struct EndpointURL: Hashable, Sendable, Codable, CustomStringConvertible {
    public let description: String
    /// Scheme, host and port.
    public let origin: String

    /// Parses an endpoint URL. A query is allowed (RFC 6749 §3.1 and §3.2) and remains part of the URL.
    public init(_ text: String) throws(APIAddress.ParseError) {
        let question = text.firstIndex(of: "?") ?? text.endIndex
        let address = try APIAddress(String(text[..<question]))
        let query = text[question...]
        guard text.utf8.count <= 2048, query.utf8.allSatisfy(Self.isQueryByte) else { throw .characters }
        (description, origin) = (text, address.origin)
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        do { try self.init(container.decode(String.self)) } catch let error as APIAddress.ParseError {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(error)")
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }

    /// Returns the URL with `parameters` appended to its query.
    public func addingQueryParameters(_ parameters: [Form.Parameter]) -> String {
        let mark = description.contains("?") ? "&" : "?"
        return parameters.isEmpty ? description : description + mark + Form.encodeForm(parameters)
    }

    private static func isQueryByte(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte) && !#"#"\<>^`{|}"#.utf8.contains(byte)
    }
}

/// An issuer identifier (RFC 8414), compared byte by byte.
public struct Issuer: Hashable, Sendable, CustomStringConvertible {
    public let description: String
    private let address: APIAddress

    public init(_ text: String) throws(APIAddress.ParseError) {
        (description, address) = (text, try APIAddress(text))
    }

    /// Creates the default issuer of an account: the origin of its API.
    public init(ofAPIAt api: APIAddress) {
        // The fallback is never used, because an origin is a valid address.
        (description, address) = (api.origin, (try? APIAddress(api.origin)) ?? api)
    }

    /// The URLs to request the metadata from, in this order. RFC 8414 inserts the well-known path before the
    /// path of the issuer; OpenID Connect Discovery appends the well-known path to the path of the issuer.
    public var metadataAddresses: [String] {
        [
            address.origin + "/.well-known/oauth-authorization-server" + address.path,
            address.origin + address.path + "/.well-known/openid-configuration",
        ]
    }

    public static func == (left: Self, right: Self) -> Bool { left.hasIdentifier(right.description) }
    public func hash(into hasher: inout Hasher) { hasher.combine(description) }

    /// Returns whether `text` equals this issuer byte by byte. Canonically equivalent characters count as
    /// different.
    public func hasIdentifier(_ text: String) -> Bool { description.utf8.elementsEqual(text.utf8) }

    /// Returns whether `text`, the value of `issuer` in the metadata, is this issuer. For a multitenant
    /// issuer (`common`, `organizations`, `consumers`), the metadata of Entra contains the placeholder
    /// `{tenantid}` instead of a tenant in the path.
    public func matchesMetadataIssuer(_ text: String) -> Bool {
        hasIdentifier(text) || IssuerIdentifierPattern(text).matches(description)
    }
}
