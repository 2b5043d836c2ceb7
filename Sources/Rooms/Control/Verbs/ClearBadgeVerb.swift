import ArgumentParser
import ControlAPI

struct ClearBadgeVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "clear-badge", abstract: "Set the badge to 0 on this computer.",
        discussion: """
            Nothing is marked read and other devices keep their badges, unless --read is given. It works \
            offline, and doing it twice does no harm.
            Examples:
              cutied ctl clear-badge
              cutied ctl clear-badge conv_42 --read
            """,
        aliases: ["clearBadge"])

    @Argument(help: "Only the badge of this conversation.", completion: .conversations)
    var conversation: String?

    @Flag(help: "Mark read everywhere, too.")
    var read = false

    @OptionGroup var account: AccountOption
    @OptionGroup var talk: TalkOptions

    func run(in session: Session) async throws {
        let reply = try await session.answer(
            ClearBadge(conversation: conversation, read: read ? true : nil, account: account.name))
        try session.end(queued: reply.queued)
    }
}
