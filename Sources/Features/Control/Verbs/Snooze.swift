import ArgumentParser
import ControlAPI
import CutieAPI
import NotificationPolicy
import Platform

struct SnoozeVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "snooze", abstract: "Put a conversation aside until a time, on this computer.",
        discussion: """
            A pop-up then shows the title of the conversation. A new reply ends the snooze. \
            `cutied ctl unsnooze` ends it without a pop-up.
            Examples:
              cutied ctl snooze conv_1 4h
              cutied ctl snooze conv_1 tomorrow
              cutied ctl snooze --list
            """)

    @Argument(help: "The conversation: its id, or its cutie:// link.", completion: .conversations)
    var conversation: String?

    @Argument(
        help: .init(
            "A duration such as 90m 4h 7d, a time of day such as 14:30, or tomorrow.", valueName: "end"),
        transform: SnoozeEnd.init(typed:))
    var end: SnoozeEnd?

    @Flag(help: "List the snoozed conversations.")
    var list = false

    @OptionGroup var account: AccountOption
    @OptionGroup var options: CommonOptions

    func validate() throws {
        if list, conversation != nil { throw ValidationError("--list takes no conversation") }
        if !list, conversation == nil || end == nil {
            throw ValidationError(
                "specify a conversation and an end, for example `cutied ctl snooze conv_1 tomorrow`")
        }
        if end == .after(TimeSpan(seconds: 0)) {
            throw ValidationError(
                "a snooze must be at least 1 s; `cutied ctl unsnooze` ends a snooze")
        }
    }

    func run(in session: Session) async throws {
        guard let conversation, let end else {
            try await session.printReply(to: ListConversations(account: account.name, snoozed: true))
            return
        }
        let place = try ConversationReference(typed: conversation, account: account.name)
        let now = Timestamp(milliseconds: SystemClock.milliseconds)
        try await session.printReply(
            to: Snooze(
                conversation: place.conversation, until: end.endTime(after: now, in: .current).milliseconds,
                account: place.account))
    }
}

extension Snooze.Reply: HumanReadable {
    func text(in format: TextFormat) -> String { "snoozed\n" }
}

struct UnsnoozeVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "unsnooze", abstract: "End the snooze of a conversation without a pop-up.")

    @Argument(help: "The conversation; `cutied ctl snooze --list` lists them.", completion: .conversations)
    var conversation: String

    @OptionGroup var account: AccountOption
    @OptionGroup var options: CommonOptions

    func run(in session: Session) async throws {
        let place = try ConversationReference(typed: conversation, account: account.name)
        try await session.printReply(to: Unsnooze(conversation: place.conversation, account: place.account))
    }
}

extension Unsnooze.Reply: HumanReadable {
    func text(in format: TextFormat) -> String { "no longer snoozed\n" }
}

/// The end of a snooze, as the user typed it.
enum SnoozeEnd: Hashable {
    case after(TimeSpan)
    case at(PauseEnd)

    init(typed text: String) throws {
        if let end = try? PauseEnd(typed: text) {
            self = .at(end)
        } else if let span = try? TimeSpan(typed: text) {
            self = .after(span)
        } else {
            throw InvalidValue(
                description: "use a duration such as 90m, 4h or 7d, a time of day such as 14:30, or tomorrow")
        }
    }

    func endTime(after now: Timestamp, in zone: LocalZone) -> Timestamp {
        switch self {
        case .after(let span): now + .seconds(span.seconds)
        case .at(let end): now + .seconds(end.durationInSeconds(from: now, in: zone))
        }
    }
}

/// A conversation that the user typed as an ID or as a link.
struct ConversationReference {
    let conversation: String
    let account: String?

    init(typed text: String, account: String?) throws {
        guard text.hasPrefix("cutie://") else {
            (conversation, self.account) = (text, account)
            return
        }
        do {
            guard case .conversation(let id, let named, _) = try DeepLink(text) else {
                throw ValidationError("the link is not about a conversation")
            }
            (conversation, self.account) = (id.rawValue, account ?? named)
        } catch let error as DeepLink.ParseError {
            throw ValidationError("\(error)")
        }
    }
}
