import ArgumentParser
import ControlAPI
import ControlClient
import FoundationEssentials

struct SubscriptionVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "subscription", abstract: "Show the plan and the usage of the app's developer.",
        discussion:
            """
            A subscription belongs to the app's developer, who buys it outside of this program. Nothing can be bought \
            here. Only services for SDKs before 2.0 report it; with newer services the command exits with 1.
            """,
        subcommands: [Status.self, Verify.self], defaultSubcommand: Status.self)

    struct Status: Verb {
        static let configuration = CommandConfiguration(
            commandName: "status", abstract: "Show tier, state and usage; offline, the last known values.")

        @OptionGroup var account: AccountOption
        @OptionGroup var options: CommonOptions

        func run(in session: Session) async throws {
            try await session.printReply(to: GetSubscription(account: account.name))
        }
    }

    struct Verify: Verb {
        static let configuration = CommandConfiguration(
            commandName: "verify", abstract: "Send a store receipt to the service.")

        @Option(help: .init("The platform of the store, for example ios.", valueName: "name"))
        var platform: String

        @Option(help: .init("The product that was bought.", valueName: "id"))
        var product: String

        @Option(help: .init("The receipt, at most 1 MiB; - reads standard input.", valueName: "file"))
        var receipt: String

        @OptionGroup var account: AccountOption
        @OptionGroup var options: CommonOptions

        func run(in session: Session) async throws {
            let bytes = try ReceiptFile.readFile(at: receipt, readStandardInput: session.standardInput)
            try await session.printReply(
                to: VerifySubscription(
                    platform: platform, productId: product, receiptData: Data(bytes).base64EncodedString(),
                    account: account.name))
        }
    }
}

extension GetSubscription.Reply: HumanReadable {
    func text(in format: TextFormat) -> String {
        var fields = FieldList()
        fields.append(name: "tier", value: TerminalText.singleLine(subscription.tier))
        if let state = subscription.stateMessage(in: format) { fields.append(name: "state", value: state) }
        if let use = subscription.usageText { fields.append(name: "used", value: use) }
        if let messages = subscription.messageCount {
            fields.append(name: "messages", value: String(messages))
        }
        if let storage = subscription.storageText { fields.append(name: "attachments", value: storage) }
        let age = format.relativeTimeText(for: fetchedAt)
        let why = reason.map { " (\($0))" } ?? ""
        fields.append(name: "as of", value: TerminalText.singleLine(age + why))
        return fields.text(in: format)
    }
}

extension SubscriptionView {
    /// Returns the state, such as `active until 2026-12-21` or `expired`; `nil` if the state is unknown.
    fileprivate func stateMessage(in format: TextFormat) -> String? {
        guard let state else { return nil }
        let end = until.map { " until \(format.clock.dateText(for: $0))" } ?? ""
        return TerminalText.singleLine(state.split(separator: "_").joined(separator: " ") + end)
    }

    /// The usage, such as `12 of 50 conversations in 2026-11, 38 remain`; `nil` if the usage is unknown.
    fileprivate var usageText: String? {
        guard let feedbackCount else { return nil }
        let limit = feedbackLimit.map { " of \($0)" } ?? ""
        let period = billingPeriod.map { " in \($0)" } ?? ""
        let rest = feedbackRemaining.map { ", \($0) remain" } ?? ", no limit"
        return TerminalText.singleLine("\(feedbackCount)\(limit) conversations\(period)\(rest)")
    }

    fileprivate var storageText: String? {
        guard let attachmentBytes else { return nil }
        return "\(attachmentBytes) bytes" + (storageLimitBytes.map { " of \($0)" } ?? "")
    }
}
