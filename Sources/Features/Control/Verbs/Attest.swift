import ArgumentParser
import ControlAPI
import ControlClient

struct AttestVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "attest", abstract: "Show or renew the key that identifies this device to the API.",
        subcommands: [Status.self, Renew.self, Reset.self], defaultSubcommand: Status.self)

    struct Status: Verb {
        static let configuration = CommandConfiguration(
            commandName: "status", abstract: "Show the state of the attestation.")

        @OptionGroup var account: AccountOption
        @OptionGroup var options: CommonOptions

        func run(in session: Session) async throws {
            try await session.answer(GetAttestation(account: account.name))
        }
    }

    struct Renew: Verb {
        static let configuration = CommandConfiguration(
            commandName: "renew", abstract: "Create a new key and attest it now.")

        @OptionGroup var account: AccountOption
        @OptionGroup var options: CommonOptions

        func run(in session: Session) async throws {
            try await session.answer(RenewAttestation(account: account.name))
        }
    }

    struct Reset: Verb {
        static let configuration = CommandConfiguration(
            commandName: "reset", abstract: "Delete the key here and at the API; `renew` creates a new one.")

        @OptionGroup var account: AccountOption
        @OptionGroup var options: CommonOptions

        func run(in session: Session) async throws {
            try await session.answer(ResetAttestation(account: account.name))
        }
    }
}

extension AttestationView: HumanReadable {
    func text(in format: TextFormat) -> String {
        var fields = FieldList()
        fields.append("attested", format.paint(isAttested ? "yes" : "no", isAttested ? .green : .yellow))
        fields.append("supported", isSupported ? "yes" : "no")
        fields.append("configured", TerminalText.line(mode))
        if let environment { fields.append("environment", TerminalText.line(environment)) }
        if let keyId { fields.append("key", TerminalText.line(keyId)) }
        if let counter { fields.append("counter", String(counter)) }
        if let reason { fields.append("reason", TerminalText.line(reason)) }
        return fields.text(in: format)
    }
}
