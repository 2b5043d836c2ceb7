import ArgumentParser
import ControlAPI

struct ReloadVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "reload", abstract: "Read the config again.",
        discussion: "A bad one is refused with 78, and the one before stays in force.")

    @OptionGroup var options: CommonOptions

    func run(in session: Session) async throws {
        try await session.answer(Reload())
    }
}

extension Reload.Reply: HumanReadable {
    func text(in format: TextFormat) -> String { "config read\n" }
}

struct ReconnectVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "reconnect", abstract: "Drop the connections and start again at once.")

    @OptionGroup var account: AccountOption
    @OptionGroup var options: CommonOptions

    func run(in session: Session) async throws {
        try await session.answer(Reconnect(account: account.name))
    }
}

extension Reconnect.Reply: HumanReadable {
    func text(in format: TextFormat) -> String { "reconnecting\n" }
}
