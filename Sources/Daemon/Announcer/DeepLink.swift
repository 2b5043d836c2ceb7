import CutieAPI

/// A `cutie://` link of ours.
enum DeepLink: CustomStringConvertible {
    /// Opens a conversation of an account.
    case conversation(Conversation.ID, account: String)

    var description: String {
        switch self {
        case .conversation(let id, let account):
            "cutie://conversation/\(Self.encoded(id.rawValue))?account=\(Self.encoded(account))"
        }
    }

    /// Percent-encodes all but the unreserved characters of RFC 3986.
    private static func encoded(_ text: String) -> String {
        text.utf8.map { byte in
            let scalar = Unicode.Scalar(byte)
            let isPlain = byte < 0x80 && (Character(scalar).isLetter || Character(scalar).isNumber)
            if isPlain || "-._~".unicodeScalars.contains(scalar) { return String(scalar) }
            let digits = String(byte, radix: 16, uppercase: true)
            return "%" + (digits.count < 2 ? "0" : "") + digits
        }.joined()
    }
}
