import ArgumentParser
import ControlAPI

struct MuteVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "mute", abstract: "Stop notifications of one conversation on this computer.",
        discussion: """
            Replies are still stored and listed as unread, but they do not count in the badge. \
            `cutied ctl inbox --muted` lists the muted conversations, and `cutied ctl unmute` ends the muting.
            """)

    @Argument(help: "The conversation.", completion: .conversations)
    var conversation: String

    @OptionGroup var account: AccountOption
    @OptionGroup var options: CommonOptions

    func run(in session: Session) async throws {
        try await session.printReply(to: Mute(conversation: conversation, account: account.name))
    }
}

extension Mute.Reply: HumanReadable {
    func text(in format: TextFormat) -> String { "muted\n" }
}

struct UnmuteVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "unmute", abstract: "Show notifications of a muted conversation again.")

    @Argument(help: "The conversation; `cutied ctl inbox --muted` lists them.", completion: .conversations)
    var conversation: String

    @OptionGroup var account: AccountOption
    @OptionGroup var options: CommonOptions

    func run(in session: Session) async throws {
        try await session.printReply(to: Unmute(conversation: conversation, account: account.name))
    }
}

extension Unmute.Reply: HumanReadable {
    func text(in format: TextFormat) -> String { "no longer muted\n" }
}

struct UnreadVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "unread", abstract: "Mark a conversation as unread on this computer.",
        discussion: """
            `cutied ctl inbox --unread` then lists the conversation until it is marked as read. The badge and \
            other devices do not change.
            """)

    @Argument(help: "The conversation.", completion: .conversations)
    var conversation: String

    @OptionGroup var account: AccountOption
    @OptionGroup var options: CommonOptions

    func run(in session: Session) async throws {
        try await session.printReply(to: MarkUnread(conversation: conversation, account: account.name))
    }
}

extension MarkUnread.Reply: HumanReadable {
    func text(in format: TextFormat) -> String { "marked as unread\n" }
}
