public import CutieAPI

/// What a person asked for: the config file with the environment over it, every value checked.
/// Without an App ID there are no accounts: that is a state to tell of, not an error of the file.
public struct Configuration: Hashable, Sendable {
    /// In the order of the file; names are unique.
    public var accounts: [AccountConfiguration] = []
    public var history = History()
    public var notifications = NotificationConfiguration()
    /// The argv that opens a conversation, run with the link as one more argument; nil: the desktop's handler.
    public var opener: [String]?
    /// Whether a conversation that was opened is marked read once it is shown.
    public var openMarksRead = true
    /// The first that matches decides.
    public var rules: [Rule] = []
    public var hooks = Hooks()
    public var secrets = SecretStorage.auto
    /// Whether questions to the person pop up; else they wait in `cutied ctl questions`.
    public var questions = true
    /// When the person has to confirm that they are at the desktop.
    public var presence: Set<Presence> = []
    public var access = Access()
    /// nil: not said, the program decides.
    public var logLevel: LogLevel?

    public init() {}

    public struct History: Hashable, Sendable {
        /// Messages older than this are forgotten.
        public var days = 365
    }

    /// What apps on this desktop may ask.
    public struct Access: Hashable, Sendable {
        /// Whether they may ask anything.
        public var enabled = true
        /// How long what the person allowed holds without another question.
        public var remember = Duration.seconds(30 * 86_400)
        /// Where services are found by their protocols; nil: where the person looks.
        public var discovery: APIAddress?
    }

    public struct Hooks: Hashable, Sendable {
        /// The argv run for each reply, with the event's JSON on standard input.
        public var onReply: [String]?
    }

    /// What a person has to be there for.
    public enum Presence: String, CaseIterable, Sendable {
        /// Before texts are shown.
        case preview
        case signIn = "sign-in"
        /// Before a program or a service gets what it asks for.
        case grant
    }

    /// Where tokens and keys are kept.
    public enum SecretStorage: String, CaseIterable, Sendable {
        case auto, file
        case secretService = "secret-service"
    }

    /// The levels of swift-log.
    public enum LogLevel: String, CaseIterable, Sendable {
        case trace, debug, info, notice, warning, error, critical
    }

    /// What to type when there is no account.
    public static let unconfigured =
        "no App ID is configured; run `cutied setup`, or set CUTIED_APP_ID"

    /// What a file may hold, in bytes.
    public static let sizeLimit = 1 << 20

    /// Reads a config file's bytes with `environment` over it; `file` is its path, for errors. `checks` looks at the
    /// files that the config names.
    public init(
        bytes: some Collection<UInt8>, file: String, environment: [String: String] = [:],
        checks: ConfiguredFileChecks = .none
    ) throws(ConfigurationError) {
        guard bytes.count <= Self.sizeLimit else {
            throw ConfigurationError(file: file, sentence: "is larger than 1 MiB; this is no config file")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ConfigurationError(file: file, sentence: "is not UTF-8; save it as UTF-8")
        }
        try self.init(yaml: text, file: file, environment: environment, checks: checks)
    }

    /// Reads the text of a config file with `environment` over it. Empty text is a config of defaults.
    public init(
        yaml text: String, file: String, environment: [String: String] = [:],
        checks: ConfiguredFileChecks = .none
    ) throws(ConfigurationError) {
        self.init()
        let environment = Environment(values: environment, checks: checks)
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
        "access", "accounts", "history", "notifications", "opener", "open_marks_read", "rules", "hooks",
        "questions",
        "presence", "secrets", "log_level",
    ]

    private mutating func readShared(_ top: Section) throws(ConfigurationError) {
        if let history = try top.section("history", keys: ["days"]), let days = history["days"] {
            self.history.days = try days.number(in: 1...36_525)
        }
        if let section = try top.section("access", keys: Access.keys) { access = try Access(section) }
        if let section = try top.section("notifications", keys: NotificationConfiguration.keys) {
            notifications = try NotificationConfiguration(section)
        }
        opener = try top["opener"]?.argv()
        if let value = top["open_marks_read"] { openMarksRead = try value.flag() }
        for value in try top["rules"]?.list() ?? [] { rules.append(try Rule(value)) }
        hooks.onReply = try top.section("hooks", keys: ["on_reply"])?["on_reply"]?.argv()
        if let value = top["questions"] { questions = try value.flag() }
        if let value = top["presence"] { presence = try value.words() }
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
            if !account.isComplete, name != AccountConfiguration.defaultName {
                throw value.error("has no app_id; write the App ID of the admin dashboard")
            }
            found.append(account)
        }
        accounts = try environment.overlay(found)
        guard let unnamed = accounts.firstIndex(where: { !$0.isComplete }) else { return }
        accounts.remove(at: unnamed)
        if let misplaced, !accounts.isEmpty {
            throw misplaced.error("is of the account default, which has no app_id; write it below accounts")
        }
    }
}

/// The variables that stand over the config file.
struct Environment {
    let values: [String: String]
    var checks = ConfiguredFileChecks.none

    var home: String? { self["HOME"] }

    /// nil where it is not set or empty.
    subscript(name: String) -> String? { values[name].flatMap { $0.isEmpty ? nil : $0 } }

    /// `accounts` with `CUTIED_APP_ID` and `CUTIED_API_URL` in the account `default`, which the first makes
    /// where there is none.
    func overlay(_ accounts: [AccountConfiguration]) throws(ConfigurationError) -> [AccountConfiguration] {
        var accounts = accounts
        let name = AccountConfiguration.defaultName
        if let value = value("CUTIED_APP_ID"), let appID = try value.headerValue() {
            if let index = accounts.firstIndex(where: { $0.name == name }) {
                guard accounts[index].kind == .device else {
                    throw value.error(AccountConfiguration.appIDOfDevices)
                }
                accounts[index].appID = appID
            } else {
                accounts.insert(AccountConfiguration(appID: appID), at: 0)
            }
        }
        if let address = try value("CUTIED_API_URL")?.address(),
            let index = accounts.firstIndex(where: { $0.name == name })
        {
            accounts[index].apiURL = address
        }
        return accounts
    }

    func logLevel() throws(ConfigurationError) -> Configuration.LogLevel? {
        try value("CUTIED_LOG_LEVEL")?.word()
    }

    private func value(_ name: String) -> Value? {
        self[name].map { Value(text: $0, file: "environment", key: name) }
    }
}

/// What is wrong in the config, where, and what to do.
public struct ConfigurationError: Error, Hashable, Sendable {
    /// The path of the file, or `environment`.
    public var file: String
    /// From 1; nil where it is about the whole file or the environment.
    public var line: Int?
    public var column: Int?
    /// The key with the keys around it (`notifications.preview`); nil where it is about none.
    public var key: String?
    /// What is wrong; what to do.
    public var sentence: String

    public init(file: String, line: Int? = nil, column: Int? = nil, key: String? = nil, sentence: String) {
        self.file = file
        self.line = line
        self.column = column
        self.key = key
        self.sentence = sentence
    }
}

extension ConfigurationError: CustomStringConvertible {
    public var description: String {
        file + (line.map { ":\($0)" } ?? "") + ": " + (key.map { $0 + ": " } ?? "") + sentence
    }
}

extension Configuration.Access {
    static let keys = ["enabled", "remember", "discovery"]

    init(_ section: Section) throws(ConfigurationError) {
        if let value = section["enabled"] { enabled = try value.flag() }
        if let value = section["remember"] { remember = try value.duration(atLeast: .seconds(60)) }
        if let value = section["discovery"], let text = try value.nonEmptyText() {
            do { discovery = try APIAddress(text) } catch { throw value.error("\(error)") }
        }
    }
}
