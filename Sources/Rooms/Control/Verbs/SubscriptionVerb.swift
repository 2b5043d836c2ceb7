import ArgumentParser
import ControlAPI
import FoundationEssentials

struct SubscriptionVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "subscription", abstract: "Tell what the app's maker has paid for and used.",
        discussion: "Only services for SDKs before 2.0 tell this; newer ones end it with 1.",
        subcommands: [Status.self, Verify.self], defaultSubcommand: Status.self)

    struct Status: Verb {
        static let configuration = CommandConfiguration(
            commandName: "status", abstract: "Tell tier, state and use; offline, as they were told last.")

        @OptionGroup var account: AccountOption
        @OptionGroup var talk: TalkOptions

        func run(in session: Session) async throws {
            try await session.answer(GetSubscription(account: account.name))
        }
    }

    struct Verify: Verb {
        static let configuration = CommandConfiguration(
            commandName: "verify", abstract: "Hand a store's receipt to the service.")

        @Option(help: .init("The store's platform, for instance ios.", valueName: "name"))
        var platform: String

        @Option(help: .init("The product that was bought.", valueName: "id"))
        var product: String

        @Option(help: .init("The receipt, at most 1 MiB; - reads standard input.", valueName: "file"))
        var receipt: String

        @OptionGroup var account: AccountOption
        @OptionGroup var talk: TalkOptions

        func run(in session: Session) async throws {
            let bytes = try ReceiptFile.read(receipt, standardInput: session.standardInput)
            try await session.answer(
                VerifySubscription(
                    platform: platform, productId: product, receiptData: Data(bytes).base64EncodedString(),
                    account: account.name))
        }
    }
}
