import ArgumentParser
import ControlAPI
import ControlClient
import Localization

/// The common paragraph in the help of all verbs that write.
private let queuedDiscussion = """
    Waits up to 5 s for the API. If it does not answer, prints "queued" and exits with 75; the daemon sends the \
    change later. Needs a support staff account; otherwise the command exits with 64.
    """

struct AssignVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "assign", abstract: "Assign a conversation to yourself or a colleague, or unassign it.",
        discussion: queuedDiscussion + """

            Examples:
              cutied ctl assign conv_42 me
              cutied ctl assign conv_42 none
            """)

    @Argument(help: "The conversation; `cutied ctl inbox` lists them.", completion: .conversations)
    var conversation: String

    @Argument(
        help: .init("me, none, or the id of an admin.", valueName: "admin"),
        completion: .list(["me", "none"]))
    var assignee: String

    @OptionGroup var account: AccountOption
    @OptionGroup var options: CommonOptions

    func run(in session: Session) async throws {
        let isNamed = assignee != "me" && assignee != "none"
        let reply = try await session.printReplyWithRetry(
            to: Assign(
                conversation: conversation, admin: isNamed ? assignee : nil,
                me: assignee == "me" ? true : nil,
                account: account.name))
        try session.throwIfQueued(reply.queued)
    }
}

struct SetVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Change the status, priority or category of a conversation.",
        discussion: queuedDiscussion + """

            Examples:
              cutied ctl set conv_42 --status resolved
              cutied ctl set conv_42 --priority high --category bug
            """)

    enum StatusArgument: String, CaseIterable, ExpressibleByArgument {
        case open, resolved, closed
        case inProgress = "in_progress"
        case waitingUser = "waiting_user"
        case waitingAdmin = "waiting_admin"
    }

    enum PriorityArgument: String, CaseIterable, ExpressibleByArgument {
        case low, normal, high, urgent
    }

    @Argument(help: "The conversation; `cutied ctl inbox` lists them.", completion: .conversations)
    var conversation: String

    @Option(help: "The status.")
    var status: StatusArgument?

    @Option(help: "The priority.")
    var priority: PriorityArgument?

    @Option(help: "The category.")
    var category: CategoryArgument?

    @OptionGroup var account: AccountOption
    @OptionGroup var options: CommonOptions

    func validate() throws {
        if status == nil, priority == nil, category == nil {
            throw ValidationError("specify --status, --priority or --category")
        }
    }

    func run(in session: Session) async throws {
        let reply = try await session.printReplyWithRetry(
            to: UpdateConversation(
                conversation: conversation, status: status?.rawValue, priority: priority?.rawValue,
                category: category?.rawValue, account: account.name))
        try session.throwIfQueued(reply.queued)
    }
}

struct NoteVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "note",
        abstract: "Add an internal note, which the user never sees, and print its id.",
        discussion: queuedDiscussion + """

            Example:
              cutied ctl note conv_42 'Same crash as conv_17.'
            """)

    @Argument(help: "The conversation; `cutied ctl inbox` lists them.", completion: .conversations)
    var conversation: String

    @Argument(help: "The text; - reads it from standard input.")
    var message: String

    @OptionGroup var account: AccountOption
    @OptionGroup var options: CommonOptions

    func run(in session: Session) async throws {
        let text = try MessageArgument.resolve(message, readStandardInput: session.standardInput)
        let reply = try await session.printReplyWithRetry(
            to: AddNote(conversation: conversation, message: text, account: account.name))
        try session.throwIfQueued(reply.queued)
    }
}

struct TagVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "tag", abstract: "Add a tag to a conversation, or remove it.",
        discussion: queuedDiscussion + """

            Examples:
              cutied ctl tag conv_42 add crash
              cutied ctl tag conv_42 remove crash
            """)

    enum TagChange: String, CaseIterable, ExpressibleByArgument {
        case add, remove
    }

    @Argument(help: "The conversation; `cutied ctl inbox` lists them.", completion: .conversations)
    var conversation: String

    @Argument(help: "add or remove.")
    var change: TagChange

    @Argument(help: "The tag.")
    var tag: String

    @OptionGroup var account: AccountOption
    @OptionGroup var options: CommonOptions

    func run(in session: Session) async throws {
        let reply =
            switch change {
            case .add:
                try await session.printReplyWithRetry(
                    to: AddTag(conversation: conversation, tag: tag, account: account.name))
            case .remove:
                try await session.printReplyWithRetry(
                    to: RemoveTag(conversation: conversation, tag: tag, account: account.name))
            }
        try session.throwIfQueued(reply.queued)
    }
}

struct TagsVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "tags", abstract: "List all tags and their conversations.",
        discussion: "Needs a support staff account; otherwise the command exits with 64.")

    @OptionGroup var account: AccountOption
    @OptionGroup var options: CommonOptions

    func run(in session: Session) async throws {
        try await session.printReply(to: ListTags(account: account.name))
    }
}

struct StatsVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "stats", abstract: "Show conversation counts and reply times of the last days.",
        discussion: "Needs a support staff account; otherwise the command exits with 64.")

    @Option(help: "Number of days.", transform: WholeNumber.parseDayCount)
    var days = 30

    @OptionGroup var account: AccountOption
    @OptionGroup var options: CommonOptions

    func run(in session: Session) async throws {
        try await session.printReply(to: GetStatistics(days: days, account: account.name))
    }
}

extension StaffReceipt: HumanReadable {
    func text(in format: TextFormat) -> String { queued ? "queued\n" : "done\n" }
}

// Prints only the ID, for scripts.
extension AddNote.Reply: HumanReadable {
    func text(in format: TextFormat) -> String { TerminalText.singleLine(messageId ?? "queued") + "\n" }
}

extension ListTags.Reply: HumanReadable {
    func text(in format: TextFormat) -> String {
        if tags.isEmpty { return "no tags\n" }
        var table = Table([.init("TAG"), .init("CONVERSATION")])
        for tag in tags { table.append([.init(tag.tagName), .init(tag.conversationId)]) }
        return table.text(in: format)
    }
}

extension GetStatistics.Reply: HumanReadable {
    func text(in format: TextFormat) -> String {
        var fields = FieldList()
        fields.append(name: "days", value: String(days))
        fields.append(name: "conversations", value: total.map(String.init) ?? "unknown")
        for (name, counts) in [("status", byStatus), ("category", byCategory), ("priority", byPriority)]
        where !counts.isEmpty {
            let words = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map {
                "\($0.key) \($0.value)"
            }
            fields.append(name: name, value: TerminalText.singleLine(words.joined(separator: ", ")))
        }
        if let answered { fields.append(name: "answered", value: String(answered)) }
        if let averageFirstResponse {
            fields.append(name: "time to first reply", value: Self.durationText(averageFirstResponse))
        }
        return fields.text(in: format)
    }

    private static func durationText(_ seconds: Double) -> String {
        guard seconds.isFinite, (0..<1e9).contains(seconds) else { return "unknown" }
        let minutes = Int(seconds / 60)
        if minutes < 1 { return localized("{count} s", ["count": "\(Int(seconds))"]) }
        return minutes < 120
            ? localized("{count} min", ["count": "\(minutes)"])
            : localized("{count} h", ["count": "\(minutes / 60)"])
    }
}
