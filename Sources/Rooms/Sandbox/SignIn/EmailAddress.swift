import CutieAPI

/// An e-mail address in the form that the HTML standard takes for one (`<input type=email>`), which leaves out what
/// RFC 5322 allows and nobody has: comments, quotes, folding.
public struct EmailAddress: Hashable, Sendable {
    /// As it was typed.
    public let text: String

    /// Nil where it is none.
    public init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        guard text.utf8.count <= Self.limit, parts.count == 2, Self.isLocalPart(parts[0]),
            parts[1].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
                .allSatisfy(Self.isLabel)
        else { return nil }
        self.text = text
    }

    /// Under which it is kept: nobody has two accounts by the case of a letter.
    public var key: String { text.lowercased() }

    /// What a path of RFC 5321 holds, without its brackets.
    private static let limit = 254
    private static let marks = Array(".!#$%&'*+/=?^_`{|}~-".utf8)

    private static func isLocalPart(_ bytes: Substring.UTF8View) -> Bool {
        !bytes.isEmpty && bytes.allSatisfy { isLetterOrDigit($0) || marks.contains($0) }
    }

    /// Of a host name: letters, digits and, between them, hyphens; 63 at most.
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
