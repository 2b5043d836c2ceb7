import CutieAPI

extension DeepLink {
    /// Bytes.
    static let longest = 2048
    /// Bytes, decoded.
    static let longestIdentifier = 256
    private static let scheme = "cutie://"

    /// Reads `text` strictly: it comes from a web page, perhaps, and what is not ours to the last byte is
    /// refused.
    public init(_ text: String) throws(Invalid) {
        guard text.utf8.count <= Self.longest else { throw .tooLong }
        guard text.utf8.allSatisfy(Self.isLinkByte) else { throw .characters }
        guard text.hasPrefix(Self.scheme) else { throw .scheme }
        guard !text.utf8.contains(UInt8(ascii: "#")) else { throw .fragment }
        let rest = text.dropFirst(Self.scheme.count)
        let parts = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let segments = parts[0].split(separator: "/", omittingEmptySubsequences: false)
        try Self.check(authority: segments[0])
        guard segments.count == 2 else { throw .path }
        let id = Conversation.ID(try Self.identifier(segments[1]))
        let query = try parts.count == 2 ? Self.parameters(parts[1]) : [:]
        let message = try query["message"].map(Self.identifier)
        self = .conversation(
            id, account: try query["account"].map(Self.account), message: message.map { Message.ID($0) })
    }

    private static func check(authority: Substring) throws(Invalid) {
        guard !authority.contains("@"), !authority.contains(":") else { throw .authority }
        guard authority == "conversation" else { throw .kind }
    }

    private static func parameters(_ query: Substring) throws(Invalid) -> [String: Substring] {
        var found: [String: Substring] = [:]
        for pair in query.split(separator: "&", omittingEmptySubsequences: false) {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, ["account", "message"].contains(parts[0]) else { throw .parameter }
            guard found.updateValue(parts[1], forKey: String(parts[0])) == nil else {
                throw .doubledParameter
            }
        }
        return found
    }

    /// What the config takes as a name.
    private static func account(_ text: Substring) throws(Invalid) -> String {
        guard let name = decoded(text), (1...64).contains(name.utf8.count), !name.hasPrefix("-"),
            name.utf8.allSatisfy({ isAlphanumeric($0) || "._-".utf8.contains($0) })
        else { throw .account }
        return name
    }

    /// Ids are opaque, but none is a path, a line or a text that reads differently than it is.
    private static func identifier(_ text: Substring) throws(Invalid) -> String {
        guard let id = decoded(text), (1...longestIdentifier).contains(id.utf8.count), id != ".", id != "..",
            id.unicodeScalars.allSatisfy(isIdentifierScalar)
        else { throw .identifier }
        return id
    }

    private static func isIdentifierScalar(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: false
        default: scalar != "/" && scalar != "\\"
        }
    }

    /// nil where a `%` is not followed by two hexadecimal digits, or where it is not UTF-8.
    private static func decoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        Character(Unicode.Scalar(byte)).hexDigitValue.map(UInt8.init)
    }

    /// Visible ASCII without what RFC 3986 leaves out.
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
