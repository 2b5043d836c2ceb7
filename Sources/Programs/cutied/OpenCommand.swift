import ArgumentParser
import Control
import FoundationEssentials

/// The command `cutied open`, which the desktop runs for a `cutie://` link.
struct OpenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open",
        abstract: "Open a cutie:// link: show its conversation or add its app.",
        discussion: """
            A conversation is shown in the terminal if there is one, otherwise in a window: $TERMINAL, the \
            terminal of your desktop, zenity or kdialog. It is marked as read after it was shown (see \
            open_marks_read in the config). With message=, that message is shown first. An app is added after \
            you allow it, in the terminal or in a notification. A cutie://setup link is written to the config after \
            you agree. Without a terminal, errors are shown as notifications.

            Examples:
              cutied open 'cutie://conversation/conv_42?account=work'
              cutied open --reply 'cutie://conversation/conv_42'
              cutied open 'cutie://link?token=cutie_ft_42'

            Exit codes: 1 denied or not sent, 64 no terminal to ask, 65 not a valid link, 66 no such \
            conversation, 69 daemon or API not reachable, or no program to write a reply, 75 queued, 76 the API \
            sent an invalid response, 77 the API refused the App ID.
            """)

    @Argument(
        help:
            "cutie://conversation/ID (?account=NAME, &message=ID), cutie://link?token=TOKEN or cutie://setup."
    )
    var url: String

    @Flag(help: "Write a reply instead of only showing the conversation.")
    var reply = false

    @Flag(help: .hidden)
    var hold = false

    func run() async throws {
        let (opening, environment) = (try LinkOpener(url), ProcessInfo.processInfo.environment)
        if reply { return try await opening.composeReply(environment: environment, keepsTerminalOpen: hold) }
        try await opening.open(
            environment: environment, keepsTerminalOpen: hold, notify: DesktopNotice.notifyUser)
    }
}
