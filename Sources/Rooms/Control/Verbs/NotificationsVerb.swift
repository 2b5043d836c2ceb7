import ArgumentParser
import ControlAPI

struct NotificationsVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "notifications", abstract: "Turn pop-ups on or off for good.")

    @Argument(help: "on, off or status.")
    var setting = OnOff.status

    @OptionGroup var talk: TalkOptions

    func run(in session: Session) async throws {
        try await session.answer(Notifications(enabled: setting == .status ? nil : setting == .on))
    }
}
