import ArgumentParser
import ControlAPI

struct UserVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user", abstract: "Show or say who you are to support.",
        subcommands: [Show.self, Set.self, Clear.self], defaultSubcommand: Show.self)

    struct Show: Verb {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Show who you are to support.")

        @OptionGroup var account: AccountOption
        @OptionGroup var talk: TalkOptions

        func run(in session: Session) async throws {
            try await session.answer(GetUser(account: account.name))
        }
    }

    struct Set: Verb {
        static let configuration = CommandConfiguration(
            commandName: "set",
            abstract: "Say who you are, over the configuration; what is left out stays as it is.")

        @Option(help: "Your id in the app.")
        var id: String?

        @Option(help: "Your name.")
        var name: String?

        @OptionGroup var account: AccountOption
        @OptionGroup var talk: TalkOptions

        func validate() throws {
            guard id != nil || name != nil else { throw ValidationError("give --id, --name or both") }
        }

        func run(in session: Session) async throws {
            try await session.answer(SetUser(userId: id, userName: name, account: account.name))
        }
    }

    struct Clear: Verb {
        static let configuration = CommandConfiguration(
            commandName: "clear", abstract: "Forget what `set` said.")

        @OptionGroup var account: AccountOption
        @OptionGroup var talk: TalkOptions

        func run(in session: Session) async throws {
            try await session.answer(ClearUser(account: account.name))
        }
    }
}
