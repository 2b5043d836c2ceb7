import ArgumentParser
import ControlAPI
import ControlClient

struct UserVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user", abstract: "Show or set your ID and name, as support sees them.",
        subcommands: [Show.self, Set.self, Clear.self], defaultSubcommand: Show.self)

    struct Show: Verb {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Show your ID and name, as support sees them.")

        @OptionGroup var account: AccountOption
        @OptionGroup var options: CommonOptions

        func run(in session: Session) async throws {
            try await session.printReply(to: GetUser(account: account.name))
        }
    }

    struct Set: Verb {
        static let configuration = CommandConfiguration(
            commandName: "set",
            abstract: "Set your ID or name. An empty value removes it.",
            discussion: """
                The daemon stores the values. user_id and user_name of the configuration are defaults, in use \
                until you set a value here or in the window.
                """)

        @Option(help: "Your ID in the app.")
        var id: String?

        @Option(help: "Your name.")
        var name: String?

        @OptionGroup var account: AccountOption
        @OptionGroup var options: CommonOptions

        func validate() throws {
            guard id != nil || name != nil else { throw ValidationError("specify --id, --name or both") }
        }

        func run(in session: Session) async throws {
            try await session.printReply(to: SetUser(userId: id, userName: name, account: account.name))
        }
    }

    struct Clear: Verb {
        static let configuration = CommandConfiguration(
            commandName: "clear",
            abstract: "Remove the values of `set` and use the configured ones again.")

        @OptionGroup var account: AccountOption
        @OptionGroup var options: CommonOptions

        func run(in session: Session) async throws {
            try await session.printReply(to: ClearUser(account: account.name))
        }
    }
}

extension UserView: HumanReadable {
    func text(in format: TextFormat) -> String {
        var fields = FieldList()
        fields.append(name: "id", value: userId.map(TerminalText.singleLine) ?? "not given")
        fields.append(name: "name", value: userName.map(TerminalText.singleLine) ?? "not given")
        return fields.text(in: format)
    }
}

struct ConsentVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "consent", abstract: "Show or set whether apps may count you as an active user.",
        discussion: """
            Off by default. If on, each app's API is notified once per start of the daemon that this device is \
            in use. Only a hash of the device id and the fields that device_context allows are sent.
            """)

    @Argument(help: "on, off or status.")
    var setting = SwitchArgument.status

    @OptionGroup var options: CommonOptions

    func run(in session: Session) async throws {
        try await session.printReply(to: Consent(enabled: setting == .status ? nil : setting == .on))
    }
}

extension Consent.Reply: HumanReadable {
    func text(in format: TextFormat) -> String {
        "activity is \(enabled ? "reported once per start" : "not reported")\(decided ? "" : " (not asked yet)")\n"
    }
}
