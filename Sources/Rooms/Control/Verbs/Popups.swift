import ArgumentParser
import ControlAPI

struct PauseVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "pause", abstract: "Show no pop-ups for a while.",
        discussion: """
            Badge and history go on, and urgent messages are shown.
            Examples:
              cutied ctl pause 90m
              cutied ctl pause --private
            """)

    @Argument(
        help: "How long: seconds, or 90s 5m 1h 2d. Without it, until `cutied ctl resume`.",
        transform: TimeSpan.init(typed:))
    var duration: TimeSpan?

    @Flag(name: .customLong("private"), help: "Show them, but without names and text.")
    var isPrivate = false

    @OptionGroup var options: CommonOptions

    func validate() throws {
        if duration?.seconds == 0 { throw ValidationError("a pause of 0 s is none; see `cutied ctl resume`") }
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
    func text(in format: TextFormat) -> String { "no pause any more\n" }
}

struct NotificationsVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "notifications", abstract: "Turn pop-ups on or off for good.")

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
