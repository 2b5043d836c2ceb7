import ArgumentParser
import ControlAPI

struct StatusVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show connections, badge, queue and pop-ups.")

    @OptionGroup var account: AccountOption
    @OptionGroup var talk: TalkOptions

    func run(in session: Session) async throws {
        let answer = try await session.daemon.call(GetStatus())
        guard let name = account.name else { return try session.print(answer) }
        try session.print(Answer(answer.reply.narrowed(to: name)))
    }
}
