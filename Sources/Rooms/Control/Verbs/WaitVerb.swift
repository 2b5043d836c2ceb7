import ArgumentParser
import ControlAPI

struct WaitVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "wait", abstract: "Wait until the daemon is up.",
        discussion: """
            Ends with 1 when the time is over. With a timeout of 0, or --no-wait instead of one, looks once. With \
            both, a daemon that does not run is not waited for, and one that does is.
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
        let awaited = Awaited(connected: connected, account: account.name, mayStart: !talk.noWait)
        let limit = timeout ?? (talk.noWait ? TimeSpan(seconds: 0) : nil)
        try session.print(try await session.wait(for: awaited, within: limit))
    }
}
