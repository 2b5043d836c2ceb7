import ControlAPI
import ControlClient

extension HoldView {
    /// Returns the reason and the end of the hold, such as `quiet hours until 07:00`.
    func message(in format: TextFormat) -> String {
        let end = until.map { " until " + format.absoluteTimeText(for: $0) }
        return switch reason {
        case .off: "off"
        case .paused: "paused" + (end ?? " until resumed")
        case .quietHours: "quiet hours" + (end ?? "")
        case .noServer: "no notification server responds"
        case .privatePause: "private" + (end ?? " until resumed") + ": shown without names and text"
        case .presence: "shown without text until you confirm that you are here"
        }
    }
}

extension [HoldView] {
    /// Returns `on` with the name of the notification server, or all reasons why notifications are held.
    func message(notificationServer server: NotifierView?, in format: TextFormat) -> String {
        guard !isEmpty else {
            return "on" + (server?.server.map { ", shown by " + TerminalText.singleLine($0) } ?? "")
        }
        let isOn = first?.reason == .noServer || first?.reason == .presence
        let reasons = map { hold in
            let problem = hold.reason == .noServer ? server?.problem : nil
            let message =
                problem.map { "the notification server cannot be used: " + TerminalText.singleLine($0) }
                ?? hold.message(in: format)
            return format.styled(message, as: .yellow)
        }
        return (isOn ? "on, but " : "") + reasons.joined(separator: "; ")
    }
}
