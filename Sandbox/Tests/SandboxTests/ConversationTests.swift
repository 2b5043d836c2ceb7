import CutieAPI
import Testing

@Suite struct ConversationTests {
    @Test func `Only messages from other senders after the last mark-read request count as unread`()
        async throws
    {
        try await withSandbox { sandbox in
            let (device, admin) = (try await sandbox.device(), try await sandbox.admin())
            let (one, two) = (try await device.begin(), try await device.begin())
            #expect(try await device.list().totalUnread == 0)
            try await admin.reply(to: one)
            try await admin.reply(to: one)
            try await admin.reply(to: two)
            try await admin.reply(to: two, note: true)
            _ = try await admin.call("GET", "/v1/conversations/\(one)")
            _ = try await device.say("Thank you", in: one)
            #expect(try await device.conversation(one).unreadCount == 2)
            #expect(try await device.conversation(two).unreadCount == 1)
            #expect(try await device.list().totalUnread == 3)
            #expect(try await device.markRead(one) == 200)
            #expect(try await device.list().totalUnread == 1)
            #expect(try await device.markRead(one) == 200)
            #expect(try await device.list().totalUnread == 1)
        }
    }

    @Test(arguments: ["resolved", "closed"])
    func `A message in an ended conversation reopens the conversation and sends an event`(_ end: String)
        async throws
    {
        try await withSandbox { sandbox in
            let (device, admin) = (try await sandbox.device(), try await sandbox.admin())
            let id = try await device.begin()
            _ = try await admin.call("PATCH", "/v1/conversations/\(id)", #"{"status":"\#(end)"}"#)
            try await admin.reply("One more thing", to: id)
            #expect(try await device.conversation(id).status == Status(end))
            let cursor = try await device.poll(after: nil).cursor
            _ = try await device.say("It is back", in: id)
            #expect(try await device.conversation(id).status == .open)
            let events = try await device.poll(after: cursor).events.map(\.payload)
            guard case .conversationUpdated(let updated) = try #require(events.first),
                case .messageCreated(let news) = try #require(events.last)
            else { throw ConversationFailure.unexpected(events) }
            #expect(events.count == 2)
            #expect(updated.status == .open && news.conversation?.status == .open)
        }
    }

    private enum ConversationFailure: Error { case unexpected([Event.Payload]) }

    @Test
    func `A mark-read request up to a message affects neither later messages nor messages already read`()
        async throws
    {
        try await withSandbox { sandbox in
            let (device, admin) = (try await sandbox.device(), try await sandbox.admin())
            let id = try await device.begin()
            let replies = try await (1...3).asyncMap { try await admin.reply("\($0)", to: id) }
            try await device.markRead(id, upTo: replies[1].id)
            #expect(try await device.conversation(id).unreadCount == 1)
            try await device.markRead(id, upTo: replies[0].id)
            #expect(try await device.conversation(id).unreadCount == 1)
            #expect(try await device.markRead(id, upTo: "msg_unknown") == 404)
            try await admin.reply("4", to: id)
            #expect(try await device.list().totalUnread == 2)
        }
    }

    @Test
    func `Marking a conversation read twice causes one event, which contains the remaining unread counts`()
        async throws
    {
        try await withSandbox { sandbox in
            let (device, admin) = (try await sandbox.device(), try await sandbox.admin())
            let (one, two) = (try await device.begin(), try await device.begin())
            try await admin.reply(to: one)
            try await admin.reply(to: two)
            let cursor = try await device.poll(after: nil).cursor
            try await device.markRead(one)
            try await device.markRead(one)
            let events = try await device.poll(after: cursor).events
            let read = Event.ConversationRead(conversationID: one, unreadCount: 0, totalUnread: 1)
            #expect(events.map(\.payload) == [.conversationRead(read)])
            #expect(events.first?.createdAt == (try await device.conversation(one).updatedAt))
        }
    }

    @Test func `Each change and its event have a later timestamp than the previous change`() async throws {
        try await withSandbox { sandbox in
            let (device, admin) = (try await sandbox.device(), try await sandbox.admin())
            let id = try await device.begin()
            let cursor = try await device.poll(after: nil).cursor
            try await admin.replyMany(30, to: id)
            _ = try await admin.call("PATCH", "/v1/conversations/\(id)", #"{"priority":"high"}"#)
            let times = try await device.poll(after: cursor).events.map(\.createdAt)
            #expect(times.count == 31)
            #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
            #expect(try await device.conversation(id).updatedAt == times.last)
        }
    }

    @Test func `The conversation list is sorted by latest change and has at most 100 conversations per page`()
        async throws
    {
        try await withSandbox { sandbox in
            let (device, admin) = (try await sandbox.device(), try await sandbox.admin())
            let ids = try await (0..<103).asyncMap { _ in try await device.begin() }
            try await admin.reply(to: ids[5])
            let page = try await device.list("?limit=1000").conversations.map(\.id)
            #expect(page.count == 100)
            #expect(page.first == ids[5])
            let others = Array(ids.reversed().filter { $0 != ids[5] }.prefix(99))
            #expect(Array(page.dropFirst()) == others)
            #expect(try await device.list().conversations.count == 50)
            #expect(try await device.list("?limit=2&offset=102").conversations.map(\.id) == [ids[0]])
            #expect(try await device.call("GET", "/v1/conversations?limit=0").status == 422)
            #expect(try await device.call("GET", "/v1/conversations?offset=x").status == 400)
        }
    }

    @Test func `The ETag of the conversation list changes only if the content visible to the device changes`()
        async throws
    {
        try await withSandbox { sandbox in
            let (device, admin) = (try await sandbox.device(), try await sandbox.admin())
            let id = try await device.begin()
            func tag(_ known: String? = nil) async throws -> (Int, String) {
                let headers = known.map { ["If-None-Match": $0] } ?? [:]
                let answer = try await device.call("GET", "/v1/conversations", nil, headers)
                return (answer.status, try #require(answer.header("ETag")))
            }
            let (_, first) = try await tag()
            #expect(try await tag(first).0 == 304)
            try await admin.reply("between us", to: id, note: true)
            #expect(try await tag(first).0 == 304)
            #expect(try await tag("\"other\", W/\(first)").0 == 304)
            var known = first
            for change in ["reply", "read", "say", "patch", "tag"] {
                switch change {
                case "reply": try await admin.reply(to: id)
                case "read": try await device.markRead(id)
                case "say": _ = try await device.say("hm", in: id)
                case "patch":
                    _ = try await admin.call("PATCH", "/v1/conversations/\(id)", #"{"status":"closed"}"#)
                default: _ = try await admin.call("POST", "/v1/conversations/\(id)/tags", #"{"tag":"vip"}"#)
                }
                let (status, next) = try await tag(known)
                #expect(status == 200 && next != known, "\(change)")
                known = next
            }
        }
    }

    @Test func `Internal notes are not sent to devices`() async throws {
        try await withSandbox { sandbox in
            let (device, admin) = (try await sandbox.device(), try await sandbox.admin())
            let id = try await device.begin()
            let before = try await device.conversation(id)
            let note = try await admin.reply("He is angry", to: id, note: true)
            #expect(note.isInternalNote)
            #expect(try await device.conversation(id) == before)
            let seen: Conversation = try await admin.call("GET", "/v1/conversations/\(id)").decoded()
            #expect(seen.messages?.last == note)
            #expect(seen.messageCount == 2)
            #expect(try await device.markRead(id, upTo: note.id) == 404)
        }
    }
}
