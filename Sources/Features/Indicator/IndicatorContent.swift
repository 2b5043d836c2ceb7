package import ControlAPI
import CutieAPI
import Localization
import MessageText
package import NotificationPolicy
package import Tray

/// Computes the content of the status icon from the state of the daemon.
package nonisolated struct IndicatorContent: Sendable {
    /// The state of the daemon; `nil` while the daemon is not running.
    package var status: GetStatus.Reply?
    /// The newest unread conversations.
    package var conversations: [ConversationView]
    package var zone: LocalZone

    package init(
        status: GetStatus.Reply?, conversations: [ConversationView] = [], zone: LocalZone = .current
    ) {
        (self.status, self.conversations, self.zone) = (status, conversations, zone)
    }

    /// The maximum number of conversations in the menu.
    package static let maxConversations = 5

    package var content: TrayContent {
        TrayContent(
            icon: "io.cutied.Inbox-\(icon)-symbolic", heading: heading, text: hold ?? "",
            label: count > 0 ? String(count) : "", count: count, menu: menu)
    }

    private var count: Int { max(0, status?.badge.total ?? 0) }

    private var icon: String {
        if holdReason != nil { return "paused" }
        return count > 0 ? "unread" : "read"
    }

    private var heading: String {
        guard let status else { return localized("Cuti-E is not running") }
        guard status.badge.total != nil else { return localized("Connecting…") }
        guard count > 0 else { return localized("No unread messages") }
        return RoleDependentText.unreadText(
            count: count,
            for: UserRole(
                isUser: status.accounts.contains { $0.kind == .device },
                isStaff: status.accounts.contains { $0.kind == .staff }))
    }

    /// The reason why notifications are held; `nil` if notifications are shown, with or without their text.
    private var holdReason: HoldView? { status?.currentHolds.first { !$0.reason.onlyHidesText } }

    private var hold: String? {
        guard let holdReason else { return nil }
        let time = holdReason.until.map { zone.clockText(for: Timestamp(milliseconds: $0)) }
        return switch (holdReason.reason, time) {
        case (.off, _): localized("Notifications are turned off.")
        case (.noServer, _): localized("No notification service is running in this session.")
        case (.quietHours, let time?):
            localized("Quiet hours: no notifications until {time}.", ["time": time])
        case (.quietHours, nil): localized("Quiet hours: no notifications are shown.")
        case (_, let time?): localized("Notifications are paused until {time}.", ["time": time])
        case (_, nil): localized("Notifications are paused.")
        }
    }
}

// MARK: - The menu

nonisolated extension IndicatorContent {
    private var menu: [TrayMenuItem] {
        var menu: [TrayMenuItem] = [.text(heading)]
        if let hold { menu.append(.text(hold)) }
        menu += conversationItems
        menu.append(.separator)
        menu.append(makeItem(for: .openInbox, label: localized("Open Inbox")))
        if let status {
            if status.accounts.contains(where: { $0.kind == .device }) {
                menu.append(makeItem(for: .newFeedback, label: localized("New Feedback")))
            }
            if count > 0 { menu.append(makeItem(for: .markAllRead, label: localized("Mark All as Read"))) }
            menu += [.separator, .submenu(localized("Pause Notifications"), makePauseItems(for: status))]
        }
        return menu + [.separator, makeItem(for: .quit, label: localized("Quit"))]
    }

    private func makePauseItems(for status: GetStatus.Reply) -> [TrayMenuItem] {
        let resume: [TrayMenuItem] =
            status.paused ? [.separator, makeItem(for: .resume, label: localized("Resume"))] : []
        return [
            makeItem(for: .pauseForHour, label: localized("For 1 Hour")),
            makeItem(for: .pauseUntilTomorrow, label: localized("Until Tomorrow")),
        ] + resume
    }

    private func makeItem(for command: IndicatorCommand, label: String) -> TrayMenuItem {
        .command(command.text, label: label)
    }

    /// The conversations in the menu; empty if the preview setting of notifications does not allow titles, or
    /// if the daemon is an earlier version that does not report the setting.
    private var conversationItems: [TrayMenuItem] {
        guard let preview = status?.preview, preview != .count else { return [] }
        return conversations.filter { $0.badge > 0 }.prefix(Self.maxConversations).map { conversation in
            let link = DeepLink.conversation(
                Conversation.ID(rawValue: conversation.conversationId), account: conversation.account)
            return makeItem(for: .open(link), label: conversation.label(includesMessage: preview == .full))
        }
    }
}

nonisolated extension ConversationView {
    /// Returns the title and, if `includesMessage`, the newest message, in one line of limited length.
    fileprivate func label(includesMessage: Bool) -> String {
        let heading = Self.singleLine(title ?? "", limit: 40)
        let text = includesMessage ? TextRun.plainText(of: lastMessage ?? "", limit: 1000) : ""
        let message = Self.singleLine(text, limit: 40)
        let parts = [heading, message].filter { !$0.isEmpty }
        return parts.isEmpty ? localized("Conversation") : parts.joined(separator: " — ")
    }

    /// Returns the text on one line of at most `limit` characters: line ends and control characters become
    /// spaces, and longer text ends in an ellipsis.
    private static func singleLine(_ text: String, limit: Int) -> String {
        // Limit the scalars before the characters, because one character may consist of a million combining
        // marks.
        let plain = String(
            String.UnicodeScalarView(
                text.unicodeScalars.prefix(limit * 8).map {
                    $0.properties.generalCategory == .control ? " " : $0
                }))
        let words = plain.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return words.count > limit ? words.prefix(limit - 1) + "…" : words
    }
}
