import ControlAPI
import CutieAPI
import Domain
import FeedPolicy
import Foundation
import Localization
import NotificationPolicy
import Reasons
@_spi(EventLog) import Store
import TestSupport
import Testing

@testable import Accounts
@testable import ControlServer
@testable import Daemon
@testable import EventLog
@testable import Notifications
@testable import Services

@MainActor
struct ControlServiceTests {
    private let fixture: IngestFixture
    private let conversations: ConversationMethods
    private let questions: Questions
    private let questionMethods: QuestionMethods
    private let notificationController: NotificationMethods

    init() throws {
        fixture = try IngestFixture()
        conversations = fixture.conversations(of: AccountRegistry(log: fixture.log))
        questions = try fixture.questions(fixture.queue())
        questionMethods = QuestionMethods(
            questions: questions, consent: ActivityConsent(store: fixture.store))
        notificationController = try fixture.notificationController(questions)
    }

    @Test func `Each method of the control interfaces has exactly one handler`() throws {
        let service = try fixture.controlService()
        #expect(throws: Never.self) { try service.makeService(logger: .silent) }
    }

    @Test(arguments: [-1, 0]) func `A limit below one is rejected, and the daemon keeps running`(_ limit: Int)
        async
    {
        await #expect(throws: InvalidArgument.self) {
            try await asClient {
                try await conversations.listConversations(ListConversations(limit: limit))
            }
        }
        await #expect(throws: InvalidArgument.self) {
            try await asClient {
                try await conversations.search(Search(words: "a", limit: limit))
            }
        }
        await #expect(throws: InvalidArgument.self) {
            try await asClient {
                try await conversations.getConversation(GetConversation(conversation: "c", limit: limit))
            }
        }
    }

    @Test func `Marking a conversation read changes neither its position nor its time in the list`() throws {
        let older = Message.sample("m1", at: 1)
        let newer = Message.sample("m2", in: "d", at: 5)
        func poll(_ conversation: Conversation) throws {
            try fixture.ingest.applyFetched(
                conversation, listedVersion: conversation, account: fixture.account, isFirstSync: false)
        }
        func list() throws -> [String] {
            try fixture.store.read { try $0.conversations.fetchAll() }.map {
                "\($0.conversation.id.rawValue) \($0.sortedAt == .base(plus: 5) ? 5 : 1)"
            }
        }
        try poll(.sample("c", unread: 1, at: 1, [older]))
        try poll(.sample("d", unread: 1, at: 5, [newer]))
        #expect(try list() == ["d 5", "c 1"])
        // `updated_at` also changes if another device reads the conversation or support adds a tag.
        try poll(.sample("c", unread: 0, at: 60, [older]))
        try fixture.accept(
            Event(
                id: "e1", createdAt: .base(plus: 70),
                payload: .conversationUpdated(.sample("c", unread: 0, at: 70))))
        #expect(try list() == ["d 5", "c 1"])
    }

    @Test func `A search limit that is too large is rejected`() async {
        await #expect(throws: Never.self) { try await conversations.search(Search(words: "a", limit: 1000)) }
        let reason = Reason(.valueTooLarge, ["most": "1000"])
        let refusal = InvalidArgument(parameter: "limit", reason: reason.english).withReasonFields(of: reason)
        await #expect(throws: refusal) {
            try await asClient { try await conversations.search(Search(words: "a", limit: 1001)) }
        }
    }

    @Test func `More conversations can be listed than fit into one Varlink reply`() {
        var room = ReplySizeBudget()
        let shortest = ConversationItem(
            ConversationRecord(account: fixture.account, conversation: Conversation(id: "")), account: "")
        let fitting = (0...ReplySizeBudget.maxConversations).prefix { _ in
            room.reserveSpace(for: shortest) != nil
        }
        #expect(fitting.count <= ReplySizeBudget.maxConversations && fitting.count > 5000)
    }

    @Test func `Watchers get each event kind as it is stored in the log, even if the kind is unknown`() throws
    {
        let kinds: [LogEntry.Kind] = [
            .messageCreated, .conversationUpdated, .conversationRead, .conversationOpened, .badge,
            .deviceLinked,
            .deviceUnlinked,
            .state, .accountAuthenticated, .accountUnauthenticated, .accessRequested, .accessGranted,
            .accessRefused, .accessRevoked, LogEntry.Kind("survey.created"),
        ]
        try fixture.store.write { transaction in
            for kind in kinds { try transaction.log.append(kind, at: Timestamp(milliseconds: 1)) }
        }
        let reader = LogReader(store: fixture.store, accounts: AccountRegistry(log: fixture.log))
        // The log also contains earlier entries, which the setup of the fixture wrote.
        let types = try #require(try reader.readLines(after: 0, limit: 100)).suffix(kinds.count)
            .map { Watch.Reply($0).type }
        #expect(types.map(\.rawValue) == kinds.map(\.rawValue))
        let unknown = types.filter { if case .unknown = $0 { true } else { false } }
        #expect(unknown == [.unknown("survey.created")])
    }

    @Test func `The daemon and the interface description have the same limit for messages`() {
        #expect(TextLimit.message == SendMessage.messageLimit)
        #expect(TextLimit.message == CreateConversation.messageLimit)
    }

    @Test func `A watch whose start position is beyond the end of the event log gets a reset`() async throws {
        struct Enough: Error {}
        let watching = WatchMethods(
            ingest: fixture.ingest, accounts: AccountRegistry(log: fixture.log),
            notificationController: fixture.queue().notificationController, presence: fixture.presence,
            runtime: .still)
        for since in [Int64.max, .min, -1] {
            var seen: [EntryKind] = []
            await #expect(throws: Enough.self) {
                try await watching.watch(Watch(since: since)) { reply in
                    seen.append(reply.type)
                    if seen.count == 2 { throw Enough() }
                }
            }
            #expect(seen == [.snapshot, .reset])
        }
    }

    @Test func `A search with too many words is rejected`() async {
        let words = (0..<33).map { "w\($0)" }
        await #expect(throws: Never.self) {
            try await conversations.search(Search(words: words.dropLast().joined(separator: " ")))
        }
        let refusal = await #expect(throws: InvalidArgument.self) {
            try await asClient {
                try await conversations.search(Search(words: words.joined(separator: " ")))
            }
        }
        #expect(refusal?.reason.contains("32") == true)
    }

    @Test func `An unknown account and an unknown conversation cause different errors`() async {
        await #expect(throws: NotFound(what: "account", id: "work")) {
            try await asClient {
                try await conversations.listConversations(ListConversations(account: "work"))
            }
        }
        await #expect(throws: NotFound(what: "conversation", id: "c")) {
            try await asClient {
                try await conversations.getConversation(GetConversation(conversation: "c"))
            }
        }
    }

    @Test(arguments: [0, -5]) func `A pause of zero length is rejected`(_ seconds: Int) {
        #expect(throws: InvalidArgument.self) {
            try asClient { try notificationController.pause(Pause(seconds: seconds)) }
        }
    }

    @Test func `Starting a pause is reported to watchers, and the pause is stored`() throws {
        let before = fixture.ingest.head.value
        let until = try notificationController.pause(Pause(seconds: 60)).pausedUntil
        #expect(until == Timestamp.base(plus: 60).milliseconds)
        #expect(fixture.ingest.head.value == before + 1)
        #expect(try fixture.store.read { try $0.settings.fetchText(ofSetting: "pause") } != nil)
    }

    @Test func `Consent is off until the user agrees, and setting the consent closes the question`() throws {
        #expect(try questionMethods.updateConsent(Consent()) == Consent.Reply(enabled: false, decided: false))
        try questions.ask(.consent)
        #expect(
            try questionMethods.updateConsent(Consent(enabled: true))
                == Consent.Reply(enabled: true, decided: true)
        )
        #expect(try questions.fetchOpenQuestions().isEmpty)
        #expect(
            try questionMethods.updateConsent(Consent(enabled: false))
                == Consent.Reply(enabled: false, decided: true))
    }

    @Test func `Turning notifications on or off closes the question about notifications`() throws {
        try questions.ask(.permission)
        _ = try notificationController.updateNotificationSetting(Notifications())
        #expect(try questionMethods.listQuestions(ListQuestions()).questions.map(\.kind) == ["permission"])
        _ = try notificationController.updateNotificationSetting(Notifications(enabled: true))
        #expect(try questionMethods.listQuestions(ListQuestions()).questions.isEmpty)
    }

    @Test(arguments: ["", "http://example.org", "https://me@example.org", "ftp://example.org", "example.org"])
    func `An API address to which a token must not be sent is rejected without asking the user`(
        _ address: String
    ) async throws {
        let apps = fixture.apps(questions)
        let refused = await #expect(throws: InvalidArgument.self) {
            try await asClient { try await apps.takeApp(TakeApp(token: "t", apiUrl: address)) }
        }
        #expect(refused?.parameter == "apiUrl")
        #expect(try questionMethods.listQuestions(ListQuestions()).questions.isEmpty)
    }

    @Test(arguments: [
        (nil, "api.cuti-e.com"), ("https://feedback.example.org", "feedback.example.org"),
        ("http://127.0.0.1:8787", "127.0.0.1"),
    ])
    func `Without an account, the question about a link names the link's host or the hosted service`(
        address: String?, host: String
    ) throws {
        let api = try fixture.apps(questions).handOver.checkedRedemptionAddress(
            of: "t", account: nil, api: address.map { try APIAddress($0) })
        let question = Question.app("t", account: nil, api: api)
        let detail = question.text(for: .user).detail.map(\.english).joined(separator: " ")
        #expect(detail.contains("conversations at \(host) to this computer"))
    }

    @Test(arguments: ["", "a b", "\u{7}", String(repeating: "x", count: 600)])
    func `An invalid feedback token is rejected without asking the user`(_ token: String) async throws {
        let apps = fixture.apps(questions)
        await #expect(throws: InvalidArgument.self) {
            try await asClient { try await apps.takeApp(TakeApp(token: token)) }
        }
        #expect(try questionMethods.listQuestions(ListQuestions()).questions.isEmpty)
    }

    @Test func `A listed conversation has the fields of the interface in camelCase`() throws {
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
        let record = ConversationRecord(account: fixture.account, conversation: conversation)
        let view = ConversationView(ConversationItem(record, account: "default"))
        let wire = try Self.keys(of: conversation), shown = try Self.keys(of: view)
        #expect(wire.count > 15)
        #expect(wire.subtracting(shown) == [])
    }

    /// Returns all JSON keys of `value`, including nested keys, converted to camelCase.
    private static func keys(of value: some Encodable) throws -> Set<String> {
        let text = String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
        return Set(
            text.matches(of: /"(?<key>[a-zA-Z_]+)":/).map { match in
                let words = match.output.key.split(separator: "_")
                return words.dropFirst().reduce("\(words[0])") { $0 + "\($1)".capitalized }
            })
    }

    @Test(arguments: [Status.resolved, .closed])
    func `A reply to an ended conversation is refused unless the caller asks to reopen the conversation`(
        _ status: Status
    )
        async throws
    {
        let sending = try fixture.sending(for: fixture.accounts())
        try fixture.store.write {
            try $0.conversations.save(
                ConversationRecord(
                    account: fixture.account, conversation: Conversation(id: "c", status: status))
            )
        }
        await #expect(throws: Closed(conversation: "c", status: status.rawValue)) {
            try await asClient {
                try await sending.sendMessage(SendMessage(conversation: "c", message: "It is back"))
            }
        }
        #expect(try sending.listOutbox(ListOutbox()).items.isEmpty)
        let insisting = SendMessage(conversation: "c", message: "It is back", reopen: true)
        let call = Task { try await sending.sendMessage(insisting) }
        try await eventually("the message is in the outbox") {
            try sending.listOutbox(ListOutbox()).items.map(\.text) == ["It is back"]
        }
        call.cancel()
    }

    @Test
    func `Displayed messages of a conversation are marked read unless automatic marking is disabled`()
        async throws
    {
        for number in 1...3 {
            let message = Message.sample(.init("m\(number)"), at: Int64(number))
            try fixture.accept(.reply(message, unread: number, event: .init("e\(number)")))
        }
        let unread = { [fixture] in
            try fixture.store.read {
                try $0.conversations.fetchUnreadCount(of: "c", account: fixture.account)
            }
        }
        let shown = MarkRead(conversation: "c", upTo: "m2", shown: true)
        let unwilling = try fixture.reading(of: fixture.accounts(), marksDisplayedAsRead: false)
        #expect(try await unwilling.markRead(shown) == .init(conversations: 0, queued: false))
        #expect(try unread() == 3)
        let reading = try fixture.reading(of: fixture.accounts())
        #expect(try await reading.markRead(shown) == .init(conversations: 1, queued: true))
        #expect(try unread() == 1)
        // A repeated call changes nothing, and marking an older message does not move the read position back.
        for message in ["m2", "m1"] {
            let again = MarkRead(conversation: "c", upTo: message, shown: true)
            #expect(try await reading.markRead(again) == .init(conversations: 0, queued: false))
        }
        await #expect(throws: NotFound(what: "message", id: "m9")) {
            try await asClient {
                try await reading.markRead(MarkRead(conversation: "c", upTo: "m9"))
            }
        }
        await #expect(throws: InvalidArgument.self) {
            try await asClient { try await reading.markRead(MarkRead(upTo: "m3")) }
        }
    }

    @Test(arguments: ["7", "x", ""]) func `Answering a question that does not exist causes an error`(
        _ id: String
    ) async {
        await #expect(throws: NotFound.self) {
            try await asClient {
                try await questionMethods.answerQuestion(AnswerQuestion(questionId: id, allow: true))
            }
        }
    }

    @Test
    func `A message ID in two conversations is ambiguous unless the conversation is given`()
        throws
    {
        let conversations = try fixture.conversations(of: fixture.accounts())
        try fixture.accept(
            .reply(.sample("m1", at: 1), unread: 1, event: "e1"),
            .reply(.sample("m1", in: "d", at: 2), unread: 1, event: "e2"))
        let fault = #expect(throws: Ambiguous.self) {
            try asClient { try conversations.explain(Explain(message: "m1")) }
        }
        #expect(fault?.conversations == ["c", "d"] && fault?.accounts == ["default"])
        let explained = try conversations.explain(Explain(message: "m1", conversation: "d"))
        #expect(explained.message?.conversationId == "d" && !explained.steps.isEmpty)
        #expect(throws: NotFound.self) {
            try asClient {
                try conversations.explain(Explain(message: "m1", conversation: "e"))
            }
        }
    }

    @Test func `Each step in the history of a message has a reason and a detail in a stable format`() throws {
        let conversations = fixture.conversations(of: try fixture.accounts())
        try fixture.accept(.reply(.sample("m1", at: 1), unread: 1, event: "e1"))
        let steps: [(LedgerEntry.StepReason?, String?)] = [
            (.notShown, "rule 1"), (.summary, "notification 7"), (.answered, nil), (nil, "by poll"),
            (nil, nil),
        ]
        try fixture.store.write { transaction in
            for (reason, detail) in steps {
                try transaction.ledger.append(
                    .held, reason: reason, detail: detail, at: .base, to: "m1", in: "c",
                    account: fixture.account
                )
            }
        }
        #expect(
            try conversations.explain(Explain(message: "m1")).steps.map(\.detail) == [
                "by stream", "not shown: rule 1", "summary, notification 7", "answered to us", "by poll", nil,
            ])
    }
}

@MainActor
struct LostAnswerTests {
    private func isAnswer(_ message: Message.ID, _ fixture: IngestFixture) throws -> Bool {
        try fixture.store.read {
            try AccountTransaction.wasCreatedByRequest(
                message, in: "c", account: fixture.account, transaction: $0)
        }
    }

    @Test func `A user's message that a poll delivers is not treated as the response to a pending call`()
        throws
    {
        let fixture = try IngestFixture()
        let ours = Message.sample("m1", by: .user, at: 1)
        let thread = Conversation.sample("c", unread: 0, at: 1, [ours])
        try fixture.ingest.applyFetched(
            thread, listedVersion: thread, account: fixture.account, isFirstSync: false)
        #expect(try !isAnswer("m1", fixture))
    }

    @Test func `The response to a pending call identifies the sent message even if the event arrives first`()
        throws
    {
        let fixture = try IngestFixture()
        let ours = Message.sample("m1", by: .user, at: 1)
        try fixture.accept(.reply(ours, unread: 0, event: "e1"))
        try fixture.ingest.performChange(on: fixture.account) { try $0.addOwnMessage(ours, in: "c") }
        #expect(try isAnswer("m1", fixture))
        #expect(try fixture.logged(.messageCreated).count == 1)
    }
}
