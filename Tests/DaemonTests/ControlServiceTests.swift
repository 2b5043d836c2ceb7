import ControlAPI
import CutieAPI
import Foundation
import Inbox
import Store
import TestSupport
import Testing

@testable import Daemon

@MainActor
struct ControlServiceTests {
    private let desk: Desk
    private let service: ControlService

    init() throws {
        desk = try Desk()
        service = try desk.service(Accounts(store: desk.store))
    }

    @Test(arguments: [-1, 0]) func `A limit below one is refused, and does not end the daemon`(_ limit: Int) {
        #expect(throws: InvalidArgument.self) {
            try service.listConversations(ListConversations(limit: limit))
        }
        #expect(throws: InvalidArgument.self) { try service.search(Search(words: "a", limit: limit)) }
        #expect(throws: InvalidArgument.self) {
            try service.getConversation(GetConversation(conversation: "c", limit: limit))
        }
    }

    @Test func `A search for more than can be sorted at once is refused`() {
        #expect(throws: Never.self) { try service.search(Search(words: "a", limit: 1000)) }
        let refusal = InvalidArgument(parameter: "limit", reason: "it must be at most 1000")
        #expect(throws: refusal) { try service.search(Search(words: "a", limit: 1001)) }
    }

    @Test func `So many conversations as are read do not fit into a reply, however short they are`() {
        var room = ReplyRoom()
        let shortest = ConversationView(account: "", conversationId: "", status: "", badge: 0)
        let fitting = (0...ReplyRoom.mostConversations).prefix { _ in room.take(shortest) != nil }
        #expect(fitting.count <= ReplyRoom.mostConversations && fitting.count > 5000)
    }

    @Test func `A watch from beyond the end of the log starts again`() async throws {
        struct Enough: Error {}
        for since in [Int64.max, .min, -1] {
            var seen: [String] = []
            await #expect(throws: Enough.self) {
                try await service.watch(Watch(since: since)) { reply in
                    seen.append(reply.type)
                    if seen.count == 2 { throw Enough() }
                }
            }
            #expect(seen == ["snapshot", "reset"])
        }
    }

    @Test func `A search for more words than are looked for is refused, and drops none`() {
        let words = (0..<33).map { "w\($0)" }
        #expect(throws: Never.self) {
            try service.search(Search(words: words.dropLast().joined(separator: " ")))
        }
        let refusal = #expect(throws: InvalidArgument.self) {
            try service.search(Search(words: words.joined(separator: " ")))
        }
        #expect(refusal?.reason.contains("32") == true)
    }

    @Test func `An account that is not there is told apart from a conversation that is not there`() {
        #expect(throws: NotFound(what: "account", id: "work")) {
            try service.listConversations(ListConversations(account: "work"))
        }
        #expect(throws: NotFound(what: "conversation", id: "c")) {
            try service.getConversation(GetConversation(conversation: "c"))
        }
    }

    @Test(arguments: [0, -5]) func `A pause of no time is refused`(_ seconds: Int) {
        #expect(throws: InvalidArgument.self) { try service.pause(Pause(seconds: seconds)) }
    }

    @Test func `A pause is told to those who watch, and survives a restart`() throws {
        let before = desk.ingest.head.value
        let until = try service.pause(Pause(seconds: 60)).pausedUntil
        #expect(until == Timestamp.base(plus: 60).milliseconds)
        #expect(desk.ingest.head.value == before + 1)
        #expect(try desk.store.read { try $0.setting("pause") } != nil)
    }

    @Test func `Consent is off until it is given, and to decide answers the question`() throws {
        #expect(try service.consent(Consent()) == Consent.Reply(enabled: false, decided: false))
        try service.questions.ask(.consent)
        #expect(try service.consent(Consent(enabled: true)) == Consent.Reply(enabled: true, decided: true))
        #expect(try service.questions.open().isEmpty)
        #expect(try service.consent(Consent(enabled: false)) == Consent.Reply(enabled: false, decided: true))
    }

    @Test func `Who turns pop-ups on or off needs not be told of them`() throws {
        try service.questions.ask(.permission)
        _ = try service.notifications(Notifications())
        #expect(try service.listQuestions().questions.map(\.kind) == ["permission"])
        _ = try service.notifications(Notifications(enabled: true))
        #expect(try service.listQuestions().questions.isEmpty)
    }

    @Test(arguments: ["", "a b", "\u{7}", String(repeating: "x", count: 600)])
    func `A token that no link could hold is refused, and nobody is asked`(_ token: String) throws {
        #expect(throws: InvalidArgument.self) { try service.takeApp(TakeApp(token: token)) }
        #expect(try service.listQuestions().questions.isEmpty)
    }

    @Test func `A conversation has the fields that it has on the wire, in camelCase`() throws {
        var conversation = Conversation.sample("c", unread: 1, at: 1)
        conversation.title = "t"
        conversation.category = .bug
        conversation.priority = .low
        (conversation.customerID, conversation.userID, conversation.userName) = ("k", "u", "n")
        (conversation.deviceID, conversation.assignedAdminID) = ("device_1", "a")
        (conversation.appID, conversation.appName) = ("app", "App")
        conversation.tags = [Tag(id: "t1", conversation: "c", name: "billing", color: "#fff")]
        conversation.createdAt = .base
        conversation.messages = nil
        let record = ConversationRecord(account: desk.account, conversation: conversation)
        let view = ConversationView(record, account: "default")
        let wire = try Self.keys(of: conversation), shown = try Self.keys(of: view)
        #expect(wire.count > 15)
        #expect(wire.subtracting(shown) == [])
    }

    /// In camelCase, those of what is in it, too.
    private static func keys(of value: some Encodable) throws -> Set<String> {
        let text = String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
        return Set(
            text.matches(of: /"(?<key>[a-zA-Z_]+)":/).map { match in
                let words = match.output.key.split(separator: "_")
                return words.dropFirst().reduce("\(words[0])") { $0 + "\($1)".capitalized }
            })
    }

    @Test(arguments: [Status.resolved, .closed])
    func `A conversation that has ended takes an answer only from who insists`(_ status: Status) async throws
    {
        let service = try desk.service(desk.accounts())
        try desk.store.write {
            try $0.save(
                ConversationRecord(account: desk.account, conversation: Conversation(id: "c", status: status))
            )
        }
        await #expect(throws: Closed(conversation: "c", status: status.rawValue)) {
            try await service.sendMessage(SendMessage(conversation: "c", message: "It is back"))
        }
        #expect(try service.listOutbox(ListOutbox()).items.isEmpty)
        let insisting = SendMessage(conversation: "c", message: "It is back", reopen: true)
        let sending = Task { try await service.sendMessage(insisting) }
        try await eventually("it is in the outbox") {
            try service.listOutbox(ListOutbox()).items.map(\.text) == ["It is back"]
        }
        sending.cancel()
    }

    @Test func `What is shown is read as far as it went, but for who does not want that`() async throws {
        for number in 1...3 {
            let message = Message.sample(.init("m\(number)"), at: Int64(number))
            try desk.accept(.reply(message, unread: number, event: .init("e\(number)")))
        }
        let unread = { [desk] in
            try desk.store.read { try $0.unreadCount(of: "c", account: desk.account) }
        }
        let shown = MarkRead(conversation: "c", upTo: "m2", shown: true)
        let unwilling = try desk.service(desk.accounts(), marksShownRead: false)
        #expect(try await unwilling.markRead(shown) == .init(conversations: 0, queued: false))
        #expect(try unread() == 3)
        let service = try desk.service(desk.accounts())
        #expect(try await service.markRead(shown) == .init(conversations: 1, queued: true))
        #expect(try unread() == 1)
        // Once more it changes nothing, and an older one takes nothing back.
        for message in ["m2", "m1"] {
            let again = MarkRead(conversation: "c", upTo: message, shown: true)
            #expect(try await service.markRead(again) == .init(conversations: 0, queued: false))
        }
        await #expect(throws: NotFound(what: "message", id: "m9")) {
            try await service.markRead(MarkRead(conversation: "c", upTo: "m9"))
        }
        await #expect(throws: InvalidArgument.self) { try await service.markRead(MarkRead(upTo: "m3")) }
    }

    @Test(arguments: ["7", "x", ""]) func `A question that is not there is not answered`(_ id: String) async {
        await #expect(throws: NotFound.self) {
            try await service.answerQuestion(AnswerQuestion(questionId: id, allow: true))
        }
    }

    @Test func `A message id that is in two conversations is told with them, and explained in each`() throws {
        let service = try desk.service(desk.accounts())
        try desk.accept(
            .reply(.sample("m1", at: 1), unread: 1, event: "e1"),
            .reply(.sample("m1", in: "d", at: 2), unread: 1, event: "e2"))
        let fault = #expect(throws: Ambiguous.self) { try service.explain(Explain(message: "m1")) }
        #expect(fault?.conversations == ["c", "d"] && fault?.accounts == ["default"])
        let explained = try service.explain(Explain(message: "m1", conversation: "d"))
        #expect(explained.message?.conversationId == "d" && !explained.steps.isEmpty)
        #expect(throws: NotFound.self) { try service.explain(Explain(message: "m1", conversation: "e")) }
    }
}

@MainActor
struct LostAnswerTests {
    private func isAnswer(_ message: Message.ID, _ desk: Desk) throws -> Bool {
        try desk.store.read { try Change.isAnswer(message, in: "c", account: desk.account, $0) }
    }

    @Test func `Our words that a poll brought after the answer was lost are not another call's`() throws {
        let desk = try Desk()
        let ours = Message.sample("m1", by: .user, at: 1)
        let thread = Conversation.sample("c", unread: 0, at: 1, [ours])
        try desk.ingest.accept(fetched: thread, listed: thread, account: desk.account, first: false)
        #expect(try !isAnswer("m1", desk))
    }

    @Test func `What a call of ours made stays its own, also where the event came first`() throws {
        let desk = try Desk()
        let ours = Message.sample("m1", by: .user, at: 1)
        try desk.accept(.reply(ours, unread: 0, event: "e1"))
        try desk.ingest.change(desk.account) { try $0.takeOwn(ours, in: "c") }
        #expect(try isAnswer("m1", desk))
        #expect(try desk.logged("message.created").count == 1)
    }
}
