import ArgumentParser
import ControlAPI

struct ReloadVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "reload", abstract: "Read the config again.",
        discussion: "A bad one is refused with 78, and the one before stays in force.")

    @OptionGroup var talk: TalkOptions

    func run(in session: Session) async throws {
        try await session.answer(Reload())
    }
}
