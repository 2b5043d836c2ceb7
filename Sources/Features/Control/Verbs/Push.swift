import ArgumentParser
import ControlAPI
import ControlClient

struct PushVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "push", abstract: "Register a push token, or deliver a push payload.",
        discussion: """
            The daemon needs no push service. These verbs are for programs that bridge one.
            Examples:
              cutied ctl push register 4f2a9c81d07e4b6f8a354f2a9c81d07e
              bridge --print-payload | cutied ctl push deliver -
            """,
        subcommands: [Register.self, Unregister.self, Status.self, Deliver.self],
        defaultSubcommand: Status.self)

    struct Register: Verb {
        static let configuration = CommandConfiguration(
            commandName: "register",
            abstract: "Register the push token of this device with the service.",
            discussion:
                "The token is sent again after each start of the daemon and after each registration of the device."
        )

        @Argument(help: "32 to 200 hexadecimal characters.")
        var token: String

        @OptionGroup var account: AccountOption
        @OptionGroup var options: CommonOptions

        func run(in session: Session) async throws {
            let reply = try await session.printReply(to: RegisterPush(token: token, account: account.name))
            try session.throwIfQueued(reply.queued)
        }
    }

    struct Unregister: Verb {
        static let configuration = CommandConfiguration(
            commandName: "unregister", abstract: "Unregister the token.")

        @OptionGroup var account: AccountOption
        @OptionGroup var options: CommonOptions

        func run(in session: Session) async throws {
            let reply = try await session.printReply(to: UnregisterPush(account: account.name))
            try session.throwIfQueued(reply.queued)
        }
    }

    struct Status: Verb {
        static let configuration = CommandConfiguration(
            commandName: "status", abstract: "Show the registered token; works offline.")

        @OptionGroup var account: AccountOption
        @OptionGroup var options: CommonOptions

        func run(in session: Session) async throws {
            try await session.printReply(to: PushStatus(account: account.name))
        }
    }

    struct Deliver: Verb {
        static let configuration = CommandConfiguration(
            commandName: "deliver", abstract: "Deliver the JSON payload of a push.",
            discussion: """
                The payload must contain conversation_id or cutie; otherwise the command exits with 65. The \
                message is fetched from the API and shown once, like any other. If the API does not answer, \
                the command exits with 75, and the message is fetched with the next connection.
                """)

        @Argument(help: "The payload, at most 64 KiB; - reads it from standard input.")
        var payload: String

        @OptionGroup var account: AccountOption
        @OptionGroup var options: CommonOptions

        func run(in session: Session) async throws {
            let text = try PayloadArgument.resolve(payload, readStandardInput: session.standardInput)
            let reply = try await session.printReply(to: DeliverPush(payload: text, account: account.name))
            try session.throwIfQueued(reply.queued)
        }
    }
}

extension RegisterPush.Reply: HumanReadable {
    func text(in format: TextFormat) -> String { queued ? "queued\n" : "registered\n" }
}

extension UnregisterPush.Reply: HumanReadable {
    func text(in format: TextFormat) -> String { queued ? "queued\n" : "no longer registered\n" }
}

extension DeliverPush.Reply: HumanReadable {
    func text(in format: TextFormat) -> String {
        if queued { return "queued; new messages are fetched with the next connection\n" }
        if arrived == 0 { return "nothing new\n" }
        let place = conversationId.map { " in \($0)" } ?? ""
        return TerminalText.singleLine(arrived.pluralized(one: "new message", other: "new messages") + place)
            + "\n"
    }
}

extension PushStatus.Reply: HumanReadable {
    func text(in format: TextFormat) -> String {
        let namesAccounts = AccountColumn.isNeeded(for: registrations.map(\.account))
        return registrations.map { registration in
            let name = namesAccounts ? registration.account + ": " : ""
            return TerminalText.singleLine(name + registration.message(in: format)) + "\n"
        }.joined()
    }
}

extension PushRegistrationView {
    fileprivate func message(in format: TextFormat) -> String {
        let token = tokenEnd.map { "token …\($0)" } ?? "a token"
        let why = reason.map { ": " + $0 } ?? ""
        return switch state {
        case "none": "no push service is registered"
        case "registered": "\(token), registered \(format.relativeTimeText(for: registeredAt, otherwise: ""))"
        case "waiting": "\(token), not yet registered with the service\(why)"
        case "leaving": "unregistered here, not yet at the service\(why)"
        case "refused": "\(token), refused by the service\(why)"
        default: "\(token), \(state)\(why)"
        }
    }
}
