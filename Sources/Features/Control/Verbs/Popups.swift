import ArgumentParser
import ControlAPI

struct PauseVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "pause", abstract: "Pause pop-ups.",
        discussion: """
            Badge and history are still updated, and urgent messages are still shown.
            Examples:
              cutied ctl pause 90m
              cutied ctl pause --private
            """)

    @Argument(
        help: "Duration: seconds, or 90s 5m 1h 2d; default: until `cutied ctl resume`.",
        transform: TimeSpan.init(typed:))
    var duration: TimeSpan?

    @Flag(name: .customLong("private"), help: "Show pop-ups, but without names and text.")
    var isPrivate = false

    @OptionGroup var options: CommonOptions

    func validate() throws {
        if duration?.seconds == 0 {
            throw ValidationError("a pause must be at least 1 s; `cutied ctl resume` ends a pause")
        }
    }

    func run(in session: Session) async throws {
        try await session.answer(Pause(seconds: duration?.seconds, private: isPrivate ? true : nil))
    }
}

extension Pause.Reply: HumanReadable {
    func text(in format: TextFormat) -> String {
        let end = pausedUntil.map(format.moment) ?? "`cutied ctl resume`"
        return (`private` ? "pop-ups without names and text" : "paused") + " until \(end)\n"
    }
}

struct ResumeVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "resume", abstract: "Show pop-ups again after a pause.")

    @OptionGroup var options: CommonOptions

    func run(in session: Session) async throws {
        try await session.answer(Resume())
    }
}

extension Resume.Reply: HumanReadable {
    func text(in format: TextFormat) -> String { "pop-ups are no longer paused\n" }
}

struct NotificationsVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "notifications", abstract: "Turn pop-ups on or off permanently.")

    @Argument(help: "on, off or status.")
    var setting = SwitchArgument.status

    @OptionGroup var options: CommonOptions

    func run(in session: Session) async throws {
        try await session.answer(Notifications(enabled: setting == .status ? nil : setting == .on))
    }
}

extension Notifications.Reply: HumanReadable {
    func text(in format: TextFormat) -> String {
        let fallback = enabled ? [] : [HoldView(reason: .off)]
        return "pop-ups " + (holds ?? fallback).sentence(shownBy: nil, in: format) + "\n"
    }
}
