import Logging

/// A log event, formatted for output. Long strings are truncated and control characters are escaped, so
/// that text from a server cannot start a new line or control the terminal.
struct LogRecord: Sendable {
    let level: Logger.Level
    private let message: String
    /// The metadata of the log event, sorted by key.
    private let pairs: [(key: String, value: String)]

    private static let messageLimit = 8192
    private static let valueLimit = 2048
    static let pairLimit = 32

    init(level: Logger.Level, message: String, error: (any Error)? = nil, metadata: [String: String]) {
        self.level = level
        self.message = message.printableText(byteLimit: Self.messageLimit)
        var metadata = metadata
        if let error { metadata["error"] = "\(error)" }
        pairs = metadata.sorted { $0.key < $1.key }.prefix(Self.pairLimit)
            .map { ($0.key.printableText(byteLimit: 64), $0.value.printableText(byteLimit: Self.valueLimit)) }
    }

    /// The message and the metadata, in the form `message key=value key="two words"`.
    var text: String { pairs.reduce(message) { $0 + " " + $1.key + "=" + Self.quoted($1.value) } }

    /// Returns a line with the level and the text, for a terminal or a file.
    func line(coloured: Bool) -> String {
        let colour = coloured ? Self.colour[level] : nil
        let word = colour.map { "\u{1B}[\($0)m" + level.rawValue + "\u{1B}[0m" } ?? level.rawValue
        return word + " " + text + "\n"
    }

    /// Returns the journal fields of the record. The journal adds other fields, such as the process ID.
    func journalFields(syslogIdentifier: String) -> [String] {
        ["PRIORITY=\(Self.priority[level] ?? 6)", "MESSAGE=" + text, "SYSLOG_IDENTIFIER=" + syslogIdentifier]
            + pairs.map { Self.fieldName(for: $0.key) + "=" + $0.value }
    }

    /// Returns the journal field name of a metadata key, for example `CUTIE_CONVERSATIONID` for
    /// `conversationID`. The prefix prevents conflicts with standard fields, such as MESSAGE_ID.
    private static func fieldName(for key: String) -> String {
        let name = key.utf8.map { byte -> Character in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"): Character(UnicodeScalar(byte - 32))
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                Character(UnicodeScalar(byte))
            default: "_"
            }
        }
        // The journal discards a field if its name exceeds 64 bytes.
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
    /// Returns the text truncated to about `byteLimit` bytes, with invisible characters escaped, such as
    /// `\u{1B}`.
    fileprivate func printableText(byteLimit limit: Int) -> String {
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
