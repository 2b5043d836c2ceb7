import ArgumentParser
import Control
import FoundationEssentials

/// `cutied open`: what the desktop runs for a `cutie://` link.
struct OpenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open",
        abstract: "Show the conversation that a cutie:// link is about.",
        discussion: """
            In the terminal where there is one, else in a window: $TERMINAL, x-terminal-emulator, zenity or \
            kdialog. Marks nothing read.
            Example:
              cutied open 'cutie://conversation/conv_42?account=work'

            Exit codes: 65 the link is not one of cutied's, 66 no such conversation, 69 no daemon.
            """)

    @Argument(help: "cutie://conversation/ID, with ?account=NAME where there are several.")
    var url: String

    @Flag(help: .hidden)
    var hold = false

    func run() async throws {
        try await LinkOpening(url).run(environment: ProcessInfo.processInfo.environment, holding: hold)
    }
}
