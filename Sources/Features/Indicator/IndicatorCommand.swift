package import CutieAPI

/// The command of a menu item. The menu contains the command as a string, so a click on an item has the right
/// effect even if the menu was replaced while the user had it open.
package nonisolated enum IndicatorCommand: Hashable, Sendable {
    case openInbox, newFeedback, markAllRead, pauseForHour, pauseUntilTomorrow, resume, quit
    case open(DeepLink)

    private static let words: [String: IndicatorCommand] = [
        "inbox": .openInbox, "compose": .newFeedback, "read": .markAllRead, "pause-hour": .pauseForHour,
        "pause-tomorrow": .pauseUntilTomorrow, "resume": .resume, "quit": .quit,
    ]

    /// Parses the command of a menu item; `nil` if the string is not a command.
    package init?(text: String) {
        if let command = Self.words[text] {
            self = command
        } else if let link = try? DeepLink(text) {
            self = .open(link)
        } else {
            return nil
        }
    }

    package var text: String {
        if case .open(let link) = self { return link.text }
        return Self.words.first { $0.value == self }?.key ?? ""
    }
}
