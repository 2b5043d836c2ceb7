import Logging

/// A log event in the form in which it is written. Strings are truncated and have no control characters, so
/// that text from a server can neither start a new line nor control the terminal.
struct LogRecord: Sendable {
    let level: Logger.Level
    private let message: String
    /// The metadata, sorted by key.
    private let pairs: [(key: String, value: String)]

    private static let messageLimit = 8192
    private static let valueLimit = 2048
    static let pairLimit = 32

    init(level: Logger.Level, message: String, error: (any Error)? = nil, metadata: [String: String]) {
        self.level = level
        self.message = message.printable(limit: Self.messageLimit)
        var metadata = metadata
        if let error { metadata["error"] = "\(error)" }
        pairs = metadata.sorted { $0.key < $1.key }.prefix(Self.pairLimit)
            .map { ($0.key.printable(limit: 64), $0.value.printable(limit: Self.valueLimit)) }
    }

    /// The text in the form `message key=value key="two words"`.
    var text: String { pairs.reduce(message) { $0 + " " + $1.key + "=" + Self.quoted($1.value) } }

    /// Returns the level and the text with a line ending, for a terminal or a file.
    func line(coloured: Bool) -> String {
        let colour = coloured ? Self.colour[level] : nil
        let word = colour.map { "\u{1B}[\($0)m" + level.rawValue + "\u{1B}[0m" } ?? level.rawValue
        return word + " " + text + "\n"
    }

    /// Returns the fields for the journal, except fields that the journal adds itself.
    func fields(identifier: String) -> [String] {
        ["PRIORITY=\(Self.priority[level] ?? 6)", "MESSAGE=" + text, "SYSLOG_IDENTIFIER=" + identifier]
            + pairs.map { Self.fieldName($0.key) + "=" + $0.value }
    }

    /// Returns the field name for a key: `conversationID` becomes `CUTIE_CONVERSATIONID`. The prefix avoids
    /// the names of the journal's own fields, such as MESSAGE_ID.
    private static func fieldName(_ key: String) -> String {
        let name = key.utf8.map { byte -> Character in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"): Character(UnicodeScalar(byte - 32))
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                Character(UnicodeScalar(byte))
            default: "_"
            }
        }
        // The journal discards fields whose names exceed 64 bytes.
        return String(("CUTIE_" + String(name)).prefix(64))
    }

    private static func quoted(_ value: String) -> String {
        let plain = !value.isEmpty && !value.contains { $0 == " " || $0 == "\"" || $0 == "=" }
        return plain
            ? value
            : "\""
                + value.split(separator: "\"", omittingEmptySubsequences: false)
                .joined(separator: "\\\"") + "\""
    }

    private static let priority: [Logger.Level: Int] = [
        .trace: 7, .debug: 7, .info: 6, .notice: 5, .warning: 4, .error: 3, .critical: 2,
    ]
    private static let colour: [Logger.Level: Int] = [
        .trace: 90, .debug: 90, .notice: 36, .warning: 33, .error: 31, .critical: 31,
    ]
}

extension String {
    /// Returns the string with invisible characters escaped, such as `\u{1B}`, truncated to about `limit`
    /// bytes.
    fileprivate func printable(limit: Int) -> String {
        var result = ""
        for scalar in unicodeScalars {
            guard result.utf8.count < limit else { return result + "…" }
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned:
                result += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
