import Config
import ControlAPI
import ControlClient
import Localization

// MARK: - Strings that several verbs print

extension BadgeView {
    /// The badge as text: `3 in 2 conversations (5 unread on the server)`.
    var sentence: String {
        guard let total else { return "not known yet" }
        let conversations = conversations.values.count { $0 > 0 }
        let spread = conversations > 1 ? " in \(conversations) conversations" : ""
        let server = unread.map { $0 == total ? "" : " (\($0) unread on the server)" } ?? ""
        return "\(total)\(spread)\(server)"
    }
}

extension ConnectionState {
    /// Returns the state as text: `connected by stream`, `offline: no route to host`.
    func message(transport: String?, reason: String?) -> String {
        let way = transport.map { self == .connected && $0 != "none" ? " by \($0)" : "" } ?? ""
        let why = reason.map { ": " + $0 } ?? ""
        return TerminalText.singleLine(rawValue + way + why)
    }

    /// The color of the state: green while replies arrive, red if the user must act.
    var style: TextStyle {
        switch self {
        case .connected: .green
        case .stopped: .red
        case .starting, .connecting, .offline, .unregistered: .yellow
        }
    }
}

/// The column with the account name.
enum AccountColumn {
    /// Returns whether the column is needed to distinguish several accounts.
    static func isNeeded(for accounts: some Sequence<String>) -> Bool {
        accounts.contains { $0 != AccountConfiguration.defaultName }
    }
}

extension AccountView {
    /// The account name for display. Output that the user may pass to `--account` contains `name` instead.
    var displayName: String { title ?? name }
}

enum AppIdentity {
    /// Returns the identity of an app without its technical parts, for display: `org.example.Notes` for
    /// `flatpak:org.example.Notes`, `/usr/bin/notes` for `executable:/usr/bin/notes:2049:77` (device and
    /// inode numbers).
    static func displayName(of app: String) -> String {
        guard let colon = app.firstIndex(of: ":") else { return app }
        let id = app[app.index(after: colon)...]
        guard app[..<colon] == "executable" else { return String(id) }
        let parts = id.split(separator: ":", omittingEmptySubsequences: false)
        return parts.count > 2 ? parts.dropLast(2).joined(separator: ":") : String(id)
    }
}

extension GetStatus.Reply {
    /// The user's role, according to the kinds of all accounts.
    var role: UserRole {
        UserRole(
            isUser: accounts.contains { $0.kind == .device },
            isStaff: accounts.contains { $0.kind == .staff })
    }
}

extension Int {
    /// Returns the count with the right form of the noun: `1 reply`, `3 replies`.
    func pluralized(one: String, other many: String) -> String { "\(self) \(self == 1 ? one : many)" }
}

extension MessageView {
    /// The name of the sender; without a name, `you` or the kind of sender.
    var sender: String {
        if let senderName, !senderName.isEmpty { return senderName }
        return isOwn ? localized("you") : senderType
    }
}

extension ConversationView {
    /// The title; without a title, the category in parentheses.
    var heading: String {
        if let title, !title.isEmpty { return title }
        return category.map { "(\($0))" } ?? localized("(no title)")
    }

    /// The tags as text: `crash, billing`; empty if there are no tags.
    var tagNames: String { tags?.map(\.tagName).joined(separator: ", ") ?? "" }

    /// Whether the conversation is resolved or closed. The user must confirm a message to such a
    /// conversation.
    var hasEnded: Bool { status == "resolved" || status == "closed" }

    /// The notice to show before the user writes to a conversation that has ended; `nil` if the conversation
    /// has not ended.
    var endNotice: String? {
        switch status {
        case "resolved":
            localized(
                """
                This conversation is resolved. Your message will still be sent and may reopen the conversation.
                """)
        case "closed":
            localized(
                """
                This conversation is closed. Your message will still be sent and may reopen the conversation.
                """)
        default: nil
        }
    }

    /// Returns the question whether to send a message to a conversation that ended while the user wrote.
    static func makeReopeningQuestion(status: String) -> String {
        status == "resolved"
            ? localized("This conversation has been resolved. Send anyway?")
            : localized("This conversation has been closed. Send anyway?")
    }
}
