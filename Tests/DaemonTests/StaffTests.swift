import Config
import ControlAPI
import CutieAPI
import FeedPolicy
import NotificationPolicy
@_spi(EventLog) import Store
import TestSupport
import Testing

@testable import Accounts
@testable import ControlServer
@testable import Daemon
@testable import EventLog
@testable import Notifications
@testable import Services

/// Tests of the inbox and the actions of a staff account.
@MainActor
struct StaffTests {
    private let staff: StaffFixture
    private let server = FakeNotificationServer()
    private var fixture: IngestFixture { staff.fixture }

    init() throws { staff = try StaffFixture() }

    private func queue() -> ReplyQueue {
        let queue = fixture.queue(server)
        fixture.collaborators.participate = { try queue.addWrites(to: $0) }
        return queue
    }

    private func waitUntilShown(_ count: Int) async throws {
        try await eventually("notification \(count)") { server.shown.count == count }
    }

    @Test func `A message from an app user is shown in a notification with the actions for support staff`()
        async throws
    {
        try await running(queue().run) {
            try staff.user("m1", at: 1)
            try await waitUntilShown(1)
        }
        #expect(server.shown[0].notification.summary == "Uma")
        #expect(server.shown[0].notification.actions.map(\.id) == ["default", "reply", "take"])
        #expect(staff.badge == Badge(total: 1, unread: 1))
    }

    @Test func `A notification about a conversation of the signed-in agent has no action "Assign to Me"`()
        async throws
    {
        try staff.assign(to: StaffFixture.ann, at: 1)
        try await running(queue().run) {
            try staff.user("m1", at: 2)
            try await waitUntilShown(1)
        }
        #expect(server.shown[0].notification.actions.map(\.id) == ["default", "reply", "mark-read"])
    }

    @Test func `The badge of a staff account counts conversations, not messages`() throws {
        for (place, id) in ["a", "b", "c"].enumerated() {
            try staff.user(.init(id), in: place < 2 ? "c" : "d", at: Int64(place))
        }
        #expect(staff.badge.total == 2)
        #expect(try staff.record()?.unread == 2)
        try fixture.ingest.performChange(on: staff.account) { try $0.clearBadge(of: "c") }
        #expect(staff.badge.total == 1)
        try staff.user("m9", at: 9)
        #expect(staff.badge.total == 2)
    }

    @Test func `A colleague's reply closes the notification, and the ledger names the colleague`()
        async throws
    {
        try await running(queue().run) {
            try staff.user("m1", at: 1)
            try await waitUntilShown(1)
            try staff.admin("m2", by: "adm_kim", "Kim", at: 2)
            try await eventually("the notification is closed") { server.closed == [1] }
        }
        #expect(try staff.steps("m1").contains("read answered by Kim"))
        #expect(staff.badge == Badge(total: 0, unread: 0))
        #expect(server.shown.count == 1)
    }

    @Test func `A conversation is treated as answered if the agent replied from another device`() throws {
        try staff.user("m1", at: 1)
        try staff.admin("m2", by: StaffFixture.ann, "Ann", at: 2)
        #expect(try staff.steps("m1").last == "read answered by you")
        #expect(try staff.steps("m2") == ["stored by stream, your own message"])
        #expect(staff.badge.total == 0)
    }

    @Test func `An internal note is shown in the thread, but is neither announced nor counted as a reply`()
        async throws
    {
        try await running(queue().run) {
            try staff.user("m1", at: 1)
            try await waitUntilShown(1)
            try staff.admin("m2", by: "adm_kim", "Kim", at: 2, note: true)
            try staff.user("m3", at: 3)
            try await waitUntilShown(2)
        }
        #expect(!server.shown.contains { $0.notification.body.contains("text of m2") })
        #expect(try staff.steps("m2") == ["read by stream, an internal note"])
        #expect(staff.badge.total == 1)
        let thread = try await fixture.conversations(of: staff.accounts)
            .getConversation(GetConversation(conversation: "c"))
        #expect(thread.messages.map(\.isNote) == [false, true, false])
        #expect(thread.messages.map(\.isOwn) == [false, false, false])
    }

    @Test func `A conversation of a colleague is not announced until it is assigned to the signed-in agent`()
        async throws
    {
        try staff.assign(to: "adm_kim", at: 1)
        try await running(queue().run) {
            try staff.user("m1", at: 2)
            #expect(staff.badge.total == 0)
            #expect(try staff.record()?.unread == 1)
            #expect(try staff.steps("m1").map { $0.prefix(8) } == ["received"])
            try staff.assign(to: StaffFixture.ann, at: 3)
            #expect(staff.badge.total == 1)
            try await waitUntilShown(1)
        }
    }

    @Test func `Assigning a conversation to a colleague closes its notification and decreases the badge`()
        async throws
    {
        try await running(queue().run) {
            try staff.user("m1", at: 1)
            try await waitUntilShown(1)
            try staff.assign(to: "adm_kim", at: 2)
            try await eventually("the notification is closed") { server.closed == [1] }
            #expect(staff.badge.total == 0)
            // A conversation is announced again after its assignment is removed.
            try staff.assign(to: nil, at: 3)
            try await waitUntilShown(2)
        }
        #expect(staff.badge.total == 1)
    }

    @Test
    func `If the setting notify is all, the badge also counts messages in colleagues' conversations`()
        async throws
    {
        let all = try StaffFixture(notify: [.all])
        try all.assign(to: "adm_kim", at: 1)
        try all.user("m1", at: 2)
        #expect(all.badge.total == 1)
    }

    @Test func `The badge of a staff account does not change if the app user reads a conversation`() throws {
        try staff.user("m1", at: 1)
        try staff.accept(.read("c", leaving: 0, at: 2, event: "read"))
        #expect(staff.badge == Badge(total: 1, unread: 1))
    }

    @Test func `If an agent reads a conversation, the read state is stored only on the agent's own desktop`()
        async throws
    {
        try staff.user("m1", at: 1)
        let reply = try await fixture.reading(of: staff.accounts).markRead(MarkRead(conversation: "c"))
        #expect(reply.conversations == 1 && !reply.queued)
        #expect(staff.badge == Badge(total: 0, unread: 0))
        #expect(try fixture.store.read { try $0.outbox.fetchItems(of: staff.account) }.isEmpty)
        #expect(try staff.steps("m1").last == "read here")
    }

    @Test func `The action "Assign to Me" assigns the conversation to the signed-in agent`() async throws {
        let queue = queue()
        try await running(queue.run) {
            try staff.user("m1", at: 1)
            try await waitUntilShown(1)
            let (events, sink) = AsyncStream.makeStream(of: NotificationEvent.self)
            sink.yield(.action(id: 1, name: "take", activationToken: nil))
            sink.finish()
            try await fixture.notificationActions(
                queue.screen, fixture.questions(queue), staff.accounts
            ).handleEvents(
                events)
        }
        let items = try fixture.store.read { try $0.outbox.fetchItems(of: staff.account) }
        #expect(items.map(\.kind) == ["assign"])
        #expect(
            try items.map { try JSON.decode(OutboxPayload.self, from: $0.payload.utf8) }
                == [.staff(.assign(to: StaffFixture.ann))])
    }

    @Test func `If another agent signs in on the same desktop, the account begins with a first sync`()
        throws
    {
        try staff.user("m1", at: 1)
        try staff.unit.signedInUserStore.setSignedInUser(nil)
        #expect(try staff.record() != nil)
        try staff.unit.signedInUserStore.setSignedInUser(SignedInUser(adminID: StaffFixture.ann))
        #expect(try staff.record() != nil)
        try staff.unit.signedInUserStore.setSignedInUser(SignedInUser(adminID: "adm_bob"))
        #expect(try staff.record() == nil)
        #expect(staff.badge == Badge())
    }

    @Test
    func `A conversation waits for support staff only until they answer, even if its status stays open`()
        async throws
    {
        func waiting() async throws -> [String] {
            try await fixture.conversations(of: staff.accounts)
                .listConversations(ListConversations(view: "waiting")).conversations.map(\.conversationId)
        }
        try staff.user("m1", at: 1)
        #expect(try await waiting() == ["c"])
        try staff.admin("m2", by: StaffFixture.ann, "Ann", at: 2, note: true)
        #expect(try await waiting() == ["c"], "a note is no answer")
        try staff.admin("m3", by: StaffFixture.ann, "Ann", at: 3)
        #expect(try await waiting() == [])
        try staff.user("m4", at: 4)
        #expect(try await waiting() == ["c"])
    }
}

/// Tests of staff actions through the control socket.
@MainActor
struct StaffMethodTests {
    private nonisolated static let conversation =
        #"{"conversation_id":"c","status":"open","created_at":1,"assigned_admin_id":"adm_ann"}"#
    private static let assign = "POST /v1/conversations/c/assign"

    @Test func `Staff actions made offline are queued and sent once`() async throws {
        let isUp = Shared(false)
        let api = try ScriptedAPI(
            [
                Self.assign: { connection, _, _ in
                    isUp.value
                        ? connection.answer(body: Self.conversation)
                        : connection.answer("503 Service Unavailable", body: #"{"error":"later"}"#)
                }
            ], conversations: ["c"])
        let staff = try StaffFixture(at: api.url, .never)
        try staff.user("m1", at: 1)
        try await running(staff.supervisor.run) {
            let key = "6F1E0A3C-8A55-4C4A-9E3B-000000000001"
            var call = Assign(conversation: "c", me: true)
            call.idempotencyKey = key
            async let waiting = staff.staff.assign(call)
            let attempts = {
                try staff.fixture.store.read { try $0.outbox.findItem(key.lowercased()) }?.attempts
            }
            try await eventually("the first refusal is handled") { try attempts() == 1 }
            staff.fixture.time.pass(.seconds(5))
            #expect(try await waiting == StaffReceipt(queued: true, outboxId: key.lowercased()))
            try await eventually("the second refusal is handled") { try attempts() == 2 }
            isUp.value = true
            try staff.unit.reconnect()
            try await eventually("all actions are sent") {
                try staff.fixture.store.read { try $0.outbox.fetchItems(of: staff.account) }.isEmpty
            }
            let sent = api.requestCount(of: Self.assign)
            #expect(try await staff.staff.assign(call) == StaffReceipt(queued: false))
            #expect(api.requestCount(of: Self.assign) == sent)
        }
        #expect(try staff.record()?.conversation.assignedAdminID == StaffFixture.ann)
    }

    @Test func `Staff methods of the control interface are refused for a device account`() async throws {
        let fixture = try IngestFixture()
        let accounts = try fixture.accounts()
        let staff = StaffMethods(
            service: StaffService(
                store: fixture.store, accounts: accounts, runtime: fixture.runtime))
        let refusal = NotStaff(account: "default")
        await #expect(throws: refusal) {
            try await asClient { try await staff.assign(Assign(conversation: "c", me: true)) }
        }
        await #expect(throws: refusal) {
            try await asClient { try await staff.addNote(AddNote(conversation: "c", message: "w")) }
        }
        await #expect(throws: refusal) { try await asClient { try await staff.listTags(ListTags()) } }
        await #expect(throws: refusal) {
            try await asClient { try await staff.getStatistics(GetStatistics()) }
        }
    }

    @Test func `Staff methods use the staff account even if a device account contains the same conversation`()
        async throws
    {
        let staff = try StaffFixture()
        var device = AccountConfiguration(name: "default", appID: "app")
        device.apiURL = staff.unit.account.address
        try staff.supervisor.applyConfigurations([device, staff.unit.account.configuration])
        try staff.user("m1", at: 1)
        let message = Message.sample("m1", at: 1)
        try staff.fixture.ingest.apply(
            [.reply(message, unread: 1, event: "e")],
            to: try #require(staff.accounts.units.first).account.id,
            receivedOver: .stream)
        let receipt = try await staff.staff.assign(Assign(conversation: "c", admin: "adm_kim"))
        #expect(receipt.queued)
        #expect(try staff.fixture.store.read { try $0.outbox.fetchItems(of: staff.account) }.count == 1)
    }

    @Test func `Staff actions send nothing before a sign-in and after signing out`() async throws {
        let staff = try StaffFixture()
        try staff.user("m1", at: 1)
        try staff.unit.signedInUserStore.setSignedInUser(nil)
        await #expect(throws: SignInRequired.self) {
            try await asClient {
                try await staff.staff.addTag(AddTag(conversation: "c", tag: "crash"))
            }
        }
        await #expect(throws: SignInRequired.self) {
            try await asClient {
                try await staff.fixture.sending(for: staff.accounts)
                    .sendMessage(SendMessage(conversation: "c", message: "words"))
            }
        }
        #expect(try staff.fixture.store.read { try $0.outbox.fetchItems(of: staff.account) }.isEmpty)
    }

    @Test func `A conversation cannot be assigned to a machine account`() async throws {
        let staff = try StaffFixture()
        try staff.user("m1", at: 1)
        try staff.unit.signedInUserStore.setSignedInUser(
            SignedInUser(adminID: StaffFixture.ann, isPerson: false))
        await #expect(throws: AccessDenied.self) {
            try await asClient {
                try await staff.staff.assign(Assign(conversation: "c", me: true))
            }
        }
    }

    @Test(arguments: ["{", "<html></html>"])
    func `Each query by support staff reports a response that cannot be decoded as invalid`(
        body: String
    ) async throws {
        let api = try ScriptedAPI(["GET /v1/": ScriptedAPI.refusing("200 OK", body: body)])
        let staff = try StaffFixture(at: api.url, .never)
        let queries: [@MainActor () async throws -> Void] = [
            { _ = try await staff.staff.listTags(ListTags()) },
            { _ = try await staff.staff.getStatistics(GetStatistics()) },
            { _ = try await staff.staff.listCannedResponses(ListCannedResponses()) },
        ]
        for query in queries {
            let fault = await #expect(throws: InvalidResponse.self) { try await asClient(query) }
            #expect(fault?.reason.contains("invalid response") == false)
        }
    }

    @Test func `The error for a refused staff action names the missing scope`() async throws {
        let api = try ScriptedAPI(
            [
                "POST /v1/conversations/c/tags": ScriptedAPI.refusing(
                    "403 Forbidden",
                    body: #"{"error":"the token lacks tags:write","code":"insufficient_scope"}"#)
            ], conversations: ["c"])
        let staff = try StaffFixture(at: api.url, .never)
        try staff.user("m1", at: 1)
        try await running(staff.supervisor.run) {
            let fault = await #expect(throws: NotSent.self) {
                try await asClient {
                    try await staff.staff.addTag(AddTag(conversation: "c", tag: "crash"))
                }
            }
            #expect(
                fault?.cause == NotSent.Cause.notAuthorized.rawValue
                    && fault?.reason.contains("tags:write") == true)
        }
    }

    @Test
    func `A note is distinguished from a reply by the flag internal_note, and does not count as a reply`()
        async throws
    {
        let bodies = Shared<[String]>([])
        let api = try ScriptedAPI(
            [
                ScriptedAPI.message: { connection, request, asked in
                    bodies.value.append(String(decoding: request.body, as: UTF8.self))
                    return connection.answer(
                        body: #"{"message_id":"w\#(asked)","conversation_id":"c","sender_type":"admin","#
                            + #""sender_id":"adm_ann","message":"w","is_internal_note":\#(asked == 0),"#
                            + #""created_at":1780000000000}"#)
                }
            ], conversations: ["c"])
        let staff = try StaffFixture(at: api.url, .never)
        try staff.user("m1", at: 1)
        try await running(staff.supervisor.run) {
            let note = try await staff.staff.addNote(AddNote(conversation: "c", message: "w"))
            #expect(note == AddNote.Reply(messageId: "w0", queued: false))
            #expect(staff.badge.total == 1)
            let sent = try await staff.fixture.sending(for: staff.accounts)
                .sendMessage(SendMessage(conversation: "c", message: "w"))
            #expect(sent.messageId == "w1")
            #expect(staff.badge.total == 0)
        }
        #expect(bodies.value.map { $0.contains(#""internal_note":true"#) } == [true, false])
        #expect(bodies.value.map { $0.contains(#""internal_note":false"#) } == [false, true])
        #expect(try staff.steps("m1").last == "read answered by you")
    }
}

/// Tests of the inbox of a staff account after a poll.
@MainActor
struct StaffPollTests {
    private nonisolated static func row(_ id: String, at seconds: Int, messages: Int, _ more: String = "")
        -> String
    {
        #"{"conversation_id":"\#(id)","status":"open","created_at":1,"updated_at":\#(seconds),"#
            + #""message_count":\#(messages),"unread_count":5\#(more)}"#
    }

    private nonisolated static func thread(_ id: String, _ senders: String..., status: String = "open")
        -> String
    {
        let messages = senders.enumerated().map { place, sender in
            #"{"message_id":"\#(id)\#(place)","sender_type":"\#(sender)","sender_id":"\#(sender)_1","#
                + #""sender_name":"Kim","message":"words","created_at":\#(1_780_000_000_000 + place)}"#
        }
        return #"{"conversation_id":"\#(id)","status":"\#(status)","created_at":1,"updated_at":9,"#
            + #""unread_count":5,"messages":[\#(messages.joined(separator: ","))]}"#
    }

    @Test
    func `The badge is unknown until the first complete poll, and then counts unanswered conversations`()
        async throws
    {
        let rows = ["w", "a", "e"].map { Self.row($0, at: 9, messages: 2) }.joined(separator: ",")
        let gate = Gate()
        let api = try ScriptedAPI([
            ScriptedAPI.list: { connection, _, _ in
                connection.answer(body: #"{"conversations":[\#(rows)],"total_unread":15}"#)
            },
            "GET /v1/conversations/w": { connection, _, _ in
                gate.wait()
                return connection.answer(body: Self.thread("w", "admin", "user", "user"))
            },
            "GET /v1/conversations/a": { connection, _, _ in
                connection.answer(body: Self.thread("a", "user", "admin"))
            },
            "GET /v1/conversations/e": { connection, _, _ in
                connection.answer(body: Self.thread("e", "user", status: "resolved"))
            },
        ])
        let staff = try StaffFixture(at: api.url, synced: false)
        try await running(staff.supervisor.run) {
            try await eventually("the fetch") { api.requestCount(of: "GET /v1/conversations/w") >= 1 }
            #expect(staff.badge.total == nil)
            gate.open()
            try await eventually("the first sync") { staff.badge.total != nil }
        }
        #expect(staff.badge == Badge(total: 1, unread: 2))
        #expect(try staff.record("w")?.unread == 2)
        #expect(try staff.steps("a0") == ["read by poll, already read"])
        #expect(try staff.steps("e0") == ["read by poll, already read"])
    }

    @Test
    func `A poll detects changes by date and message count, and ignores the read state of the app user`()
        async throws
    {
        let rows = Shared(Self.row("w", at: 9, messages: 1))
        let thread = Shared(Self.thread("w", "user"))
        let api = try ScriptedAPI([
            ScriptedAPI.list: { connection, _, _ in
                connection.answer(body: #"{"conversations":[\#(rows.value)],"total_unread":5}"#)
            },
            "GET /v1/conversations/w": { connection, _, _ in connection.answer(body: thread.value) },
        ])
        let staff = try StaffFixture(at: api.url, synced: false)
        try await running(staff.supervisor.run) {
            try await eventually("the first sync") { staff.badge.total == 1 }
            func poll() async throws { try await staff.unit.feed.synchronizer.synchronize() }
            rows.value = rows.value.replacing(#""unread_count":5"#, with: #""unread_count":0"#)
            try await poll()
            #expect(api.requestCount(of: "GET /v1/conversations/w") == 1)
            (rows.value, thread.value) = (
                Self.row("w", at: 9, messages: 2), Self.thread("w", "user", "admin")
            )
            try await poll()
            #expect(api.requestCount(of: "GET /v1/conversations/w") == 2)
            #expect(staff.badge.total == 0)
            #expect(try staff.steps("w0").last == "read answered by Kim")
            (rows.value, thread.value) = (
                Self.row("w", at: 10, messages: 3), Self.thread("w", "user", "admin", "user")
            )
            try await poll()
            #expect(staff.badge == Badge(total: 1, unread: 1))
            #expect(try staff.steps("w2") == ["stored by poll"])
        }
    }

    /// Writes an event to an event stream: a message from a user in the conversation `w`.
    @discardableResult
    private nonisolated static func send(_ place: Int, on line: RawConnection?) -> Bool {
        let sender = #""sender_type":"user","sender_id":"user_1","sender_name":"Uma""#
        return line?.event(
            "e\(place)", "message.created",
            #"{"conversation_id":"w","message":{"message_id":"w\#(place)","conversation_id":"w","#
                + #""message":"words",\#(sender),"created_at":\#(1_780_000_000_000 + place)}}"#) == true
    }

    /// Returns an event stream that sends one message in the conversation `w`.
    private nonisolated static func streamOfMessage(_ line: Shared<RawConnection?>) -> ScriptedAPI.Responder {
        { connection, _, _ in
            connection.beginStream()
            line.value = connection
            send(0, on: connection)
            return connection.waitForClose()
        }
    }

    @Test
    func `A conversation discovered through a message is fetched once, to add the user's name and app`()
        async throws
    {
        let call = "GET /v1/conversations/w"
        let line = Shared<RawConnection?>(nil)
        let thread = Self.thread("w", "user").replacing(
            #""status""#, with: #""user_name":"Uma","app_name":"Notes","status""#)
        let api = try ScriptedAPI([
            ScriptedAPI.stream: Self.streamOfMessage(line),
            call: { connection, _, _ in connection.answer(body: thread) },
        ])
        let staff = try StaffFixture(at: api.url, .never, by: .stream)
        try await running(staff.supervisor.run) {
            try await eventually("the facts are stored") {
                try staff.record("w")?.conversation.userName == "Uma"
            }
            #expect(try staff.record("w")?.conversation.appName == "Notes")
            #expect(try staff.record("w")?.unread == 1)
            #expect(try staff.fixture.logged(.conversationUpdated).count == 1, "the window is updated")
            Self.send(1, on: line.value)
            try await eventually("the next message is stored") { try staff.record("w")?.unread == 2 }
            try await staff.fixture.time.waitForEventLoop()
        }
        #expect(api.requestCount(of: call) == 1)
    }

    @Test
    func `A refused request for the details of a user is not repeated, and the messages stay unread`()
        async throws
    {
        let call = "GET /v1/conversations/w"
        let line = Shared<RawConnection?>(nil)
        let api = try ScriptedAPI([ScriptedAPI.stream: Self.streamOfMessage(line)])
        let staff = try StaffFixture(at: api.url, .never, by: .stream)
        try await running(staff.supervisor.run) {
            let fetcher = staff.unit.feed.synchronizer.fetcher
            try await eventually("the request is refused") {
                api.requestCount(of: call) == 1 && fetcher.pendingFetches.isEmpty
            }
            Self.send(1, on: line.value)
            try await eventually("both messages are stored") { try staff.record("w")?.unread == 2 }
            try await staff.fixture.time.waitForEventLoop()
            #expect(fetcher.pendingFetches.warning == nil)
        }
        #expect(api.requestCount(of: call) == 1)
        #expect(staff.badge.total == 1)
    }
}
