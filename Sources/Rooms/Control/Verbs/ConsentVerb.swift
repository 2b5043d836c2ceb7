import ArgumentParser
import ControlAPI

struct ConsentVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "consent", abstract: "Say whether apps may count you as active.",
        discussion: """
            Off until you say on. With it, each app's API is told once a start that this device is in use: \
            by a hash of its id, with what device_context in the config allows, and with nothing else.
            """)

    @Argument(help: "on, off or status.")
    var setting = OnOff.status

    @OptionGroup var talk: TalkOptions

    func run(in session: Session) async throws {
        try await session.answer(Consent(enabled: setting == .status ? nil : setting == .on))
    }
}
