/// How pop-ups look, how many there are and when there are none.
public struct NotificationConfiguration: Hashable, Sendable {
    public var enabled = true
    public var preview = Preview.full
    /// Live at the same time, at least 1; what exceeds goes into one summary.
    public var maxPopups = 5
    public var quietHours: QuietHours?
    /// Whether urgent messages pass quiet hours.
    public var urgentBreaksQuiet = true
    public var sound = Sound.standard
    /// Whether messages of type system pop up.
    public var systemMessages = false

    public init() {}

    /// What a pop-up gives away, most first.
    public enum Preview: String, CaseIterable, Sendable {
        /// Sender, title and text.
        case full
        /// Sender and title.
        case sender
        /// How many.
        case count
    }

    public enum Sound: Hashable, Sendable {
        /// The one of the notification server for a new message.
        case standard
        case none
        /// A name of the XDG sound theme.
        case named(String)
    }
}
