import ArgumentParser
import ControlAPI

struct ReloadVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "reload", abstract: "Read the config again.",
        discussion: "An invalid config is refused with 78, and the previous one remains in effect.")

    @OptionGroup var options: CommonOptions

    func run(in session: Session) async throws {
        try await session.printReply(to: Reload())
    }
}

extension Reload.Reply: HumanReadable {
    func text(in format: TextFormat) -> String { "config reloaded\n" }
}

struct ReconnectVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "reconnect", abstract: "Close all connections and reconnect immediately.")

    @OptionGroup var account: AccountOption
    @OptionGroup var options: CommonOptions

    func run(in session: Session) async throws {
        try await session.printReply(to: Reconnect(account: account.name))
    }
}

extension Reconnect.Reply: HumanReadable {
    func text(in format: TextFormat) -> String { "reconnecting\n" }
}
