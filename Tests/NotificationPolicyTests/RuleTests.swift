import Config
import CutieAPI
import NotificationPolicy
import Testing

struct RuleTests {
    private let time = Timestamp(milliseconds: 1_780_000_000_000)
    private var now: ClockReading { ClockReading(time: time, uptime: .zero) }

    /// A reply by Ann (`admin_1`) to a low-priority question about the app Notes (`app_1`).
    private var subject: NotificationSubject {
        var conversation = Conversation(id: "c1", status: .waitingUser)
        conversation.category = .question
        conversation.priority = .low
        conversation.appName = "Notes"
        let message = Message(
            id: "m", conversation: "c1", senderType: .admin, senderID: "admin_1", senderName: "Ann",
            text: "Hello", createdAt: time)
        return NotificationSubject(message, in: conversation, appID: "app_1")
    }

    private func rule(
        _ match: (inout Rule.Match) -> Void = { _ in }, _ then: (inout Rule.Outcome) -> Void = { _ in }
    ) -> Rule {
        var rule = Rule()
        match(&rule.match)
        then(&rule.then)
        return rule
    }

    private static let conditions: [(any WritableKeyPath<Rule.Match, [String]> & Sendable, String, Bool)] = [
        (\.category, "question", true), (\.category, "bug", false), (\.priority, "low", true),
        (\.priority, "urgent", false), (\.status, "waiting_user", true), (\.status, "open", false),
        (\.app, "app_1", true), (\.app, "notes", true), (\.app, "app_2", false),
        (\.conversation, "c1", true), (\.conversation, "c2", false), (\.sender, "admin_1", true),
        (\.sender, "ANN", true), (\.sender, "An", false),
    ]

    @Test(arguments: conditions.indices)
    func `A condition of a rule is met if its field has one of the given values`(number: Int) {
        let (key, word, fits) = Self.conditions[number]
        #expect(rule { $0[keyPath: key] = ["x", word] }.match.matches(subject) == fits)
    }

    @Test func `A rule matches if all its conditions match, and a rule without conditions always matches`() {
        #expect(rule().match.matches(subject))
        let both = rule {
            $0.category = ["question"]
            $0.sender = ["Bob"]
        }
        #expect(!both.match.matches(subject))
    }

    @Test func `A condition does not match a missing value`() {
        let bare = NotificationSubject(
            Message(id: "m", conversation: "c1", senderType: .admin, text: "Hello", createdAt: time))
        #expect(!rule { $0.category = ["question"] }.match.matches(bare))
        #expect(!rule { $0.sender = ["Ann"] }.match.matches(bare))
        #expect(!rule { $0.app = ["app_1"] }.match.matches(bare))
        #expect(rule { $0.conversation = ["c1"] }.match.matches(bare))
    }

    @Test func `Only the first matching rule applies, even if it leaves some outcomes unset`() {
        let policy = Policy(rules: [
            rule({ $0.category = ["bug"] }, { $0.urgency = .critical }),
            rule({ $0.sender = ["Ann"] }, { $0.sound = .named("bell") }),
            rule({ $0.category = ["question"] }, { $0.show = .silent }),
        ])
        #expect(policy.verdict(on: subject, now: now) == .show)
        #expect(policy.urgency(of: subject) == .low)
        #expect(policy.sound(of: subject) == .named("bell"))
    }

    @Test(arguments: [(Rule.Visibility.silent, ""), (.ignore, ", which ignores it")])
    func `Silent and ignored replies are never shown, and the verdict names the rule`(
        show: Rule.Visibility, word: String
    ) {
        let policy = Policy(rules: [
            rule({ $0.category = ["bug"] }),
            rule({ $0.priority = ["low", "normal"] }, { $0.show = show }),
        ])
        let reason = "rule 2 of the configuration (priority = low or normal)" + word
        #expect(policy.verdict(on: subject, now: now) == .suppress(reason: reason))
        #expect(policy.ignores(subject) == (show == .ignore))
    }

    @Test func `A rule that raises the urgency to critical overrides a pause`() {
        func paused(_ urgency: Rule.Urgency?) -> Policy {
            Policy(
                rules: [
                    rule { _ in
                    } _: {
                        $0.urgency = urgency
                    }
                ], pause: .init(end: nil, isPrivate: false))
        }
        var conversation = subject.conversation
        conversation?.priority = .urgent
        let urgent = NotificationSubject(subject.message, in: conversation, appID: subject.appID)
        #expect(paused(nil).verdict(on: urgent, now: now) == .show)
        #expect(paused(.normal).verdict(on: urgent, now: now) == .hold(reason: "paused", until: nil))
        #expect(paused(.critical).verdict(on: subject, now: now) == .show)
    }

    @Test func `A rule that shows a reply does not override quiet hours`() {
        var policy = Policy(
            rules: [
                rule { _ in
                } _: {
                    $0.show = .notify
                }
            ], zone: .greenwich)
        policy.configuration.quietHours = QuietHours(from: 0, to: 1439)
        #expect(policy.verdict(on: subject, now: now) != .show)
    }
}
