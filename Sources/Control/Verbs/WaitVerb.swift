import ArgumentParser
import ControlAPI

struct WaitVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "wait", abstract: "Wait until the daemon is up.",
        discussion: """
            Ends with 1 when the time is over.
            Examples:
              cutied ctl wait --connected --timeout 30s && cutied ctl inbox
            """)

    @Flag(help: "Until it is connected, too.")
    var connected = false

    @Option(help: .init("At most so long: seconds, or 90s 5m 1h 2d.", valueName: "duration"))
    var timeout: TimeSpan?

    @OptionGroup var account: AccountOption
    @OptionGroup var talk: TalkOptions

    func run(in session: Session) async throws {
        let awaited = Awaited(connected: connected, account: account.name)
        try session.print(
            try await session.wait(for: awaited, within: talk.noWait ? TimeSpan(seconds: 0) : timeout))
    }
}
