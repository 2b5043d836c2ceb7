/// The display name of an account, usually the name of its app. Scripts and `ctl` use the account's key in
/// the configuration instead.
public struct AccountTitle: Hashable, Sendable {
    /// The account's key in the configuration.
    public var key: String
    /// The known names of the account's apps; several if the user provides support for several apps.
    public var appNames: [String]
    /// The name of the service, displayed if no app name is known and the key was generated.
    public var fallback: String

    public init(key: String, appNames: [String], fallback: String) {
        (self.key, self.appNames, self.fallback) = (key, appNames, fallback)
    }

    private var title: String {
        let names = Set(appNames.map(\.trimmed).filter { !$0.isEmpty })
        if names.count == 1, let name = names.first { return name }
        return hasGeneratedKey && !fallback.isEmpty ? fallback : key
    }

    /// Whether `cutied setup` or the window generated the key.
    private var hasGeneratedKey: Bool {
        guard let name = key.split(separator: "-", maxSplits: 1).first else { return false }
        let rest = key.dropFirst(name.count + 1)
        return Self.generatedKeys.contains(String(name)) && rest.allSatisfy(\.isNumber)
    }

    /// The keys that are generated for accounts. A number may follow, as in `app-2`.
    private static let generatedKeys: Set<String> = ["default", "staff", "app"]

    /// Returns the title of each account by key. If several accounts have the same title, the key is
    /// appended.
    public static func titles(of accounts: [AccountTitle]) -> [String: String] {
        let titles = accounts.map { ($0.key, $0.title) }
        let counts = Dictionary(titles.map { ($0.1, 1) }, uniquingKeysWith: +)
        return Dictionary(
            titles.map { key, title in
                (key, counts[title] == 1 || title == key ? title : "\(title) (\(key))")
            }, uniquingKeysWith: { first, _ in first })
    }
}

extension String {
    fileprivate var trimmed: String {
        split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
