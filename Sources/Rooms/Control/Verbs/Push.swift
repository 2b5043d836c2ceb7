import ArgumentParser
import ControlAPI
import ControlClient

struct PushVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "push", abstract: "Register a push service, or hand in what it brought.",
        discussion: """
            The daemon needs no push service; this is for those who bridge one.
            Examples:
              cutied ctl push register 4f2a9c81d07e4b6f8a354f2a9c81d07e
              bridge --print-payload | cutied ctl push deliver -
            """,
        subcommands: [Register.self, Unregister.self, Status.self, Deliver.self],
        defaultSubcommand: Status.self)

    struct Register: Verb {
        static let configuration = CommandConfiguration(
            commandName: "register",
            abstract: "Tell the service the token under which pushes reach this device.",
            discussion: "It is told again after each start of the daemon, and when the device registers anew."
        )

        @Argument(help: "32 to 200 hexadecimal characters.")
        var token: String

        @OptionGroup var account: AccountOption
        @OptionGroup var options: CommonOptions

        func run(in session: Session) async throws {
            let reply = try await session.answer(RegisterPush(token: token, account: account.name))
            try session.end(queued: reply.queued)
        }
    }

    struct Unregister: Verb {
        static let configuration = CommandConfiguration(
            commandName: "unregister", abstract: "Take the token back.")

        @OptionGroup var account: AccountOption
        @OptionGroup var options: CommonOptions

        func run(in session: Session) async throws {
            let reply = try await session.answer(UnregisterPush(account: account.name))
            try session.end(queued: reply.queued)
        }
    }

    struct Status: Verb {
        static let configuration = CommandConfiguration(
            commandName: "status", abstract: "Tell what is registered; also offline.")

        @OptionGroup var account: AccountOption
        @OptionGroup var options: CommonOptions

        func run(in session: Session) async throws {
            try await session.answer(PushStatus(account: account.name))
        }
    }

    struct Deliver: Verb {
        static let configuration = CommandConfiguration(
            commandName: "deliver", abstract: "Hand in the payload of a push, as JSON.",
            discussion: """
                It is ours where it has conversation_id or cutie; else the verb ends with 65. What it tells of \
                is fetched from the API and shown as everything else: whole, and once. Where the API does not \
                answer, the verb ends with 75, and what is new comes with the next connection.
                """)

        @Argument(help: "The payload, at most 64 KiB; - reads it from standard input.")
        var payload: String

        @OptionGroup var account: AccountOption
        @OptionGroup var options: CommonOptions

        func run(in session: Session) async throws {
            let text = try PayloadText.read(payload, standardInput: session.standardInput)
            let reply = try await session.answer(DeliverPush(payload: text, account: account.name))
            try session.end(queued: reply.queued)
        }
    }
}

extension RegisterPush.Reply: HumanReadable {
    func text(in format: TextFormat) -> String { queued ? "queued\n" : "registered\n" }
}

extension UnregisterPush.Reply: HumanReadable {
    func text(in format: TextFormat) -> String { queued ? "queued\n" : "not registered any more\n" }
}

extension DeliverPush.Reply: HumanReadable {
    func text(in format: TextFormat) -> String {
        if queued { return "queued; what is new comes with the next connection\n" }
        if arrived == 0 { return "nothing new\n" }
        let place = conversationId.map { " in \($0)" } ?? ""
        return TerminalText.line(arrived.counting("new message", "new messages") + place) + "\n"
    }
}

extension PushStatus.Reply: HumanReadable {
    func text(in format: TextFormat) -> String {
        let namesAccounts = AccountColumn.isNeeded(for: registrations.map(\.account))
        return registrations.map { registration in
            let name = namesAccounts ? registration.account + ": " : ""
            return TerminalText.line(name + registration.sentence(in: format)) + "\n"
        }.joined()
    }
}

extension PushRegistrationView {
    fileprivate func sentence(in format: TextFormat) -> String {
        let token = tokenEnd.map { "token …\($0)" } ?? "a token"
        let why = reason.map { ": " + $0 } ?? ""
        return switch state {
        case "none": "no push service is registered"
        case "registered": "\(token), registered \(format.relative(registeredAt, otherwise: ""))"
        case "waiting": "\(token), not told to the service yet\(why)"
        case "leaving": "taken back here, not told to the service yet\(why)"
        case "refused": "\(token), which the service does not take\(why)"
        default: "\(token), \(state)\(why)"
        }
    }
}
