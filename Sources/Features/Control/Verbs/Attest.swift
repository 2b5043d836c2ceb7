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
            try await session.printReply(to: GetAttestation(account: account.name))
        }
    }

    struct Renew: Verb {
        static let configuration = CommandConfiguration(
            commandName: "renew", abstract: "Create a new key and attest it now.")

        @OptionGroup var account: AccountOption
        @OptionGroup var options: CommonOptions

        func run(in session: Session) async throws {
            try await session.printReply(to: RenewAttestation(account: account.name))
        }
    }

    struct Reset: Verb {
        static let configuration = CommandConfiguration(
            commandName: "reset", abstract: "Delete the key here and at the API; `renew` creates a new one.")

        @OptionGroup var account: AccountOption
        @OptionGroup var options: CommonOptions

        func run(in session: Session) async throws {
            try await session.printReply(to: ResetAttestation(account: account.name))
        }
    }
}

extension AttestationView: HumanReadable {
    func text(in format: TextFormat) -> String {
        var fields = FieldList()
        fields.append(
            name: "attested",
            value: format.styled(isAttested ? "yes" : "no", as: isAttested ? .green : .yellow))
        fields.append(name: "supported", value: isSupported ? "yes" : "no")
        fields.append(name: "configured", value: TerminalText.singleLine(mode))
        if let environment { fields.append(name: "environment", value: TerminalText.singleLine(environment)) }
        if let keyId { fields.append(name: "key", value: TerminalText.singleLine(keyId)) }
        if let counter { fields.append(name: "counter", value: String(counter)) }
        if let reason { fields.append(name: "reason", value: TerminalText.singleLine(reason)) }
        return fields.text(in: format)
    }
}
