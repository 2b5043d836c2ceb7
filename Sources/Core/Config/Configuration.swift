public import CutieAPI
public import Reasons

/// The validated settings from the config file. Environment variables override the file. A file that
/// configures no account is valid.
public struct Configuration: Hashable, Sendable {
    /// The accounts in the order of the file; their names are unique.
    public var accounts: [AccountConfiguration] = []
    public var history = History()
    public var notifications = NotificationConfiguration()
    /// The command that opens a conversation; the link is its last argument. `nil` for the desktop's default
    /// handler.
    public var opener: [String]?
    /// Whether a conversation is marked as read when it is shown to the user.
    public var openMarksRead = true
    /// The rules for messages; the first matching rule applies.
    public var rules: [Rule] = []
    public var hooks = Hooks()
    public var secrets = SecretStorage.auto
    /// Whether questions to the user are shown as notifications. `cutied ctl questions` always lists them.
    public var questions = true
    /// The actions for which the user must confirm presence.
    public var presence: Set<PresenceAction> = []
    public var access = Access()
    public var window = Window()
    /// The minimum log level; `nil` for the default of the program.
    public var logLevel: LogLevel?

    public init() {}

    /// The settings for stored messages.
    public struct History: Hashable, Sendable {
        /// The age in days after which messages are deleted.
        public var days = 365
    }

    /// The settings for requests from other apps on this desktop.
    public struct Access: Hashable, Sendable {
        /// Whether other apps may send requests.
        public var enabled = true
        /// The time for which a granted permission is valid.
        public var remember = Duration.seconds(30 * 86_400)
        /// The index in which services are searched by protocol; `nil` to search only hosts that the user
        /// enters.
        public var discovery: APIAddress?
    }

    /// The settings of the inbox window, which the daemon ignores.
    public struct Window: Hashable, Sendable {
        /// Whether Enter sends a reply. Ctrl+Enter always sends a reply.
        public var enterSends = false

        static let keys = ["enter_sends"]
    }

    /// The commands that run on events.
    public struct Hooks: Hashable, Sendable {
        /// The command that runs for each reply, with the event as JSON on standard input; `nil` if no
        /// command runs.
        public var onReply: [String]?
    }

    /// An action that requires the user's presence.
    public enum PresenceAction: String, CaseIterable, Sendable {
        /// Showing the text of messages.
        case preview
        case signIn = "sign-in"
        /// Granting a program or a service the access that it requests.
        case grant
    }

    /// The storage of tokens and keys.
    public enum SecretStorage: String, CaseIterable, Sendable {
        /// The secret service if it responds; otherwise, the file.
        case auto
        case file
        case secretService = "secret-service"
    }

    /// The levels of swift-log.
    public enum LogLevel: String, CaseIterable, Sendable {
        case trace, debug, info, notice, warning, error, critical
    }

    /// The maximum size of a config file in bytes.
    public static let sizeLimit = 1 << 20

    /// Parses the bytes of a config file and applies `environment`. `file` is the path in error messages.
    /// `checks` validate the files that the config names.
    public init(
        bytes: some Collection<UInt8>, file: String, environment: [String: String] = [:],
        checks: ConfiguredFileChecks = .none
    ) throws(ConfigurationError) {
        guard bytes.count <= Self.sizeLimit else {
            throw ConfigurationError(file: file, problem: Reason(.configTooLarge))
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ConfigurationError(file: file, problem: Reason(.configNotUTF8))
        }
        try self.init(yaml: text, file: file, environment: environment, checks: checks)
    }

    /// Parses the text of a config file and applies `environment`. An empty file results in the defaults.
    public init(
        yaml text: String, file: String, environment: [String: String] = [:],
        checks: ConfiguredFileChecks = .none
    ) throws(ConfigurationError) {
        self.init()
        let environment = Environment(values: environment, checks: checks)
        let root = try YAMLDocument.parseRoot(of: text, file: file).map {
            ConfigurationScalar(node: $0, file: file, key: "")
        }
        if let root, !root.isNull {
            let top = try ConfigurationSection(root, keys: AccountConfiguration.keys + Self.keys)
            try readSharedSettings(from: top, checks: environment.checks)
            try readAccounts(from: top, environment: environment)
        } else {
            accounts = try environment.addingOverrides(to: [])
        }
        logLevel = try environment.parseLogLevel() ?? logLevel
    }

    /// The keys at the top level of the file that do not belong to the account `default`.
    static let keys = [
        "access", "accounts", "history", "notifications", "opener", "open_marks_read", "rules", "hooks",
        "questions", "presence", "secrets", "log_level", "window",
    ]

    private mutating func readSharedSettings(
        from section: ConfigurationSection, checks: ConfiguredFileChecks
    ) throws(ConfigurationError) {
        if let history = try section.readSection(forKey: "history", knownKeys: ["days"]),
            let days = history["days"]
        {
            self.history.days = try days.parseNumber(in: 1...36_525)
        }
        if let section = try section.readSection(forKey: "access", knownKeys: Access.keys) {
            access = try Access(section)
        }
        if let section = try section.readSection(
            forKey: "notifications", knownKeys: NotificationConfiguration.keys)
        {
            notifications = try NotificationConfiguration(section)
        }
        opener = try section["opener"]?.parseCommand(checkedBy: checks.program)
        if let value = section["open_marks_read"] { openMarksRead = try value.parseFlag() }
        for value in try section["rules"]?.parseList() ?? [] { rules.append(try Rule(value)) }
        hooks.onReply = try section.readSection(forKey: "hooks", knownKeys: ["on_reply"])?["on_reply"]?
            .parseCommand(checkedBy: checks.program)
        if let value = section["questions"] { questions = try value.parseFlag() }
        if let value = section["presence"] { presence = try value.parseEnumValues() }
        if let value = try section.readSection(forKey: "window", knownKeys: Window.keys)?["enter_sends"] {
            window.enterSends = try value.parseFlag()
        }
        if let value = section["secrets"] { secrets = try value.parseEnumValue() }
        if let value = section["log_level"] { logLevel = try value.parseEnumValue() }
    }

    /// Reads the accounts: keys at the top level belong to the account `default`; each group nested under
    /// `accounts` is an account.
    private mutating func readAccounts(from section: ConfigurationSection, environment: Environment)
        throws(ConfigurationError)
    {
        var found: [AccountConfiguration] = []
        let misplaced = section.firstValue(forKeys: AccountConfiguration.keys)
        if misplaced != nil {
            found.append(
                try AccountConfiguration(
                    name: AccountConfiguration.defaultName, section: section, environment: environment))
        }
        for value in try section["accounts"]?.parseEntries() ?? [] {
            let name = try AccountConfiguration.parseName(fromKeyOf: value)
            if found.contains(where: { $0.name == name }) {
                throw value.makeError(code: .accountDuplicate)
            }
            let section = try ConfigurationSection(value, keys: AccountConfiguration.keys)
            let account = try AccountConfiguration(name: name, section: section, environment: environment)
            if !account.isComplete, name != AccountConfiguration.defaultName {
                throw value.makeError(code: .accountWithoutAppID)
            }
            found.append(account)
        }
        accounts = try environment.addingOverrides(to: found)
        guard let unnamed = accounts.firstIndex(where: { !$0.isComplete }) else { return }
        accounts.remove(at: unnamed)
        if let misplaced, !accounts.isEmpty {
            throw misplaced.makeError(code: .keyOfDefaultAccount)
        }
    }
}

/// The environment variables, which override the config file.
struct Environment {
    let values: [String: String]
    var checks = ConfiguredFileChecks.none

    var home: String? { self["HOME"] }

    /// Returns the value of a variable; `nil` if it is unset or empty.
    subscript(name: String) -> String? { values[name].flatMap { $0.isEmpty ? nil : $0 } }

    /// Returns `accounts` with `CUTIED_APP_ID` and `CUTIED_API_URL` applied to the account `default`.
    /// `CUTIED_APP_ID` creates the account if it does not exist.
    func addingOverrides(to accounts: [AccountConfiguration]) throws(ConfigurationError)
        -> [AccountConfiguration]
    {
        var accounts = accounts
        let name = AccountConfiguration.defaultName
        if let value = value(ofVariable: "CUTIED_APP_ID"), let appID = try value.parseHeaderValue() {
            if let index = accounts.firstIndex(where: { $0.name == name }) {
                guard accounts[index].kind == .device else {
                    throw value.makeError(code: .appIDOfDevices)
                }
                accounts[index].appID = appID
            } else {
                accounts.insert(AccountConfiguration(appID: appID), at: 0)
            }
        }
        if let address = try value(ofVariable: "CUTIED_API_URL")?.parseAddress(),
            let index = accounts.firstIndex(where: { $0.name == name })
        {
            accounts[index].apiURL = address
        }
        return accounts
    }

    func parseLogLevel() throws(ConfigurationError) -> Configuration.LogLevel? {
        try value(ofVariable: "CUTIED_LOG_LEVEL")?.parseEnumValue()
    }

    private func value(ofVariable name: String) -> ConfigurationScalar? {
        self[name].map { ConfigurationScalar(text: $0, file: "environment", key: name) }
    }
}

/// A config error: the mistake, its position, and how to correct it.
public struct ConfigurationError: ReasonedError, Hashable, Sendable {
    /// The path of the file, or `environment`.
    public var file: String
    /// The line and the column, counted from 1; `nil` if the error is about the whole file or the
    /// environment.
    public var line: Int?
    public var column: Int?
    /// The full key (`notifications.preview`); `nil` if the error is not about a key.
    public var key: String?
    /// The mistake, and how to correct it.
    public var problem: Reason

    public init(file: String, line: Int? = nil, column: Int? = nil, key: String? = nil, problem: Reason) {
        self.file = file
        self.line = line
        self.column = column
        self.key = key
        self.problem = problem
    }

    /// The mistake after its position, such as `config.yaml:3: notifications.preview`.
    public var reason: Reason {
        let place = file + (line.map { ":\($0)" } ?? "") + (key.map { ": " + $0 } ?? "")
        return Reason(.settingAt, ["place": place], because: problem)
    }
}

extension Configuration.Access {
    static let keys = ["enabled", "remember", "discovery"]

    init(_ section: ConfigurationSection) throws(ConfigurationError) {
        if let value = section["enabled"] { enabled = try value.parseFlag() }
        if let value = section["remember"] { remember = try value.parseDuration(atLeast: .seconds(60)) }
        if let value = section["discovery"], try value.parseNonEmptyText() != nil {
            discovery = try value.parseAddress()
        }
    }
}
