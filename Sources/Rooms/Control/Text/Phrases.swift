import Config
import ControlAPI

/// Small phrases that several pages share.
enum Phrases {
    /// `1 reply`, `3 replies`.
    static func count(_ number: Int, _ one: String, _ many: String) -> String {
        "\(number) \(number == 1 ? one : many)"
    }

    /// `3 in 2 conversations (5 unread on the server)`.
    static func badge(_ badge: BadgeView) -> String {
        guard let total = badge.total else { return "not known yet" }
        let conversations = badge.conversations.values.count { $0 > 0 }
        let spread = conversations > 1 ? " in \(conversations) conversations" : ""
        let server = badge.unread.map { $0 == total ? "" : " (\($0) unread on the server)" } ?? ""
        return "\(total)\(spread)\(server)"
    }

    /// `connected by stream`, `offline: no route to host`.
    static func connection(_ state: ConnectionState, transport: String?, reason: String?) -> String {
        let way = transport.map { state == .connected && $0 != "none" ? " by \($0)" : "" } ?? ""
        let why = reason.map { ": " + $0 } ?? ""
        return PlainText.line(state.rawValue + way + why)
    }

    /// The account's name is worth a column where there may be another one.
    static func namesAccounts(_ accounts: some Sequence<String>) -> Bool {
        accounts.contains { $0 != AccountConfiguration.defaultName }
    }
}

extension MessageView {
    /// Who wrote it, for a person.
    var sender: String {
        if let senderName, !senderName.isEmpty { return senderName }
        return senderType == "user" ? "you" : senderType
    }
}

extension ConversationView {
    /// What it is called, for a person.
    var heading: String {
        if let title, !title.isEmpty { return title }
        return category.map { "(\($0))" } ?? "(no title)"
    }

    /// `crash, billing`; empty where support put none on it.
    var tagNames: String { tags?.map(\.tagName).joined(separator: ", ") ?? "" }

    /// Resolved or closed: it takes a message only where the person insists.
    var hasEnded: Bool { status == "resolved" || status == "closed" }

    /// What is said before a message is written there; nil where it takes one.
    var endNotice: String? {
        hasEnded
            ? "This conversation is \(status). What you send goes to support all the same, and may open it again."
            : nil
    }
}
