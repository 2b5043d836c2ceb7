import ControlAPI

/// One line of a custom module of Waybar, which reads `{"text","alt","tooltip","class","percentage"}`.
struct WaybarLine: Encodable, Hashable {
    var text: String
    var alt: String
    var tooltip: String
    var `class`: String
    var percentage: Int

    /// While the daemon is gone.
    static let daemonGone = WaybarLine(kind: .offline, count: 0, tooltip: "cutied does not run")

    /// While it hangs, or has not started yet.
    static let silent = WaybarLine(kind: .offline, count: 0, tooltip: "cutied does not answer")

    private init(kind: Kind, count: Int, tooltip: String) {
        text = count > 0 ? String(count) : ""
        alt = kind.rawValue
        self.class = kind.rawValue
        self.tooltip = PangoText.escaped(PlainText.block(tooltip))
        percentage = min(count, 100)
    }

    /// The classes to style by.
    private enum Kind: String {
        case none, unread, paused, offline
    }

    /// The line of a daemon that answers. `conversations` are those to name in the tooltip.
    init(_ status: GetStatus.Reply, conversations: [ConversationView], on page: Page) {
        let count = status.badge.total ?? 0
        let titles = conversations.map { PlainText.line("\($0.heading) (\($0.badge))") }
        let lines =
            [Self.summary(status)] + titles + [Self.popups(status, on: page)]
            + status.accounts.map { Self.connection($0, of: status) }
        self.init(
            kind: Self.kind(status, count: count), count: count,
            tooltip: lines.compactMap(\.self).joined(separator: "\n"))
    }

    private static func kind(_ status: GetStatus.Reply, count: Int) -> Kind {
        switch status.state {
        case .offline, .unregistered, .stopped: .offline
        case .starting, .connecting, .connected:
            if status.paused || !status.notifications { .paused } else { count > 0 ? .unread : .none }
        }
    }

    private static func summary(_ status: GetStatus.Reply) -> String {
        switch status.badge.total {
        case nil: "Not known yet"
        case 0: "No new replies"
        case let total?: Phrases.count(total, "new reply", "new replies")
        }
    }

    private static func popups(_ status: GetStatus.Reply, on page: Page) -> String? {
        if !status.notifications { return "Pop-ups off" }
        guard status.paused else { return nil }
        return status.pausedUntil.map { "Paused until \(page.moment($0))" } ?? "Paused"
    }

    private static func connection(_ account: AccountView, of status: GetStatus.Reply) -> String {
        let name = status.accounts.count > 1 ? account.name + ": " : ""
        return PlainText.line(
            name + Phrases.connection(account.state, transport: account.transport, reason: account.reason))
    }
}
