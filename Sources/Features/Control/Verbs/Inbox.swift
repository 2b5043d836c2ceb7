import ArgumentParser
import ControlAPI
import Domain
import MessageText

struct InboxVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "inbox", abstract: "List the conversations, newest first.",
        discussion: """
            Shows all stored conversations, works offline, and marks nothing as read.
            Examples:
              cutied ctl inbox --unread
              cutied ctl inbox --limit 10
              cutied ctl inbox --view mine
            """)

    @Flag(help: "Only conversations with unread messages.")
    var unread = false

    @Flag(help: "Only muted conversations.")
    var muted = false

    @Option(help: "Only open conversations of support staff: mine, unassigned, waiting, open or snoozed.")
    var view: String?

    @Option(help: .init("At most this many.", valueName: "n"), transform: WholeNumber.parseRowLimit)
    var limit: Int?

    @OptionGroup var account: AccountOption
    @OptionGroup var options: CommonOptions

    func validate() throws {
        let views = InboxView.allCases.map(\.rawValue)
        if let view, !views.contains(view) {
            throw ValidationError("unknown view \(view); the views are " + views.joined(separator: ", "))
        }
    }

    func run(in session: Session) async throws {
        try await session.printReply(
            to: ListConversations(
                unread: unread ? true : nil, limit: limit, account: account.name,
                muted: muted ? true : nil, view: view))
    }
}

extension ListConversations.Reply: HumanReadable {
    var remark: String? {
        cut == true ? "the reply was too large; older conversations are omitted" : nil
    }

    func text(in format: TextFormat) -> String {
        if conversations.isEmpty { return "no conversations\n" }
        let namesAccounts = AccountColumn.isNeeded(for: conversations.map(\.account))
        let namesTags = conversations.contains { !$0.tagNames.isEmpty }
        var table = Table(
            [.init(""), .init("CONVERSATION")] + (namesAccounts ? [.init("ACCOUNT")] : [])
                + [
                    .init("TITLE", limit: 32), .init("STATUS"), .init("UNREAD", alignsRight: true),
                    .init("NEWEST"),
                ] + (namesTags ? [.init("TAGS", limit: 20)] : []) + [.init("LAST MESSAGE")])
        for conversation in conversations {
            table.append(conversation.makeRow(in: format, showsAccount: namesAccounts, showsTags: namesTags))
        }
        return table.text(in: format)
    }
}

extension ConversationView {
    fileprivate func makeRow(in format: TextFormat, showsAccount: Bool, showsTags: Bool) -> [Table.Cell] {
        let isUnread = (unreadCount ?? badge) > 0 || markedUnread == true
        let style: TextStyle? = isUnread ? .bold : nil
        var cells: [Table.Cell] = [.init(isUnread ? "●" : "", .yellow), .init(conversationId)]
        if showsAccount { cells.append(.init(account)) }
        cells += [
            .init(heading, style),
            .init(([status] + muteAndSnoozeStates(in: format)).joined(separator: ", ")),
            .init(unreadCount.map(String.init) ?? "?", style),
            .init(format.relativeTimeText(for: sortedAt, otherwise: "")),
        ]
        if showsTags { cells.append(.init(tagNames)) }
        return cells + [.init(TextRun.plainText(of: lastMessage ?? "", limit: 1000))]
    }

    private func muteAndSnoozeStates(in format: TextFormat) -> [String] {
        [
            muted == true ? "muted" : nil,
            snoozedUntil.map { "snoozed until " + format.absoluteTimeText(for: $0) },
        ].compactMap(\.self)
    }
}
