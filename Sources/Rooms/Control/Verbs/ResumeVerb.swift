import ArgumentParser
import ControlAPI

struct ResumeVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "resume", abstract: "Show pop-ups again after a pause.")

    @OptionGroup var talk: TalkOptions

    func run(in session: Session) async throws {
        try await session.answer(Resume())
    }
}
