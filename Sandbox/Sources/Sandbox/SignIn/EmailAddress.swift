import CutieAPI

/// An e-mail address in the format of the HTML standard (`<input type=email>`). Comments, quoted strings and
/// folding (RFC 5322) are not supported, because real addresses do not use them.
public struct EmailAddress: Hashable, Sendable {
    /// The address as entered by the user.
    public let text: String

    /// Parses an address; `nil` if the text is not an e-mail address.
    public init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        guard text.utf8.count <= Self.limit, parts.count == 2, Self.isLocalPart(parts[0]),
            parts[1].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
                .allSatisfy(Self.isLabel)
        else { return nil }
        self.text = text
    }

    /// The lowercase e-mail address, which identifies the account. Therefore, addresses are case-insensitive.
    public var key: String { text.lowercased() }

    /// The maximum length of an e-mail address in bytes: the limit for a path in RFC 5321 (256), without the
    /// angle brackets.
    private static let limit = 254
    private static let marks = Array(".!#$%&'*+/=?^_`{|}~-".utf8)

    private static func isLocalPart(_ bytes: Substring.UTF8View) -> Bool {
        !bytes.isEmpty && bytes.allSatisfy { isLetterOrDigit($0) || marks.contains($0) }
    }

    /// Returns whether the bytes are a label of a host name: 1 to 63 letters, digits and hyphens, without a
    /// hyphen at the start or end.
    private static func isLabel(_ bytes: Substring.UTF8View) -> Bool {
        guard let first = bytes.first, let last = bytes.last, bytes.count <= 63 else { return false }
        return isLetterOrDigit(first) && isLetterOrDigit(last)
            && bytes.allSatisfy { isLetterOrDigit($0) || $0 == UInt8(ascii: "-") }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
