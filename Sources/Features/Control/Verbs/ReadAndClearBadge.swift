import ArgumentParser
import ControlAPI

struct ReadVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "read", abstract: "Mark stored messages as read on all devices.",
        usage: "cutied ctl read (<conversation> | --all) [--account <name>] [--json] [--no-wait]")

    @Argument(help: "The conversation; `cutied ctl inbox --unread` lists them.", completion: .conversations)
    var conversation: String?

    @Flag(help: "All conversations.")
    var all = false

    @OptionGroup var account: AccountOption
    @OptionGroup var options: CommonOptions

    func validate() throws {
        if all == (conversation != nil) {
            throw ValidationError("specify either a conversation or --all, not both")
        }
    }

    func run(in session: Session) async throws {
        let reply = try await session.printReply(
            to: MarkRead(conversation: conversation, account: account.name))
        try session.throwIfQueued(reply.queued)
    }
}

extension MarkRead.Reply: HumanReadable {
    func text(in format: TextFormat) -> String {
        let what = conversations.pluralized(one: "conversation", other: "conversations")
        return "\(what) marked as read\(queued ? ", queued for the server" : "")\n"
    }
}

struct ClearBadgeVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "clear-badge", abstract: "Set the badge to 0 on this computer.",
        discussion: """
            Without --read, nothing is marked as read and other devices keep their badges. The command works \
            offline and is idempotent.

            Examples:
              cutied ctl clear-badge
              cutied ctl clear-badge conv_42 --read
            """,
        aliases: ["clearBadge"])

    @Argument(help: "Only the badge of this conversation.", completion: .conversations)
    var conversation: String?

    @Flag(help: "Also mark the messages as read on all devices.")
    var read = false

    @OptionGroup var account: AccountOption
    @OptionGroup var options: CommonOptions

    func run(in session: Session) async throws {
        let reply = try await session.printReply(
            to: ClearBadge(conversation: conversation, read: read ? true : nil, account: account.name))
        try session.throwIfQueued(reply.queued)
    }
}

extension ClearBadge.Reply: HumanReadable {
    func text(in format: TextFormat) -> String {
        "badge \(badge.sentence)\(queued ? ", mark as read is queued for the server" : "")\n"
    }
}
