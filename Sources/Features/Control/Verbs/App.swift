import ArgumentParser
import ControlAPI
import ControlClient
import CutieAPI
import FoundationEssentials
import Platform
import QR

struct AppVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "app", abstract: "Share an account with the Feedback App, or add one from an app.",
        discussion: """
            A shared account can be read and answered in both places. Other apps share their accounts with \
            this computer by a link: `cutied open cutie://link?token=...`.

            Additional exit codes: 1 no app for such links, 69 the API returned an error, \
            76 the API sent an invalid response, 77 the API refused the App ID.
            """,
        subcommands: [Open.self, Code.self, Installed.self, List.self, Remove.self],
        defaultSubcommand: Open.self)

    struct Open: Verb {
        static let configuration = CommandConfiguration(
            commandName: "open", abstract: "Open the Feedback App with this account.")

        @OptionGroup var account: AccountOption
        @OptionGroup var options: CommonOptions

        func run(in session: Session) async throws {
            try await FeedbackAppOpener.makeForThisProcess(session: session).openApp(account: account.name)
        }
    }

    struct Code: Verb {
        static let configuration = CommandConfiguration(
            commandName: "code", abstract: "Print a code for a Feedback App on another device.")

        @OptionGroup var account: AccountOption
        @OptionGroup var options: CommonOptions

        func run(in session: Session) async throws {
            try await session.printReply(to: HandOverApp(account: account.name))
        }
    }

    struct Installed: Verb {
        static let configuration = CommandConfiguration(
            commandName: "installed", abstract: "Print the program for cutie:// links, or exit with 1.")

        @OptionGroup var options: CommonOptions

        func run(in session: Session) async throws {
            try FeedbackAppOpener.makeForThisProcess(session: session).printLinkHandler()
        }
    }

    struct List: Verb {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the accounts added from links and by apps on this computer.")

        @OptionGroup var options: CommonOptions

        func run(in session: Session) async throws {
            try await session.printReply(to: ListApps())
        }
    }

    struct Remove: Verb {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Remove such an account; its app may then ask again."
        )

        @Argument(help: "Name of the account, as in the list.")
        var name: String

        @OptionGroup var options: CommonOptions

        func run(in session: Session) async throws {
            try await session.printReply(to: RemoveApp(account: name))
        }
    }
}

/// The command `app open`, which hands an account over to the desktop's handler for `cutie://` links.
struct FeedbackAppOpener: Sendable {
    let session: Session
    /// The desktop's handler for `cutie://` links; `nil` if none is installed.
    let handler: LinkHandler?
    /// Opens a link with the desktop's handler. Returns `false` if the handler did not start.
    let start: @Sendable (String) async -> Bool

    static func makeForThisProcess(session: Session) -> FeedbackAppOpener {
        let environment = ProcessInfo.processInfo.environment
        return FeedbackAppOpener(
            session: session, handler: LinkHandler.find(forScheme: "cutie", environment: environment)
        ) { link in
            let launcher = Launcher(environment: environment)
            return (try? await launcher.launch(["xdg-open", link]))?.isSuccess == true
        }
    }

    func openApp(account: String?) async throws {
        let handler = try findLinkHandler()
        if Product.includes(desktopFile: handler.id) {
            // cutied itself is the handler, and already has the account, so show the inbox of the account.
            try Output.error.write(
                "cutied is the app for cutie:// links on this computer; this is its inbox:\n")
            try await session.printReply(to: ListConversations(account: account))
            return
        }
        let pass = try await session.call(HandOverApp(account: account))
        guard await start(pass.reply.link) else {
            // If this call fails, the token stays valid until it expires.
            _ = try? await session.call(CancelHandOver(token: pass.reply.token, account: pass.reply.account))
            throw CommandError(
                .failed, "\(handler.name) did not start", advice: "use the code from `cutied ctl app code`")
        }
        try session.output.write(
            session.json ? pass.line : "opened with \(TerminalText.singleLine(handler.name))\n")
    }

    func printLinkHandler() throws {
        let handler = try findLinkHandler()
        let output = Handler(id: handler.id, name: handler.name)
        try session.output.write(
            session.json
                ? try JSONLine.singleLineText(of: JSON.encode(output)) + "\n"
                : "\(TerminalText.singleLine(handler.name))  \(TerminalText.singleLine(handler.id))\n")
    }

    private func findLinkHandler() throws -> LinkHandler {
        guard let handler else {
            throw CommandError(
                .failed, "no app for cutie:// links is installed",
                advice: "`cutied ctl app code` prints a code for a Feedback App on another device")
        }
        return handler
    }

    private struct Handler: Encodable {
        let id: String
        let name: String
    }
}

extension HandOverApp.Reply: HumanReadable {
    /// Returns the QR code of the link, and the token on a separate line for copying.
    func text(in format: TextFormat) -> String {
        let code = (try? QRCode(link)).map { $0.terminalText(usesColor: format.usesColor) + "\n" } ?? ""
        return """
            \(code)Type this code into the Feedback App, or open the link there. The code works once and expires soon.

            \(TerminalText.singleLine(token))
            \(format.styled(TerminalText.singleLine(link), as: .faint))

            """
    }
}

extension ListApps.Reply: HumanReadable {
    func text(in format: TextFormat) -> String {
        if apps.isEmpty { return "no accounts were added\n" }
        var table = Table([.init("ACCOUNT"), .init("APP"), .init("APP ID"), .init("API"), .init("ADDED")])
        for app in apps {
            table.append([
                .init(app.account), .init(app.appName ?? ""), .init(app.appId), .init(app.apiUrl),
                .init(format.relativeTimeText(for: app.addedAt)),
            ])
        }
        return table.text(in: format)
    }
}

extension RemoveApp.Reply: HumanReadable {
    func text(in format: TextFormat) -> String { "removed\n" }
}
