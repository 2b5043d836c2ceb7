/// The lines of a config file in which keys at the top are set. It knows too little of YAML to be sure of
/// what it did: who uses it reads the result.
struct ConfigurationLines {
    private var lines: [String]
    private let lineEnd: String

    init(_ text: String) {
        lineEnd = text.contains("\r\n") ? "\r\n" : "\n"
        lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
        if lines.last == "" { lines.removeLast() }
    }

    var text: String { lines.map { $0 + lineEnd }.joined() }

    /// In the line of `key`, else in the line where it is commented out, else in a new line.
    mutating func set(_ key: String, to value: String) {
        let line = key + ": " + Self.quoted(value)
        if let index = lines.firstIndex(where: { $0.hasPrefix(key + ":") }) {
            lines[index] = line + Self.comment(behind: lines[index].dropFirst(key.count + 1))
        } else if let index = lines.firstIndex(where: { $0.hasPrefix("#" + key + ":") }) {
            lines[index] = line
        } else {
            lines.insert(line, at: lines.firstIndex(where: Self.isContent) ?? lines.endIndex)
        }
    }

    private static func isContent(_ line: String) -> Bool {
        !line.allSatisfy(\.isWhitespace) && !["#", "%", "---"].contains { line.hasPrefix($0) }
    }

    /// ` # such` behind a value, where it has one.
    private static func comment(behind rest: Substring) -> String {
        var value = rest.trimmingSpaces
        if let quote = value.first, quote == "\"" || quote == "'" {
            value = value.dropFirst().drop { $0 != quote }
        }
        guard let hash = value.firstRange(of: " #") else { return "" }
        return " " + value[hash].trimmingSpaces + value[hash.upperBound...]
    }

    /// Words that are safe stay as they are; everything else goes into single quotes.
    private static func quoted(_ value: String) -> String {
        let safe = value.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "/"),
                UInt8(ascii: "."):
                true
            case UInt8(ascii: ":"), UInt8(ascii: "-"): true
            default: false
            }
        }
        let first = value.utf8.first.map { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: ":") } ?? false
        if safe, first, value.utf8.last != UInt8(ascii: ":"), value != "null" { return value }
        return "'" + value.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''")
            + "'"
    }
}
