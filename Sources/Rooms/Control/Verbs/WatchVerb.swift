import ArgumentParser
import ControlAPI

struct WatchVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Print a line for each event, for ever.",
        discussion: """
            Goes on where it was when the daemon comes back. With --waybar it prints what a custom module \
            of Waybar reads, at once and on each change.
            Examples:
              cutied ctl watch --json | jq 'select(.type == "message.created")'
              cutied ctl watch --since 1234
            """)

    @Option(help: .init("Begin after this entry of the log.", valueName: "sequence"))
    var since: Int64?

    @Flag(help: "Print lines for Waybar.")
    var waybar = false

    @OptionGroup var account: AccountOption
    @OptionGroup var talk: TalkOptions

    func validate() throws {
        if waybar, since != nil { throw ValidationError("--since has no meaning with --waybar") }
        if let since, since < 0 { throw ValidationError("a sequence is not negative") }
    }

    func run() async throws {
        Streaming.endQuietly()
        try await run(in: try .ofThisProcess(talk))
    }

    func run(in session: Session) async throws {
        if waybar {
            try await session.watchForWaybar(account: account.name)
        } else {
            try await session.watch(since: since, account: account.name)
        }
    }
}
