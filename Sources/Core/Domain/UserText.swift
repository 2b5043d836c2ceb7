public import Reasons

/// The limits for the ID and the name of a user.
public enum UserText {
    /// The maximum size of an ID or a name, in bytes.
    public static let limit = 256

    /// A reason to reject an ID or a name.
    public enum Problem: Hashable, Sendable {
        case tooLong, notOneLine

        public var reason: Reason {
            switch self {
            case .tooLong: Reason(.valueLongerThanBytes, ["count": String(limit)])
            case .notOneLine: Reason(.controlCharacters)
            }
        }
    }

    /// Returns `text` without surrounding white space; an empty string if `text` is blank.
    public static func normalizedValue(of text: String) -> String {
        let end = text.lastIndex { !$0.isWhitespace }
        guard let start = text.firstIndex(where: { !$0.isWhitespace }), let end else { return "" }
        return String(text[start...end])
    }

    /// Returns the reason why the daemon rejects `value`; `nil` if `value` is valid.
    public static func findProblem(in value: String) -> Problem? {
        if value.utf8.count > limit { return .tooLong }
        let isControl = { (scalar: Unicode.Scalar) in scalar.properties.generalCategory == .control }
        return value.unicodeScalars.contains(where: isControl) ? .notOneLine : nil
    }
}
