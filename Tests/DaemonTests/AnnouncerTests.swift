import Config
import CutieAPI
import Desktop
import Inbox
import Store
import TestSupport
import Testing

@testable import Daemon

@MainActor
struct AnnouncerTests {
    let desk: Desk
    let server = FakePopupServer()

    init() throws { desk = try Desk() }

    func announcer(
        rules: [Rule] = [], _ change: (inout NotificationConfiguration) -> Void = { _ in }
    ) -> Announcer {
        var configuration = NotificationConfiguration()
        change(&configuration)
        let announcer = desk.announcer(server, policy: Policy(configuration, rules: rules))
        desk.ingest.joined = { try announcer.takeInHand($0) }
        return announcer
    }

    func reply(
        _ id: Message.ID, in conversation: Conversation.ID = "c", at seconds: Int64, unread: Int = 1
    ) throws {
        try desk.accept(
            .reply(.sample(id, in: conversation, at: seconds), unread: unread, event: .init(id.rawValue)))
    }

    func stages(_ id: Message.ID) throws -> [Stage] {
        try desk.store.read { try $0.steps(of: id, account: desk.account).map(\.stage) }
    }

    @Test func `A reply pops up once and the ledger says so`() async throws {
        try await running(announcer().run) {
            try reply("m1", at: 1)
            try await eventually("it is shown") { try desk.pending().isEmpty }
        }
        #expect(server.shown.map(\.popup.summary) == ["Ann"])
        #expect(server.shown.map(\.popup.stackTag) == ["c"])
        #expect(try stages("m1") == [.stored, .announcing, .shown])
    }

    @Test func `Further replies replace the conversation's pop-up and do not sound again`() async throws {
        try await running(announcer().run) {
            for number in 1...3 {
                try reply(.init("m\(number)"), at: Int64(number), unread: number)
                try await eventually("it is shown") { try desk.pending().isEmpty }
            }
        }
        #expect(server.shown.map(\.replaced) == [nil, 1, 1])
        #expect(server.shown.map(\.popup.isUpdate) == [false, true, true])
        #expect(server.shown.last?.popup.body == "3 new replies\ntext of m3")
    }

    @Test func `What exceeds the most pop-ups goes into one summary`() async throws {
        let events = (1...8).map { number in
            Event.reply(
                .sample(.init("m\(number)"), in: .init("c\(number)"), at: Int64(number)), unread: 1,
                event: .init("e\(number)"))
        }
        try desk.ingest.accept(events, from: desk.account, by: .stream)
        try await running(announcer { $0.maxPopups = 3 }.run) {
            try await eventually("all are shown") { try desk.pending().isEmpty }
        }
        #expect(server.shown.count == 4)
        #expect(server.shown.last?.popup.summary == "5 unread replies")
        #expect(server.shown.last?.popup.stackTag == "cutied-summary")
    }

    @Test func `The summary goes on naming what was in it before`() async throws {
        let ids: [Conversation.ID] = ["a", "b", "c"]
        try desk.store.write { transaction in
            for id in ids {
                var conversation = Conversation(id: id)
                conversation.title = id.rawValue.uppercased()
                try transaction.save(ConversationRecord(account: desk.account, conversation: conversation))
            }
        }
        try await running(announcer { $0.maxPopups = 1 }.run) {
            for (number, id) in ids.enumerated() {
                try reply(.init("m\(number)"), in: id, at: Int64(number))
                try await eventually("it is shown") { try desk.pending().isEmpty }
            }
        }
        #expect(server.shown.last?.popup.body == "in 2 conversations\nC, B")
    }

    @Test func `What was held longer does not take the place of newer words`() async throws {
        var urgent = Rule()
        urgent.match.sender = ["Boss"]
        urgent.then.urgency = .critical
        var fromAbove = Message.sample("m2", at: 2)
        fromAbove.senderName = "Boss"
        let announcer = announcer(rules: [urgent])
        announcer.policy.pause = .init(until: nil, isPrivate: false)
        try await running(announcer.run) {
            try reply("m1", at: 1)
            try await eventually("it is held") { try stages("m1").last == .held }
            try desk.accept(.reply(fromAbove, unread: 2, event: "m2"))
            try await eventually("what is urgent is shown") { try stages("m2").last == .shown }
            announcer.policy.pause = nil
            try await eventually("all is shown") { try desk.pending().isEmpty }
        }
        #expect(server.shown.map(\.popup.body) == ["text of m2", "2 new replies\ntext of m2"])
    }

    @Test func `A restart announces nothing again`() async throws {
        try await running(announcer().run) {
            try reply("m1", at: 1)
            try await eventually("it is shown") { try desk.pending().isEmpty }
        }
        try await running(announcer().run) {
            try reply("m2", at: 2, unread: 2)
            try await eventually("the other is shown") { try desk.pending().isEmpty }
        }
        #expect(server.shown.count == 2)
        #expect(server.shown.last?.replaced == 1)
    }

    @Test func `A crash between announcing and shown shows it again in the same place`() async throws {
        try await running(announcer().run) {
            try reply("m1", at: 1)
            try await eventually("it is shown") { try desk.pending().isEmpty }
        }
        try reply("m2", at: 2, unread: 2)
        try desk.store.write {
            _ = try $0.append(step: .announcing, at: .base, to: "m2", account: desk.account)
        }
        try await running(announcer().run) {
            try await eventually("it is shown") { try desk.pending().isEmpty }
        }
        #expect(server.shown.map(\.replaced) == [nil, 1])
    }

    @Test func `Read elsewhere, its pop-up goes`() async throws {
        try await running(announcer().run) {
            try reply("m1", at: 1)
            try await eventually("it is shown") { try desk.pending().isEmpty }
            try desk.accept(.read("c", leaving: 0, at: 2, event: "e2"))
            try await eventually("it is closed") { server.closed == [1] }
        }
        #expect(try stages("m1").last == .read)
    }

    @Test func `Read in part, a pop-up counts what is left and the next`() async throws {
        try await running(announcer().run) {
            for number in 1...3 {
                try reply(.init("m\(number)"), at: Int64(number), unread: number)
                try await eventually("it is shown") { try desk.pending().isEmpty }
            }
            try desk.accept(.read("c", leaving: 1, at: 4, event: "e4"))
            try reply("m5", at: 5, unread: 2)
            try await eventually("it is shown") { try desk.pending().isEmpty }
            // The server's count tells that two were read.
            try reply("m6", at: 6, unread: 1)
            try await eventually("it is shown") { try desk.pending().isEmpty }
        }
        #expect(server.shown.map(\.popup.body).suffix(2) == ["2 new replies\ntext of m5", "text of m6"])
        #expect(server.closed.isEmpty)
    }

    @Test func `Where nothing was read, a pop-up's replies are not read again to count them`() async throws {
        try await running(announcer().run) {
            try reply("m1", at: 1)
            try await eventually("it is shown") { try desk.pending().isEmpty }
            // Nobody tells of this: only who reads the row would know.
            try desk.store.write {
                _ = try $0.append(step: .closed, at: .base, to: "m1", account: desk.account)
            }
            try reply("m2", at: 2, unread: 2)
            try await eventually("it is shown") { try desk.pending().isEmpty }
        }
        #expect(server.shown.last?.popup.body == "2 new replies\ntext of m2")
    }

    @Test func `More than a turn reads is released piece by piece, to the last`() async throws {
        let announcer = announcer()
        announcer.policy.pause = .init(until: nil, isPrivate: false)
        let events = (1...1200).map { number in
            Event.reply(
                .sample(.init("m\(number)"), in: .init("c\(number % 3)"), at: Int64(number)),
                unread: (number + 2) / 3, event: .init("e\(number)"))
        }
        try desk.ingest.accept(events, from: desk.account, by: .stream)
        try await running(announcer.run) {
            try await eventually("all are held") { try stages("m1200").last == .held }
            announcer.policy.pause = nil
            try await eventually("all are shown") { try desk.pending().isEmpty }
        }
        #expect(server.shown.map(\.popup.summary) == ["1000 unread replies", "1200 unread replies"])
    }

    @Test func `Paused, replies wait and come as one when it ends`() async throws {
        let announcer = announcer()
        announcer.policy.pause = .init(until: nil, isPrivate: false)
        try await running(announcer.run) {
            try reply("m1", in: "a", at: 1)
            try reply("m2", in: "b", at: 2)
            try await eventually("they are held") { try stages("m2").last == .held }
            #expect(server.shown.isEmpty)
            announcer.policy.pause = nil
            try await eventually("they are shown") { try desk.pending().isEmpty }
        }
        #expect(server.shown.map(\.popup.summary) == ["2 unread replies"])
    }

    @Test func `What a pause held goes into its conversation's pop-up where that is still there`()
        async throws
    {
        let announcer = announcer()
        try await running(announcer.run) {
            try reply("m1", in: "a", at: 1)
            try reply("m2", in: "b", at: 2)
            try await eventually("both are shown") { try desk.pending().isEmpty }
            announcer.policy.pause = .init(until: nil, isPrivate: false)
            try reply("m3", in: "a", at: 3, unread: 2)
            try reply("m4", in: "b", at: 4, unread: 2)
            try await eventually("they are held") { try stages("m4").last == .held }
            announcer.policy.pause = nil
            try await eventually("they are shown, too") { try desk.pending().isEmpty }
        }
        let bodies = ["text of m1", "text of m2", "2 new replies\ntext of m3", "2 new replies\ntext of m4"]
        #expect(server.shown.map(\.popup.body) == bodies)
    }

    @Test func `Off, replies are never announced later`() async throws {
        let announcer = announcer { $0.enabled = false }
        try await running(announcer.run) {
            try reply("m1", at: 1)
            try await eventually("it is dropped") { try desk.pending().isEmpty }
            announcer.policy.enabled = true
            try reply("m2", at: 2, unread: 2)
            try await eventually("the next is shown") { try stages("m2").last == .shown }
        }
        #expect(server.shown.map(\.popup.body) == ["text of m2"])
    }

    private func rule(for conversation: String, _ then: (inout Rule.Outcome) -> Void) -> Rule {
        var rule = Rule()
        rule.match.conversation = [conversation]
        then(&rule.then)
        return rule
    }

    @Test func `A rule keeps replies from the screen, and the ledger names it`() async throws {
        let quiet = rule(for: "a") { $0.show = .silent }
        let announcer = announcer(rules: [quiet])
        try await running(announcer.run) {
            try reply("m1", in: "a", at: 1)
            try reply("m2", in: "b", at: 2)
            try await eventually("both are dealt with") { try desk.pending().isEmpty }
            announcer.policy.rules = []
            try reply("m3", in: "a", at: 3, unread: 2)
            try await eventually("the next is shown") { try desk.pending().isEmpty }
        }
        #expect(server.shown.map(\.popup.body) == ["text of m2", "text of m3"])
        let step = try desk.store.read { try $0.steps(of: "m1", account: desk.account).last }
        #expect(step?.stage == .held)
        #expect(step?.detail == "not shown: rule 1 of the configuration (conversation = a)")
        #expect(desk.badge.total == 3)
    }

    @Test func `What a rule ignores is not counted either, but by the server`() async throws {
        let announcer = announcer(rules: [rule(for: "a") { $0.show = .ignore }])
        desk.ingest.ignores = { message, conversation, _ in
            announcer.policy.ignores(Subject(message, in: conversation))
        }
        try await running(announcer.run) {
            try reply("m1", in: "a", at: 1)
            try reply("m2", in: "b", at: 2)
            try desk.ingest.accept(
                fetched: .sample(
                    "a", unread: 2, at: 4, [.sample("m1", in: "a", at: 1), .sample("m3", in: "a", at: 3)]),
                listed: .sample("a", unread: 2, at: 4), account: desk.account, first: false)
            try await eventually("all are dealt with") { try desk.pending().isEmpty }
        }
        #expect(server.shown.map(\.popup.body) == ["text of m2"])
        #expect(desk.badge == Badge(total: 1, unread: 3))
        #expect(try desk.store.search("text", limit: 9).count == 3)
    }

    @Test func `A rule chooses urgency and sound, the most urgent and the newest of several`() async throws {
        let announcer = announcer(rules: [
            rule(for: "a") {
                $0.urgency = .critical
                $0.sound = .named("bell")
            },
            rule(for: "b") { $0.sound = NotificationConfiguration.Sound.none },
        ])
        try await running(announcer.run) {
            try reply("m1", in: "a", at: 1)
            try await eventually("it is shown") { try desk.pending().isEmpty }
            try reply("m2", in: "b", at: 2)
            try await eventually("it is shown") { try desk.pending().isEmpty }
        }
        #expect(server.shown.map(\.popup.urgency) == [.critical, .normal])
        #expect(server.shown.map(\.popup.sound) == [.named("bell"), .silent])
    }
}
