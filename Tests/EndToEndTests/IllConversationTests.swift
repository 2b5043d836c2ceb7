import Foundation
import TestSupport
import Testing

@Suite struct `A server that fails for some conversations` {
    @Test(arguments: Chaos.ways)
    func `If 8 of 13 conversations answer 500, no reply is lost and the others are not delayed`(
        _ way: Way
    ) async throws {
        let furnish = { (furnishing: inout Household.Furnishing) in
            way.furnish(&furnishing)
            (furnishing.isConnected, furnishing.heartbeat) = (false, 1)
        }
        try await Household.with(furnish) { home in
            let ill = Shared<Set<String>>([])
            let road = try Self.road(to: home.sandbox, ill)
            try home.daemon.configure(
                """
                app_id: \(home.sandbox.appID)
                api_url: \(road.url)
                poll_interval: 1
                \(home.opener)
                questions: false

                """)
            try await home.daemon.start()
            try await home.daemon.connected(by: way.rawValue)
            var replies = try await ConversationActions(of: 13, in: home)
            var damage = Damage(of: "500 on some", way, rounds: Chaos.serverRounds)
            for _ in 0..<Chaos.serverRounds {
                ill.value = Set(replies.conversations.prefix(8))
                try await replies.send(13)
                for message in replies.sent.suffix(5) {
                    try await eventually("\(message.text) announced") {
                        try await home.daemon.ledger(of: message.id).stages.contains("shown")
                    }
                }
                #expect(try await home.daemon.status().accounts.map(\.state) == ["connected"])
                ill.value = []
                let written = replies.sent.count
                try await damage.recovery { try await home.daemon.badge(written) }
            }
            damage.expectRecovery(within: .seconds(30))
            try await replies.announced()
            try await damage.tell(of: replies)
            try await replies.expectInLogOnce()
            try await replies.expectShownOnce()
            try await replies.expectBadgeOfServer()
        }
    }

    /// Creates a proxy to the sandbox that returns 500 for the conversations in `ill`.
    private static func road(to sandbox: SandboxFixture, _ ill: Shared<Set<String>>) throws -> RawServer {
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
