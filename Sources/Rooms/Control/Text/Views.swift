import Config
import ControlAPI
import ControlClient
import Localization

// How what several verbs show is written.

extension BadgeView {
    /// `3 in 2 conversations (5 unread on the server)`.
    var sentence: String {
        guard let total else { return "not known yet" }
        let conversations = conversations.values.count { $0 > 0 }
        let spread = conversations > 1 ? " in \(conversations) conversations" : ""
        let server = unread.map { $0 == total ? "" : " (\($0) unread on the server)" } ?? ""
        return "\(total)\(spread)\(server)"
    }
}

extension ConnectionState {
    /// `connected by stream`, `offline: no route to host`.
    func sentence(transport: String?, reason: String?) -> String {
        let way = transport.map { self == .connected && $0 != "none" ? " by \($0)" : "" } ?? ""
        let why = reason.map { ": " + $0 } ?? ""
        return TerminalText.line(rawValue + way + why)
    }

    /// Green while replies arrive, red where a person must act.
    var style: TextStyle {
        switch self {
        case .connected: .green
        case .stopped: .red
        case .starting, .connecting, .offline, .unregistered: .yellow
        }
    }
}

/// The column with the account's name.
enum AccountColumn {
    /// It is worth one where there may be another account.
    static func isNeeded(for accounts: some Sequence<String>) -> Bool {
        accounts.contains { $0 != AccountConfiguration.defaultName }
    }
}

extension Int {
    /// `1 reply`, `3 replies`.
    func counting(_ one: String, _ many: String) -> String { "\(self) \(self == 1 ? one : many)" }
}

extension MessageView {
    /// Who wrote it, for a person.
    var sender: String {
        if let senderName, !senderName.isEmpty { return senderName }
        return isOwn ? localized("you") : senderType
    }
}

extension ConversationView {
    /// What it is called, for a person.
    var heading: String {
        if let title, !title.isEmpty { return title }
        return category.map { "(\($0))" } ?? localized("(no title)")
    }

    /// `crash, billing`; empty where support put none on it.
    var tagNames: String { tags?.map(\.tagName).joined(separator: ", ") ?? "" }

    /// Resolved or closed: it takes a message only where the person insists.
    var hasEnded: Bool { status == "resolved" || status == "closed" }

    /// What is said before a message is written there; nil where it takes one.
    var endNotice: String? {
        switch status {
        case "resolved":
            localized(
                """
                This conversation is resolved. What you send goes to support all the same, and may open it \
                again.
                """)
        case "closed":
            localized(
                """
                This conversation is closed. What you send goes to support all the same, and may open it again.
                """)
        default: nil
        }
    }

    /// Whether to send to a conversation that ended while the person wrote.
    static func isEndedQuestion(_ status: String) -> String {
        status == "resolved"
            ? localized("This conversation is resolved by now. Send it all the same?")
            : localized("This conversation is closed by now. Send it all the same?")
    }
}
