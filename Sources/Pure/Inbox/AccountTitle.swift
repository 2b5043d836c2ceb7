/// The name of an account as a person reads it: the app's name. Scripts and `ctl` use the configuration's key.
public struct AccountTitle: Hashable, Sendable {
    /// The key of the configuration.
    public var key: String
    /// What is known about the account's apps: several names if support answers for several apps.
    public var appNames: [String]
    /// The name if no app name is known and the key was made by a program: the App ID or the API's host.
    public var fallback: String

    public init(key: String, appNames: [String], fallback: String) {
        (self.key, self.appNames, self.fallback) = (key, appNames, fallback)
    }

    private var title: String {
        let names = Set(appNames.map(\.trimmed).filter { !$0.isEmpty })
        if names.count == 1, let name = names.first { return name }
        return hasGeneratedKey && !fallback.isEmpty ? fallback : key
    }

    /// Whether `cutied setup` or the window chose the key, and not the person.
    private var hasGeneratedKey: Bool {
        guard let name = key.split(separator: "-", maxSplits: 1).first else { return false }
        let rest = key.dropFirst(name.count + 1)
        return Self.generatedKeys.contains(String(name)) && rest.allSatisfy(\.isNumber)
    }

    /// The beginnings of keys that setup writes; a number may follow.
    private static let generatedKeys: Set<String> = ["default", "staff", "app"]

    /// Returns the titles of `accounts` by their keys. Accounts with the same title are told apart by their keys.
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
