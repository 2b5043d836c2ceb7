extension Configuration {
    /// Reads a config file's bytes with `environment` over it; `file` is its path, for errors.
    public init(
        bytes: some Collection<UInt8>, file: String, environment: [String: String] = [:]
    ) throws(ConfigurationError) {
        guard bytes.count <= Self.sizeLimit else {
            throw ConfigurationError(file: file, sentence: "is larger than 1 MiB; this is no config file")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ConfigurationError(file: file, sentence: "is not UTF-8; save it as UTF-8")
        }
        try self.init(yaml: text, file: file, environment: environment)
    }

    /// Reads the text of a config file with `environment` over it. Empty text is a config of defaults.
    public init(
        yaml text: String, file: String, environment: [String: String] = [:]
    ) throws(ConfigurationError) {
        self.init()
        let environment = Environment(values: environment)
        let root = try YAMLDocument.root(of: text, file: file).map { Value(node: $0, file: file, key: "") }
        if let root, !root.isNull {
            let top = try Section(root, keys: AccountConfiguration.keys + Self.keys)
            try readShared(top)
            try readAccounts(top, environment)
        } else {
            accounts = try environment.overlay([])
        }
        logLevel = try environment.logLevel() ?? logLevel
    }

    /// The keys that are for all accounts.
    static let keys = [
        "accounts", "history", "notifications", "opener", "open_marks_read", "rules", "hooks", "questions",
        "secrets", "log_level",
    ]

    private mutating func readShared(_ top: Section) throws(ConfigurationError) {
        if let history = try top.section("history", keys: ["days"]), let days = history["days"] {
            self.history.days = try days.number(in: 1...36_525)
        }
        if let section = try top.section("notifications", keys: NotificationConfiguration.keys) {
            notifications = try NotificationConfiguration(section)
        }
        opener = try top["opener"]?.argv()
        if let value = top["open_marks_read"] { openMarksRead = try value.flag() }
        for value in try top["rules"]?.list() ?? [] { rules.append(try Rule(value)) }
        hooks.onReply = try top.section("hooks", keys: ["on_reply"])?["on_reply"]?.argv()
        if let value = top["questions"] { questions = try value.flag() }
        if let value = top["secrets"] { secrets = try value.word() }
        if let value = top["log_level"] { logLevel = try value.word() }
    }

    /// Both spellings: keys at the top are those of the account `default`; under `accounts` each has its own.
    private mutating func readAccounts(_ top: Section, _ environment: Environment) throws(ConfigurationError)
    {
        var found: [AccountConfiguration] = []
        let misplaced = top.first(of: AccountConfiguration.keys)
        if misplaced != nil {
            found.append(try AccountConfiguration(name: AccountConfiguration.defaultName, top, environment))
        }
        for value in try top["accounts"]?.entries() ?? [] {
            let name = try AccountConfiguration.name(value)
            if found.contains(where: { $0.name == name }) {
                throw value.error("is the account of the keys at the top too; write its keys in one place")
            }
            let section = try Section(value, keys: AccountConfiguration.keys)
            let account = try AccountConfiguration(name: name, section, environment)
            if account.appID.isEmpty, name != AccountConfiguration.defaultName {
                throw value.error("has no app_id; write the App ID of the admin dashboard")
            }
            found.append(account)
        }
        accounts = try environment.overlay(found)
        guard let unnamed = accounts.firstIndex(where: { $0.appID.isEmpty }) else { return }
        accounts.remove(at: unnamed)
        if let misplaced, !accounts.isEmpty {
            throw misplaced.error("is of the account default, which has no app_id; write it below accounts")
        }
    }
}
