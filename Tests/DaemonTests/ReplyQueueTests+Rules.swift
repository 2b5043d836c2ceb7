import Config
import CutieAPI
import FeedPolicy
import NotificationPolicy
import Store
import TestSupport
import Testing
import TextSearch

@testable import Accounts
@testable import ControlServer
@testable import Daemon
@testable import EventLog
@testable import Notifications

/// Tests of the effects of the configured rules.
extension ReplyQueueTests {
    private func rule(for conversation: String, _ then: (inout Rule.Outcome) -> Void) -> Rule {
        var rule = Rule()
        rule.match.conversation = [conversation]
        then(&rule.then)
        return rule
    }

    @Test func `A rule suppresses notifications, and the ledger names the rule`() async throws {
        let quiet = rule(for: "a") { $0.show = .silent }
        let queue = queue(rules: [quiet])
        try await running(queue.run) {
            try reply("m1", in: "a", at: 1)
            try reply("m2", in: "b", at: 2)
            try await eventually("both replies are processed") { try fixture.pending().isEmpty }
            queue.notificationController.policy.rules = []
            try reply("m3", in: "a", at: 3, unread: 2)
            try await eventually("the next reply is shown") { try fixture.pending().isEmpty }
        }
        #expect(server.shown.map(\.notification.body) == ["text of m2", "text of m3"])
        let step = try fixture.steps(of: "m1").last
        #expect(step?.stage == .held)
        #expect(step?.reason == .notShown)
        #expect(step?.detail == "rule 1 of the configuration (conversation = a)")
        #expect(fixture.badge.total == 3)
    }

    @Test func `A reply that a rule ignores is not counted locally, even if the server counts it`()
        async throws
    {
        let queue = queue(rules: [rule(for: "a") { $0.show = .ignore }])
        fixture.collaborators.ignores = { message, conversation in
            queue.notificationController.policy.ignores(NotificationSubject(message, in: conversation))
        }
        try await running(queue.run) {
            try reply("m1", in: "a", at: 1)
            try reply("m2", in: "b", at: 2)
            try fixture.ingest.applyFetched(
                .sample(
                    "a", unread: 2, at: 4, [.sample("m1", in: "a", at: 1), .sample("m3", in: "a", at: 3)]),
                listedVersion: .sample("a", unread: 2, at: 4), account: fixture.account, isFirstSync: false)
            try await eventually("all replies are processed") { try fixture.pending().isEmpty }
        }
        #expect(server.shown.map(\.notification.body) == ["text of m2"])
        #expect(fixture.badge == Badge(total: 1, unread: 3))
        let query = try #require(SearchQuery("text"))
        let found = try await fixture.store.search(query, limit: 9, into: 0) { count, _ in
            count += 1
            return true
        }
        #expect(found.result == 3)
    }

    @Test func `Rules set the urgency and the sound of notifications`() async throws {
        let queue = queue(rules: [
            rule(for: "a") {
                $0.urgency = .critical
                $0.sound = .named("bell")
            },
            rule(for: "b") { $0.sound = NotificationConfiguration.Sound.none },
        ])
        try await running(queue.run) {
            try reply("m1", in: "a", at: 1)
            try await eventually("the first reply is shown") { try fixture.pending().isEmpty }
            try reply("m2", in: "b", at: 2)
            try await eventually("the second reply is shown") { try fixture.pending().isEmpty }
        }
        #expect(server.shown.map(\.notification.urgency) == [.critical, .normal])
        #expect(server.shown.map(\.notification.sound) == [.named("bell"), .silent])
    }
}
