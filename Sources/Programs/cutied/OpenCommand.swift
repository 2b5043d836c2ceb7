import ArgumentParser
import Control
import FoundationEssentials

/// The command `cutied open`, which the desktop runs for a `cutie://` link.
struct OpenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open",
        abstract: "Show the conversation, or add the app, that a cutie:// link is about.",
        discussion: """
            A conversation appears in the terminal where there is one, else in a window: $TERMINAL, \
            the terminal of your desktop, zenity or kdialog. It is marked read once it is shown (open_marks_read \
            in the config). With message= you see that message first. An app is added once you allow it, in the \
            terminal or by pop-up; a link of cutie://setup is written into the config once you agree. Started by the desktop, without a terminal, it tells by pop-up what it could \
            not open.
            Examples:
              cutied open 'cutie://conversation/conv_42?account=work'
              cutied open --reply 'cutie://conversation/conv_42'
              cutied open 'cutie://link?token=cutie_ft_42'

            Exit codes: 1 refused or not sent, 64 there is no terminal to ask on, 65 the link is not one of cutied's, 66 no such conversation, 69 no daemon, \
            no API or nothing to write in, 75 queued, 76 the API's answer makes no sense, 77 it refuses the App ID.
            """)

    @Argument(
        help:
            "cutie://conversation/ID (?account=NAME, &message=ID), cutie://link?token=TOKEN or cutie://setup."
    )
    var url: String

    @Flag(help: "Write an answer in the conversation, where it would be shown.")
    var reply = false

    @Flag(help: .hidden)
    var hold = false

    func run() async throws {
        let (opening, environment) = (try LinkOpener(url), ProcessInfo.processInfo.environment)
        if reply { return try await opening.reply(environment: environment, holding: hold) }
        try await opening.run(environment: environment, holding: hold, telling: DesktopNotice.tell)
    }
}
