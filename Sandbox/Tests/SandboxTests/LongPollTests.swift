import CutieAPI
import Sandbox
import TestSupport
import Testing

@Suite struct LongPollTests {
    @Test func `A long poll without a cursor returns only the cursor for later events`() async throws {
        try await withSandbox { sandbox in
            let (device, admin) = (try await sandbox.device(), try await sandbox.admin())
            let conversation = try await device.begin()
            try await admin.reply("before", to: conversation)
            let page = try await device.poll(after: nil)
            #expect(page.events.isEmpty)
            try await admin.reply("after", to: conversation)
            let next = try await device.poll(after: page.cursor)
            #expect(next.events.compactMap(\.text) == ["after"])
            #expect(next.cursor == next.events.last?.id)
            #expect(try await device.poll(after: next.cursor).events.isEmpty)
        }
    }

    @Test func `A pending long poll returns as soon as an event arrives`() async throws {
        try await withSandbox { sandbox in
            let (device, admin) = (try await sandbox.device(), try await sandbox.admin())
            let conversation = try await device.begin()
            let cursor = try #require(try await device.poll(after: nil).cursor)
            async let page = device.poll(after: cursor, wait: 60)
            try await admin.reply("here", to: conversation)
            #expect(try await page.events.compactMap(\.text) == ["here"])
        }
    }

    @Test func `A long poll that times out returns an empty list and a valid cursor`() async throws {
        try await withSandbox { sandbox in
            let (device, admin) = (try await sandbox.device(), try await sandbox.admin())
            let conversation = try await device.begin()
            let page = try await device.poll(after: nil, wait: 1)
            #expect(page.events.isEmpty)
            try await admin.reply("then", to: conversation)
            #expect(try await device.poll(after: page.cursor).events.compactMap(\.text) == ["then"])
        }
    }

    @Test func `Events that do not fit on one page are returned on further pages without a gap`() async throws
    {
        try await withSandbox { sandbox in
            let (device, admin) = (try await sandbox.device(), try await sandbox.admin())
            let conversation = try await device.begin()
            var cursor = try await device.poll(after: nil).cursor
            try await admin.replyMany(2500, to: conversation)
            var texts: [String] = []
            while case let page = try await device.poll(after: cursor), !page.events.isEmpty {
                texts += page.events.compactMap(\.text)
                cursor = page.cursor
            }
            #expect(texts == (1...2500).map(String.init))
        }
    }

    @Test(arguments: [("61", 422), ("-1", 422), ("soon", 400)])
    func `A wait parameter outside the valid range is rejected`(wait: String, status: Int) async throws {
        try await withSandbox { sandbox in
            let answer = try await sandbox.device().call("GET", "/v1/events?wait=\(wait)")
            #expect(answer.status == status)
            #expect(answer.error?.contains("wait") == true)
        }
    }

    @Test func `The endpoint of a disabled event transport returns 404`() async throws {
        try await withSandbox({ $0.disabledFeatures = [.stream] }) { sandbox in
            let device = try await sandbox.device()
            #expect(try await device.call("GET", "/v1/events/stream").status == 404)
            #expect(try await device.call("GET", "/v1/events").status == 200)
        }
        try await withSandbox({ $0.disabledFeatures = [.longPoll] }) { sandbox in
            let device = try await sandbox.device()
            #expect(try await device.call("GET", "/v1/events").status == 404)
            let stream = try OpenStream(device)
            defer { stream.close() }
            try await stream.opened()
            #expect(stream.status == 200)
        }
        try await withSandbox({ $0.disabledFeatures = Set(SandboxFeature.allCases).subtracting([.register]) })
        {
            sandbox in
            let device = try await sandbox.device()
            #expect(try await device.call("GET", "/v1/events/stream").status == 404)
            #expect(try await device.call("GET", "/v1/events").status == 404)
            #expect(try await device.list().conversations.isEmpty)
        }
    }
}
