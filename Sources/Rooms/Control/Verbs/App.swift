import ArgumentParser
import ControlAPI
import ControlClient
import CutieAPI
import FoundationEssentials
import Platform
import QR

struct AppVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "app", abstract: "Hand an account over to the Feedback App, or take one over.",
        discussion: """
            An account that is handed over is shown and answered in the other place, too. What other apps \
            hand over to this computer comes by a link: `cutied open cutie://link?token=...`.

            Exit codes besides the usual ones: 1 no app for such links, 69 the API answered with an error, \
            76 its answer makes no sense, 77 it refuses the App ID.
            """,
        subcommands: [Open.self, Code.self, Installed.self, List.self, Remove.self],
        defaultSubcommand: Open.self)

    struct Open: Verb {
        static let configuration = CommandConfiguration(
            commandName: "open", abstract: "Open the Feedback App with this account.")

        @OptionGroup var account: AccountOption
        @OptionGroup var options: CommonOptions

        func run(in session: Session) async throws {
            try await FeedbackAppOpener.ofThisProcess(session).open(account: account.name)
        }
    }

    struct Code: Verb {
        static let configuration = CommandConfiguration(
            commandName: "code", abstract: "Print the code to type into a Feedback App elsewhere.")

        @OptionGroup var account: AccountOption
        @OptionGroup var options: CommonOptions

        func run(in session: Session) async throws {
            try await session.answer(HandOverApp(account: account.name))
        }
    }

    struct Installed: Verb {
        static let configuration = CommandConfiguration(
            commandName: "installed", abstract: "Name the program for cutie:// links, or end with 1.")

        @OptionGroup var options: CommonOptions

        func run(in session: Session) async throws {
            try FeedbackAppOpener.ofThisProcess(session).tellHandler()
        }
    }

    struct List: Verb {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the accounts that were taken over, and those of apps here.")

        @OptionGroup var options: CommonOptions

        func run(in session: Session) async throws {
            try await session.answer(ListApps())
        }
    }

    struct Remove: Verb {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Take such an account away again; an app here may then ask anew."
        )

        @Argument(help: "Its name in the list.")
        var name: String

        @OptionGroup var options: CommonOptions

        func run(in session: Session) async throws {
            try await session.answer(RemoveApp(account: name))
        }
    }
}

/// The command `app open`: hands an account over to the desktop's handler of `cutie://` links.
struct FeedbackAppOpener: Sendable {
    let session: Session
    /// `nil` if no handler is installed.
    let handler: LinkHandler?
    /// Opens a link with the desktop's handler. Returns false if the handler did not start.
    let start: @Sendable (String) async -> Bool

    static func ofThisProcess(_ session: Session) -> FeedbackAppOpener {
        let environment = ProcessInfo.processInfo.environment
        return FeedbackAppOpener(
            session: session, handler: LinkHandler.find(scheme: "cutie", environment: environment)
        ) { link in
            let launcher = Launcher(environment: environment)
            return (try? await launcher.launch(["xdg-open", link]))?.isSuccess == true
        }
    }

    func open(account: String?) async throws {
        let handler = try installed()
        if Product.isOwn(desktopFile: handler.id) {
            // If cutied is the handler itself, it would add the account that it already has.
            try Output.error.write("cutied itself is the app for cutie:// links here; this is its inbox:\n")
            try await session.answer(ListConversations(account: account))
            return
        }
        let pass = try await session.call(HandOverApp(account: account))
        guard await start(pass.reply.link) else {
            // If this call fails, the token expires by itself.
            _ = try? await session.call(CancelHandOver(token: pass.reply.token, account: pass.reply.account))
            throw CommandError(
                .failed, "\(handler.name) did not start", advice: "use the code of `cutied ctl app code`")
        }
        try session.output.write(
            session.json ? pass.line : "opened with \(TerminalText.line(handler.name))\n")
    }

    func tellHandler() throws {
        let handler = try installed()
        let told = Handler(id: handler.id, name: handler.name)
        try session.output.write(
            session.json
                ? try JSONLine.text(JSON.encode(told)) + "\n"
                : "\(TerminalText.line(handler.name))  \(TerminalText.line(handler.id))\n")
    }

    private func installed() throws -> LinkHandler {
        guard let handler else {
            throw CommandError(
                .failed, "no app for cutie:// links is installed",
                advice: "`cutied ctl app code` prints a code for a Feedback App elsewhere")
        }
        return handler
    }

    private struct Handler: Encodable {
        let id: String
        let name: String
    }
}

extension HandOverApp.Reply: HumanReadable {
    /// Returns the QR code of the link, and the token on a line of its own for copying.
    func text(in format: TextFormat) -> String {
        let code = (try? QRCode(link)).map { $0.terminalText(coloured: format.colour) + "\n" } ?? ""
        return """
            \(code)Type this code into the Feedback App, or open the link there. It works once, and not for long.

            \(TerminalText.line(token))
            \(format.paint(TerminalText.line(link), .faint))

            """
    }
}

extension ListApps.Reply: HumanReadable {
    func text(in format: TextFormat) -> String {
        if apps.isEmpty { return "no app was taken over\n" }
        var table = Table([.init("ACCOUNT"), .init("APP"), .init("APP ID"), .init("API"), .init("ADDED")])
        for app in apps {
            table.append([
                .init(app.account), .init(app.appName ?? ""), .init(app.appId), .init(app.apiUrl),
                .init(format.relative(app.addedAt)),
            ])
        }
        return table.text(in: format)
    }
}

extension RemoveApp.Reply: HumanReadable {
    func text(in format: TextFormat) -> String { "removed\n" }
}
