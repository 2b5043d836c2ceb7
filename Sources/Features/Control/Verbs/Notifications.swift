import ArgumentParser
import ControlAPI
import CutieAPI
import NotificationPolicy
import Platform

struct PauseVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "pause", abstract: "Pause notifications.",
        discussion: """
            Badge and history are still updated, and urgent messages are still shown.
            Examples:
              cutied ctl pause 90m
              cutied ctl pause --until 14:30
              cutied ctl pause --until tomorrow
              cutied ctl pause --private
            """)

    @Argument(
        help: "Duration: seconds, or 90s 5m 1h 2d; default: until `cutied ctl resume`.",
        transform: TimeSpan.init(typed:))
    var duration: TimeSpan?

    @Option(
        help: .init("Until a time of day, or until 8:00 tomorrow: 14:30 or tomorrow.", valueName: "time"),
        transform: PauseEnd.init(typed:))
    var until: PauseEnd?

    @Flag(name: .customLong("private"), help: "Show notifications, but without names and text.")
    var isPrivate = false

    @OptionGroup var options: CommonOptions

    func validate() throws {
        if duration != nil, until != nil {
            throw ValidationError("specify either a duration or --until, not both")
        }
        if duration?.seconds == 0 {
            throw ValidationError("a pause must be at least 1 s; `cutied ctl resume` ends a pause")
        }
    }

    func run(in session: Session) async throws {
        let now = Timestamp(milliseconds: SystemClock.milliseconds)
        let seconds = duration?.seconds ?? until?.durationInSeconds(from: now, in: .current)
        try await session.printReply(to: Pause(seconds: seconds, private: isPrivate ? true : nil))
    }
}

/// The end of a pause, as the user typed it.
enum PauseEnd: Hashable {
    /// The next time at which the clock shows this minute of the day.
    case clock(minute: Int)
    case tomorrow

    init(typed text: String) throws {
        if text == "tomorrow" {
            self = .tomorrow
            return
        }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, (1...2).contains(parts[0].utf8.count), parts[1].utf8.count == 2,
            parts.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } }),
            let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 24, minute < 60
        else { throw InvalidValue(description: "use a time of day such as 14:30, or tomorrow") }
        self = .clock(minute: hour * 60 + minute)
    }

    /// Returns the length of the pause in whole seconds, at least 1.
    func durationInSeconds(from now: Timestamp, in zone: LocalZone) -> Int {
        let end =
            switch self {
            case .clock(let minute): zone.nextTime(atMinuteOfDay: minute, after: now)
            case .tomorrow: zone.nextMorning(after: now)
            }
        // Round up, so that the pause does not end before the clock shows the time.
        return max(1, Int((end.milliseconds - now.milliseconds + 999) / 1000))
    }
}

extension Pause.Reply: HumanReadable {
    func text(in format: TextFormat) -> String {
        let end = pausedUntil.map(format.absoluteTimeText) ?? "`cutied ctl resume`"
        return (`private` ? "notifications without names and text" : "paused") + " until \(end)\n"
    }
}

struct ResumeVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "resume", abstract: "Show notifications again after a pause.")

    @OptionGroup var options: CommonOptions

    func run(in session: Session) async throws {
        try await session.printReply(to: Resume())
    }
}

extension Resume.Reply: HumanReadable {
    func text(in format: TextFormat) -> String { "notifications are no longer paused\n" }
}

struct NotificationsVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "notifications", abstract: "Turn notifications on or off permanently.")

    @Argument(help: "on, off or status.")
    var setting = SwitchArgument.status

    @OptionGroup var options: CommonOptions

    func run(in session: Session) async throws {
        try await session.printReply(to: Notifications(enabled: setting == .status ? nil : setting == .on))
    }
}

extension Notifications.Reply: HumanReadable {
    func text(in format: TextFormat) -> String {
        let fallback = enabled ? [] : [HoldView(reason: .off)]
        return "notifications " + (holds ?? fallback).message(notificationServer: nil, in: format) + "\n"
    }
}
