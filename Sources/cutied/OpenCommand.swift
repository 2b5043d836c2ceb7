import ArgumentParser
import Control
import FoundationEssentials

/// `cutied open`: what the desktop runs for a `cutie://` link.
struct OpenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open",
        abstract: "Show the conversation, or add the app, that a cutie:// link is about.",
        discussion: """
            A conversation appears in the terminal where there is one, else in a window: $TERMINAL, \
            the terminal of your desktop, zenity or kdialog. Marks nothing read. An app is added once you allow \
            it, in the terminal or by pop-up. Started by the desktop, without a terminal, it tells by pop-up \
            what it could not open.
            Examples:
              cutied open 'cutie://conversation/conv_42?account=work'
              cutied open 'cutie://link?token=cutie_ft_42'

            Exit codes: 1 refused, 65 the link is not one of cutied's, 66 no such conversation, 69 no daemon \
            or no API, 76 the API's answer makes no sense, 77 it refuses the App ID.
            """)

    @Argument(
        help:
            "cutie://conversation/ID, with ?account=NAME where there are several, or cutie://link?token=TOKEN."
    )
    var url: String

    @Flag(help: .hidden)
    var hold = false

    func run() async throws {
        try await LinkOpening(url).run(
            environment: ProcessInfo.processInfo.environment, holding: hold, telling: DesktopNotice.tell)
    }
}
