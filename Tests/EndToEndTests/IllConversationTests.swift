import Foundation
import TestSupport
import Testing

@Suite struct `A server that fails for some conversations` {
    @Test(arguments: Chaos.ways)
    func `No reply is lost and no other conversation is delayed if 8 of 13 conversations return 500`(
        _ transport: ForcedTransport
    ) async throws {
        let configure = { (options: inout EndToEndFixture.Options) in
            transport.configure(&options)
            (options.isConnected, options.heartbeat) = (false, 1)
        }
        try await EndToEndFixture.with(configure) { fixture in
            let ill = Shared<Set<String>>([])
            let road = try Self.makeProxy(to: fixture.sandbox, ill)
            try fixture.daemon.configure(
                """
                app_id: \(fixture.sandbox.appID)
                api_url: \(road.url)
                poll_interval: 1
                \(fixture.opener)
                questions: false

                """)
            try await fixture.daemon.start()
            try await fixture.daemon.waitUntilConnected(by: transport.rawValue)
            var replies = try await ConversationActions(of: 13, in: fixture)
            var damage = Damage(of: "500 on some", transport, rounds: Chaos.serverRounds)
            for _ in 0..<Chaos.serverRounds {
                ill.value = Set(replies.conversations.prefix(8))
                try await replies.send(13)
                for message in replies.sent.suffix(5) {
                    try await eventually("\(message.text) announced") {
                        try await fixture.daemon.fetchLedger(of: message.id).stages.contains("shown")
                    }
                }
                #expect(try await fixture.daemon.fetchStatus().accounts.map(\.state) == ["connected"])
                ill.value = []
                let written = replies.sent.count
                try await damage.recovery { try await fixture.daemon.waitForBadge(written) }
            }
            damage.expectRecovery(within: .seconds(30))
            try await replies.announced()
            try await damage.appendRow(of: replies)
            try await replies.expectInLogOnce()
            try await replies.expectShownOnce()
            try await replies.expectBadgeOfServer()
        }
    }

    /// Returns a proxy to the sandbox that responds with 500 for the conversations in `ill`.
    private static func makeProxy(to sandbox: SandboxFixture, _ ill: Shared<Set<String>>) throws -> RawServer
    {
        let port = try #require(URL(string: sandbox.url)?.port)
        return try RawServer { connection, _ in
            while let request = connection.readRequest() {
                let path = request.line.split(separator: " ")[1].split(separator: "/")
                if request.line.hasPrefix("GET /v1/conversations/"), ill.value.contains(String(path[2])) {
                    connection.answer("500 Internal Server Error")
                } else {
                    return connection.pass(request, to: UInt16(port))
                }
            }
        }
    }
}
