public import Reasons

/// A `cutie://` link, which the desktop passes to `cutied open`.
public enum DeepLink: Hashable, Sendable {
    /// `cutie://conversation/ID[?account=NAME&message=ID]` shows a conversation.
    case conversation(Conversation.ID, account: String? = nil, message: Message.ID? = nil)
    /// `cutie://link?token=TOKEN[&api_url=ADDRESS]` hands an app's account over to the Feedback App. `api`:
    /// the API that created the token; `nil` if the link contains no address.
    case app(FeedbackToken, api: APIAddress? = nil)
    /// `cutie://setup?app_id=ID[&api_url=ADDRESS]` starts the setup of the first account. The link may come
    /// from an untrusted source, so it only fills in a form that the user confirms.
    case setup(appID: String, api: APIAddress? = nil)

    /// The link as text. `init(_:)` parses the text to an equal value. The text of an `app` link contains a
    /// secret token.
    public var text: String {
        switch self {
        case .conversation(let id, let account, let message):
            return Self.scheme + "conversation/" + PercentEncoding.encode(id.rawValue)
                + Self.queryString(from: [("account", account), ("message", message?.rawValue)])
        case .app(let token, let api):
            return Self.scheme + "link"
                + Self.queryString(from: [("token", token.rawValue), ("api_url", api?.description)])
        case .setup(let appID, let api):
            return Self.scheme + "setup"
                + Self.queryString(from: [("app_id", appID), ("api_url", api?.description)])
        }
    }

    private static func queryString(from parameters: [(String, String?)]) -> String {
        let pairs = parameters.compactMap { name, value in
            value.map { name + "=" + PercentEncoding.encode($0) }
        }
        return pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&")
    }

    /// The reason why a link is invalid. The link itself is not included, because it may come from an
    /// untrusted source.
    public enum ParseError: Error, Hashable, Sendable {
        case tooLong
        case characters
        case scheme
        case kind
        case authority
        case fragment
        case path
        case identifier
        case parameter
        case duplicateParameter
        case account
        case token
        case appID
        case address
    }

    /// The maximum length of a link in bytes.
    static let maxLength = 2048
    /// The maximum length of an ID in bytes, after percent-decoding.
    private static let maxIdentifierLength = 256
    private static let maxTokenLength = 512
    static let scheme = "cutie://"

    /// Parses a link. Rejects unknown parameters and unexpected characters, because the link may come from a
    /// web page.
    public init(_ text: String) throws(ParseError) {
        guard text.utf8.count <= Self.maxLength else { throw .tooLong }
        guard text.utf8.allSatisfy(Self.isLinkByte) else { throw .characters }
        guard text.hasPrefix(Self.scheme) else { throw .scheme }
        guard !text.utf8.contains(UInt8(ascii: "#")) else { throw .fragment }
        let rest = text.dropFirst(Self.scheme.count)
        let parts = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let segments = parts[0].split(separator: "/", omittingEmptySubsequences: false)
        let query = parts.count == 2 ? parts[1] : nil
        guard !segments[0].contains("@"), !segments[0].contains(":") else { throw .authority }
        switch segments[0] {
        case "conversation": self = try Self.parseConversationLink(path: segments.dropFirst(), query: query)
        case "link": self = try Self.parseAppLink(path: segments.dropFirst(), query: query)
        case "setup": self = try Self.parseSetupLink(path: segments.dropFirst(), query: query)
        default: throw .kind
        }
    }

    private static func parseConversationLink(
        path: ArraySlice<Substring>, query: Substring?
    ) throws(ParseError) -> DeepLink {
        guard let id = path.first, path.count == 1 else { throw .path }
        let identifier = try parseIdentifier(id)
        let query = try parseParameters(ofQuery: query, knownNames: ["account", "message"])
        let message = try query["message"].map { text throws(ParseError) in try Self.parseIdentifier(text) }
        return .conversation(
            Conversation.ID(identifier),
            account: try query["account"].map { text throws(ParseError) in try parseAccount(text) },
            message: message.map { Message.ID($0) })
    }

    private static func parseAppLink(path: ArraySlice<Substring>, query: Substring?) throws(ParseError)
        -> DeepLink
    {
        guard path.isEmpty else { throw .path }
        let query = try parseParameters(ofQuery: query, knownNames: ["token", "api_url"])
        guard let text = query["token"],
            let token = PercentEncoding.decode(text), (1...maxTokenLength).contains(token.utf8.count),
            token.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw .token }
        return .app(FeedbackToken(token), api: try parseAddress(query["api_url"]))
    }

    private static func parseSetupLink(path: ArraySlice<Substring>, query: Substring?) throws(ParseError)
        -> DeepLink
    {
        guard path.isEmpty else { throw .path }
        let query = try parseParameters(ofQuery: query, knownNames: ["app_id", "api_url"])
        guard let id = try query["app_id"].map({ text throws(ParseError) in try parseIdentifier(text) }),
            id.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw .appID }
        return .setup(appID: id, api: try parseAddress(query["api_url"]))
    }

    private static func parseAddress(_ encodedText: Substring?) throws(ParseError) -> APIAddress? {
        guard let encodedText else { return nil }
        guard let text = PercentEncoding.decode(encodedText), let address = try? APIAddress(text) else {
            throw .address
        }
        return address
    }

    private static func parseParameters(
        ofQuery query: Substring?, knownNames: [Substring]
    ) throws(ParseError) -> [Substring: Substring] {
        var found: [Substring: Substring] = [:]
        for pair in query?.split(separator: "&", omittingEmptySubsequences: false) ?? [] {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, knownNames.contains(parts[0]) else { throw .parameter }
            guard found.updateValue(parts[1], forKey: parts[0]) == nil else { throw .duplicateParameter }
        }
        return found
    }

    /// Returns an account name.
    ///
    /// - Throws: `ParseError.account` if the configuration does not allow the name.
    private static func parseAccount(_ text: Substring) throws(ParseError) -> String {
        guard let name = PercentEncoding.decode(text), (1...64).contains(name.utf8.count),
            !name.hasPrefix("-"), name.utf8.allSatisfy({ isAlphanumeric($0) || "._-".utf8.contains($0) })
        else { throw .account }
        return name
    }

    /// Returns an opaque ID.
    ///
    /// - Throws: `ParseError.identifier` if the ID contains a slash, a line break or an invisible character,
    ///   or is `.` or `..`, which would change the path of a request.
    private static func parseIdentifier(_ text: Substring) throws(ParseError) -> String {
        guard let id = PercentEncoding.decode(text), (1...maxIdentifierLength).contains(id.utf8.count),
            id != ".", id != "..", id.unicodeScalars.allSatisfy(isIdentifierScalar)
        else { throw .identifier }
        return id
    }

    private static func isIdentifierScalar(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: false
        default: scalar != "/" && scalar != "\\"
        }
    }

    /// Returns whether RFC 3986 allows the byte in a URI.
    private static func isLinkByte(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte) && !#""<>\^`{|}"#.utf8.contains(byte)
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}

extension DeepLink.ParseError: CustomStringConvertible {
    public var description: String { reason.english }

    /// The problem of the link, as a sentence for the user.
    public var reason: Reason {
        switch self {
        case .tooLong: Reason(.linkTooLong, ["count": String(DeepLink.maxLength)])
        case .characters: Reason(.linkCharacters)
        case .scheme: Reason(.linkScheme)
        case .kind: Reason(.linkKind)
        case .authority: Reason(.linkAuthority)
        case .fragment: Reason(.linkFragment)
        case .path: Reason(.linkPath)
        case .identifier: Reason(.linkIdentifier)
        case .parameter: Reason(.linkParameter)
        case .duplicateParameter: Reason(.linkDuplicateParameter)
        case .account: Reason(.linkAccount)
        case .token: Reason(.linkToken)
        case .appID: Reason(.linkAppID)
        case .address: Reason(.linkAddress)
        }
    }
}
