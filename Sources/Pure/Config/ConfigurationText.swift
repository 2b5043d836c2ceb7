/// The text of a config file, changed line by line so that a person's own words in it stay.
public struct ConfigurationText: Sendable {
    public private(set) var text: String
    private let file: String

    /// `existing` is what `file` holds now; nil where there is no such file.
    public init(existing: String?, file: String) {
        self.file = file
        text = existing ?? "# Settings of cutied; the config.yaml of its documentation tells them all.\n"
    }

    /// Sets the App ID of the account `default`, and its API address unless nil. Throws where a value or the
    /// text is bad, and where the text spells that account so that no change of single lines can set it.
    public mutating func set(appID: String, apiURL: String?) throws(ConfigurationError) {
        var alone = ConfigurationLines("")
        if let apiURL { alone.set("api_url", to: apiURL) }
        alone.set("app_id", to: appID)
        guard let wanted = try Configuration(yaml: alone.text, file: file).accounts.first else {
            throw ConfigurationError(file: file, key: "app_id", sentence: "is empty; give an App ID")
        }
        let before = try Configuration(yaml: text, file: file)
        var changed = ConfigurationLines(text)
        if let apiURL { changed.set("api_url", to: apiURL) }
        changed.set("app_id", to: appID)
        guard let after = try? Configuration(yaml: changed.text, file: file),
            differs(after, from: before, onlyBy: wanted, address: apiURL != nil)
        else {
            throw ConfigurationError(
                file: file, key: "app_id",
                sentence: "stands where no single line sets it; edit the file by hand")
        }
        text = changed.text
    }

    private func differs(
        _ after: Configuration, from before: Configuration, onlyBy wanted: AccountConfiguration, address: Bool
    ) -> Bool {
        var (after, before) = (after, before)
        guard let account = after.removeAccount(named: wanted.name) else { return false }
        var expected = before.removeAccount(named: wanted.name) ?? account
        expected.appID = wanted.appID
        if address { expected.apiURL = wanted.apiURL }
        return account == expected && after == before
    }
}

extension Configuration {
    fileprivate mutating func removeAccount(named name: String) -> AccountConfiguration? {
        accounts.firstIndex { $0.name == name }.map { accounts.remove(at: $0) }
    }
}

/// The lines of a config file in which keys at the top are set. It knows too little of YAML to be sure of
/// what it did: who uses it reads the result.
private struct ConfigurationLines {
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
