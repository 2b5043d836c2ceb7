public import CutieAPI

/// The absolute address of something an authorization server offers: https, or http on the loopback; without a
/// user and a fragment. What is sent there may be a secret.
public struct EndpointURL: Hashable, Sendable, Codable, CustomStringConvertible {
    public let description: String
    /// Scheme, host and port.
    public let origin: String

    /// RFC 6749 lets an endpoint have a query, which stays.
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
            throw DecodingError.dataCorruptedError(in: container, debugDescription: error.description)
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }

    /// With these parameters behind those that it has.
    public func adding(_ parameters: [Form.Parameter]) -> String {
        let mark = description.contains("?") ? "&" : "?"
        return parameters.isEmpty ? description : description + mark + Form.text(of: parameters)
    }

    private static func isQueryByte(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte) && !#"#"\<>^`{|}"#.utf8.contains(byte)
    }
}

/// Who vouches for the person: RFC 8414's issuer identifier. It is compared as it is written.
public struct Issuer: Hashable, Sendable, CustomStringConvertible {
    public let description: String
    private let address: APIAddress

    public init(_ text: String) throws(APIAddress.Invalid) {
        (description, address) = (text, try APIAddress(text))
    }

    /// Of an account that names none.
    public init(ofAPIAt api: APIAddress) {
        // An origin is an address: it was read as one.
        (description, address) = (api.origin, (try? APIAddress(api.origin)) ?? api)
    }

    /// Where its metadata may be, the first first: RFC 8414 puts its name before the issuer's path, OpenID Connect
    /// behind it.
    public var metadataAddresses: [String] {
        [
            address.origin + "/.well-known/oauth-authorization-server" + address.path,
            address.origin + address.path + "/.well-known/openid-configuration",
        ]
    }

    public static func == (left: Self, right: Self) -> Bool { left.names(right.description) }
    public func hash(into hasher: inout Hasher) { hasher.combine(description) }

    /// By its bytes: text that only looks the same is another issuer.
    public func names(_ text: String) -> Bool { description.utf8.elementsEqual(text.utf8) }

    /// Whether `text`, the `issuer` of metadata, is this issuer. Entra's metadata for several tenants (`common`,
    /// `organizations`, `consumers`) has the placeholder `{tenantid}` as a segment of the path.
    public func isNamed(inMetadata text: String) -> Bool {
        names(text) || IssuerName(text).matches(description)
    }
}
