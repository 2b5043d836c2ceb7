public import CutieAPI

/// An absolute endpoint URL of an authorization server. Because secrets may be sent to the URL, its scheme
/// must be https, or http for a loopback host, and it must not contain user information or a fragment.
public struct EndpointURL: Hashable, Sendable, Codable, CustomStringConvertible {
    public let description: String
    /// Scheme, host and port.
    public let origin: String

    /// Parses an endpoint URL. A query is valid (RFC 6749 §3.1 and §3.2) and preserved.
    public init(_ text: String) throws(APIAddress.Invalid) {
        let question = text.firstIndex(of: "?") ?? text.endIndex
        let address = try APIAddress(String(text[..<question]))
        let query = text[question...]
        guard text.utf8.count <= 2048, query.utf8.allSatisfy(Self.isQueryByte) else { throw .characters }
        (description, origin) = (text, address.origin)
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        do { try self.init(container.decode(String.self)) } catch let error as APIAddress.Invalid {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(error)")
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }

    /// Returns the URL with `parameters` appended to its query.
    public func adding(_ parameters: [Form.Parameter]) -> String {
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

    public init(_ text: String) throws(APIAddress.Invalid) {
        (description, address) = (text, try APIAddress(text))
    }

    /// Creates the default issuer of an account: the origin of its API.
    public init(ofAPIAt api: APIAddress) {
        // The fallback is never used, because an origin is a valid address.
        (description, address) = (api.origin, (try? APIAddress(api.origin)) ?? api)
    }

    /// The metadata URLs, in the order of the attempts. RFC 8414 inserts its well-known path before the
    /// issuer's path; OpenID Connect appends its own.
    public var metadataAddresses: [String] {
        [
            address.origin + "/.well-known/oauth-authorization-server" + address.path,
            address.origin + address.path + "/.well-known/openid-configuration",
        ]
    }

    public static func == (left: Self, right: Self) -> Bool { left.isNamed(right.description) }
    public func hash(into hasher: inout Hasher) { hasher.combine(description) }

    /// Returns whether `text` is this issuer, byte by byte. Canonically equivalent text is a different
    /// issuer.
    public func isNamed(_ text: String) -> Bool { description.utf8.elementsEqual(text.utf8) }

    /// Returns whether `text`, the `issuer` in the metadata, is this issuer. Entra's metadata for several
    /// tenants (`common`, `organizations`, `consumers`) contains the placeholder `{tenantid}` as a path
    /// segment.
    public func isNamed(inMetadata text: String) -> Bool {
        isNamed(text) || IssuerName(text).matches(description)
    }
}
