import ArgumentParser
import ControlAPI

struct AppVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "app", abstract: "Hand an account over to the Feedback App, or take one over.",
        discussion: """
            An account that is handed over is shown and answered in the other place, too. What other apps \
            hand over to this computer comes by a link: `cutied open cutie://link?token=...`.

            Exit codes besides the usual ones: 1 no app for such links, 69 the API answered with an error, \
            76 its answer makes no sense, 77 it refuses the App ID, 78 not configured.
            """,
        subcommands: [Open.self, Code.self, Installed.self, List.self, Remove.self],
        defaultSubcommand: Open.self)

    struct Open: Verb {
        static let configuration = CommandConfiguration(
            commandName: "open", abstract: "Open the Feedback App with this account.")

        @OptionGroup var account: AccountOption
        @OptionGroup var talk: TalkOptions

        func run(in session: Session) async throws {
            try await FeedbackAppOpening.ofThisProcess(session).open(account: account.name)
        }
    }

    struct Code: Verb {
        static let configuration = CommandConfiguration(
            commandName: "code", abstract: "Print the code to type into a Feedback App elsewhere.")

        @OptionGroup var account: AccountOption
        @OptionGroup var talk: TalkOptions

        func run(in session: Session) async throws {
            try await session.answer(HandOverApp(account: account.name))
        }
    }

    struct Installed: Verb {
        static let configuration = CommandConfiguration(
            commandName: "installed", abstract: "Name the program for cutie:// links, or end with 1.")

        @OptionGroup var talk: TalkOptions

        func run(in session: Session) async throws {
            try FeedbackAppOpening.ofThisProcess(session).tellHandler()
        }
    }

    struct List: Verb {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the accounts that were taken over.")

        @OptionGroup var talk: TalkOptions

        func run(in session: Session) async throws {
            try await session.answer(ListApps())
        }
    }

    struct Remove: Verb {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Take such an account away again; other devices keep it.")

        @Argument(help: "Its name in the list.")
        var name: String

        @OptionGroup var talk: TalkOptions

        func run(in session: Session) async throws {
            try await session.answer(RemoveApp(account: name))
        }
    }
}
