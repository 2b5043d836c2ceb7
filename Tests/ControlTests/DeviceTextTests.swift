import ControlAPI
import Testing

@testable import Control

struct DeviceTextTests {
    @Test func `A subscription is printed with its age and the reason why it is outdated`() {
        let subscription = SubscriptionView(
            account: "default", tier: "pro", state: "grace_period", until: noon, billingPeriod: "2025-11",
            feedbackCount: 12, feedbackLimit: 50, feedbackRemaining: 38, messageCount: 3)
        let reply = GetSubscription.Reply(
            subscription: subscription, fetchedAt: noon - 5 * minute, reason: "no route to host")
        #expect(
            reply.text(in: .plain) == """
                tier      pro
                state     grace period until 2025-11-21
                used      12 of 50 conversations in 2025-11, 38 remain
                messages  3
                as of     5 min ago (no route to host)

                """)
    }

    @Test func `A subscription without limits is shown as "no limit"`() {
        let reply = GetSubscription.Reply(
            subscription: SubscriptionView(account: "default", tier: "business", feedbackCount: 12),
            fetchedAt: noon)
        #expect(reply.text(in: .plain).contains("used   12 conversations, no limit\n"))
    }

    @Test(arguments: [
        (PushRegistrationView(account: "default", state: "none"), "no push service is registered"),
        (
            PushRegistrationView(
                account: "default", state: "registered", tokenEnd: "89abcdef",
                registeredAt: noon - 3 * minute), "token …89abcdef, registered 3 min ago"
        ),
        (
            PushRegistrationView(
                account: "work", state: "waiting", tokenEnd: "89abcdef", reason: "no route to host"),
            "work: token …89abcdef, not yet registered with the service: no route to host"
        ),
        (
            PushRegistrationView(account: "default", state: "leaving"),
            "unregistered here, not yet at the service"
        ),
    ])
    func `A push registration is shown as one sentence`(registration: PushRegistrationView, sentence: String)
    {
        let reply = PushStatus.Reply(registrations: [registration])
        #expect(reply.text(in: .plain) == sentence + "\n")
    }

    @Test func `A push payload or a receipt that is too large is rejected`() {
        let large: (Int) throws -> [UInt8] = { Array(repeating: 0x20, count: $0) }
        #expect(throws: CommandError.self) { try PayloadArgument.resolve("-", readStandardInput: large) }
        #expect(throws: CommandError.self) { try ReceiptFile.readFile(at: "-", readStandardInput: large) }
        #expect(throws: CommandError.self) { try ReceiptFile.readFile(at: "-") { _ in [] } }
    }
}
