/// The full key of a single value in the config file.
public struct ConfigurationKey: Hashable, Sendable {
    let path: [String]

    /// Parses a full key, such as `notifications.preview`, `app_id` or `accounts.NAME.user_name`; `nil` if
    /// the key is unknown or names a group.
    public init?(_ written: String) {
        if Self.shared.contains(written) || Self.ofAccounts.contains(written) {
            path = Self.parsePath(written)
            return
        }
        // An account name may contain dots, but no account key is a suffix of another account key, so the
        // split is unambiguous.
        guard written.hasPrefix(Self.accounts), written.utf8.count <= 128,
            let key = Self.ofAccounts.first(where: { written.hasSuffix("." + $0) })
        else { return nil }
        let name = written.dropFirst(Self.accounts.count).dropLast(key.utf8.count + 1)
        guard AccountConfiguration.isValidName(name) else { return nil }
        path = ["accounts", String(name)] + Self.parsePath(key)
    }

    /// The last component of the key.
    public var name: String { path.last ?? "" }

    private static let accounts = "accounts."

    private static func parsePath(_ text: String) -> [String] {
        text.split(separator: ".").map(String.init)
    }

    private static let shared = expandGroups(
        in: Configuration.keys,
        groups: [
            "access": Configuration.Access.keys, "accounts": [], "history": ["days"], "hooks": ["on_reply"],
            "notifications": NotificationConfiguration.keys, "window": Configuration.Window.keys,
        ])

    private static let ofAccounts = expandGroups(
        in: AccountConfiguration.keys, groups: ["tls": AccountConfiguration.TLS.keys])

    private static func expandGroups(in keys: [String], groups: [String: [String]]) -> Set<String> {
        Set(keys.flatMap { key in groups[key]?.map { key + "." + $0 } ?? [key] })
    }
}

extension ConfigurationKey: CustomStringConvertible {
    public var description: String { path.joined(separator: ".") }
}

/// The value of a key.
public indirect enum ConfigurationValue: Hashable, Sendable {
    case text(String)
    case flag(Bool)
    case number(Int)
    case list([ConfigurationValue])
    /// A mapping, as in `rules`.
    case group([String: ConfigurationValue])
}

/// A key and its new value.
public struct ConfigurationChange: Hashable, Sendable {
    public var key: ConfigurationKey
    /// The new value of the key; `nil` removes the key, which restores the default.
    public var value: ConfigurationValue?

    public init(_ key: ConfigurationKey, _ value: ConfigurationValue?) {
        (self.key, self.value) = (key, value)
    }
}

extension ConfigurationValue {
    /// The value in YAML syntax, on one line.
    var written: String { yamlText(isInsideFlow: false) }

    private func yamlText(isInsideFlow isInside: Bool) -> String {
        switch self {
        case .text(let text): Self.canBeUnquoted(text, isInsideFlow: isInside) ? text : Self.quotedText(text)
        case .flag(let flag): flag ? "true" : "false"
        case .number(let number): String(number)
        case .list(let values):
            "[" + values.map { $0.yamlText(isInsideFlow: true) }.joined(separator: ", ") + "]"
        case .group(let values):
            "{"
                + values.sorted { $0.key < $1.key }
                .map {
                    ConfigurationValue.text($0).yamlText(isInsideFlow: true) + ": "
                        + $1.yamlText(isInsideFlow: true)
                }
                .joined(separator: ", ") + "}"
        }
    }

    /// The tree that must result from parsing `written`.
    var tree: ConfigurationTree { makeTree(isInsideFlow: false) }

    private func makeTree(isInsideFlow: Bool) -> ConfigurationTree {
        switch self {
        case .text(let text): .scalar(text, isPlain: Self.canBeUnquoted(text, isInsideFlow: isInsideFlow))
        case .flag, .number: .scalar(written, isPlain: true)
        case .list(let values): .list(values.map { $0.makeTree(isInsideFlow: true) })
        case .group(let values): .group(values.mapValues { $0.makeTree(isInsideFlow: true) })
        }
    }

    private static func quotedText(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
    }

    /// Returns whether YAML parses the unquoted `text` as a string. `isInsideFlow`: whether `text` is inside
    /// a one-line list or mapping (a flow collection), in which a colon requires quotes.
    private static func canBeUnquoted(_ text: String, isInsideFlow: Bool) -> Bool {
        guard let first = text.utf8.first, let last = text.utf8.last, isLetter(first) || first == slash,
            last != colon, !words.contains(text.lowercased())
        else { return false }
        return text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."),
                UInt8(ascii: "-"), slash:
                true
            case colon: !isInsideFlow
            default: isLetter(byte)
            }
        }
    }

    private static let colon = UInt8(ascii: ":")
    private static let slash = UInt8(ascii: "/")
    /// Words that YAML 1.1 or 1.2 parses as a boolean or null unless they are quoted.
    private static let words: Set = ["null", "true", "false", "yes", "no", "on", "off", "y", "n"]

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
}
