import ArgumentParser
import ControlAPI

struct ReconnectVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "reconnect", abstract: "Drop the connections and start again at once.")

    @OptionGroup var account: AccountOption
    @OptionGroup var talk: TalkOptions

    func run(in session: Session) async throws {
        try await session.answer(Reconnect(account: account.name))
    }
}
