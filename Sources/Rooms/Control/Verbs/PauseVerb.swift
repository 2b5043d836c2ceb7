import ArgumentParser
import ControlAPI

struct PauseVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "pause", abstract: "Show no pop-ups for a while.",
        discussion: """
            Badge and history go on, and urgent messages are shown.
            Examples:
              cutied ctl pause 90m
              cutied ctl pause --private
            """)

    @Argument(help: "How long: seconds, or 90s 5m 1h 2d. Without it, until `cutied ctl resume`.")
    var duration: TimeSpan?

    @Flag(name: .customLong("private"), help: "Show them, but without names and text.")
    var isPrivate = false

    @OptionGroup var talk: TalkOptions

    func validate() throws {
        if duration?.seconds == 0 { throw ValidationError("a pause of 0 s is none; see `cutied ctl resume`") }
    }

    func run(in session: Session) async throws {
        try await session.answer(Pause(seconds: duration?.seconds, private: isPrivate ? true : nil))
    }
}
