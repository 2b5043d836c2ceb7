import ControlAPI
import ControlClient
import Localization

/// A line for a custom module of Waybar, which reads `{"text","alt","tooltip","class","percentage"}`.
struct WaybarLine: Encodable, Hashable {
    var text: String
    var alt: String
    var tooltip: String
    var `class`: String
    var percentage: Int

    /// The line to print while the daemon is not running.
    static let daemonGone = WaybarLine(kind: .offline, count: 0, tooltip: "cutied is not running")

    /// The line to print while the daemon hangs or is starting.
    static let silent = WaybarLine(kind: .offline, count: 0, tooltip: "cutied does not respond")

    private init(kind: Kind, count: Int, tooltip: String) {
        text = count > 0 ? String(count) : ""
        alt = kind.rawValue
        self.class = kind.rawValue
        self.tooltip = PangoText.escapedMarkup(TerminalText.multipleLines(tooltip))
        percentage = min(count, 100)
    }

    /// The CSS classes.
    private enum Kind: String {
        case none, unread, paused, offline
    }

    /// Creates the line for a running daemon. `conversations`: the conversations to list in the tooltip.
    init(_ status: GetStatus.Reply, conversations: [ConversationView], in format: TextFormat) {
        let count = status.badge.total ?? 0
        let titles = conversations.map { TerminalText.singleLine("\($0.heading) (\($0.badge))") }
        let lines =
            [Self.summary(of: status)] + titles + [Self.holdText(for: status, in: format)]
            + status.accounts.map { Self.connectionText(of: $0, in: status) }
        self.init(
            kind: Self.kind(for: status, unreadCount: count), count: count,
            tooltip: lines.compactMap(\.self).joined(separator: "\n"))
    }

    private static func kind(for status: GetStatus.Reply, unreadCount: Int) -> Kind {
        switch status.state {
        case .offline, .unregistered, .stopped: .offline
        case .starting, .connecting, .connected:
            if status.currentHolds.contains(where: \.isPause) {
                .paused
            } else {
                unreadCount > 0 ? .unread : .none
            }
        }
    }

    private static func summary(of status: GetStatus.Reply) -> String {
        let (one, other) =
            status.role == .user ? ("new reply", "new replies") : ("new message", "new messages")
        return switch status.badge.total {
        case nil: "Not known yet"
        case 0: "No " + other
        case let total?: total.pluralized(one: one, other: other)
        }
    }

    /// Returns the reasons why notifications are held or hide text; `nil` if they are shown in full.
    private static func holdText(for status: GetStatus.Reply, in format: TextFormat) -> String? {
        let reasons = status.currentHolds.map { $0.message(in: format) }
        return reasons.isEmpty ? nil : "Notifications: " + reasons.joined(separator: "; ")
    }

    private static func connectionText(of account: AccountView, in status: GetStatus.Reply) -> String {
        let name = status.accounts.count > 1 ? account.displayName + ": " : ""
        return TerminalText.singleLine(
            name + account.state.message(transport: account.transport, reason: account.reason))
    }
}

extension HoldView {
    /// Whether this hold selects the paused icon. `presence` does not select the icon, because this hold only
    /// hides message text and is in effect most of the time.
    fileprivate var isPause: Bool { reason != .presence }
}

/// Escapes text for Pango markup, which Waybar expects.
enum PangoText {
    /// Returns the escaped text. Compares scalars, because a combining mark after `<` would form another
    /// character.
    static func escapedMarkup(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
