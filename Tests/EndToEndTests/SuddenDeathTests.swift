import Foundation
import TestSupport
import Testing

@Suite struct `Crashes of the server and the daemon` {
    @Test(arguments: ForcedTransport.allCases)
    func `No reply is lost if the server is killed while replies arrive`(_ transport: ForcedTransport)
        async throws
    {
        try await EndToEndFixture.with(transport.configure) { fixture in
            var replies = try await ConversationActions(of: 6, in: fixture)
            var damage = Damage(of: "API killed", transport, rounds: Chaos.serverRounds)
            for _ in 0..<Chaos.serverRounds {
                try await replies.send(12)
                try await fixture.sandbox.killProcess()
                try await fixture.daemon.waitForStatus("the account is offline") { $0.state != "connected" }
                try await fixture.sandbox.start()
                // Measures the worst case: the server is running again, but the backoff delay has not ended yet.
                try await damage.recovery {
                    try await fixture.daemon.waitUntilConnected(by: transport.rawValue)
                }
            }
            try await replies.send(4)
            try await fixture.daemon.waitForBadge(replies.sent.count)
            try await fixture.daemon.waitUntilConnected(by: transport.rawValue)
            try await replies.announced()
            try await damage.appendRow(of: replies)
            try await replies.expectInLogOnce()
            try await replies.expectShownOnce()
            try await replies.expectBadgeOfServer()
        }
    }

    @Test func `A stream that stops sending data is detected and replaced`() async throws {
        try await EndToEndFixture.with({ $0.heartbeat = 0.2 }) { fixture in
            var replies = try await ConversationActions(of: 1, in: fixture)
            try await replies.send(1)
            try await fixture.daemon.waitForBadge(1)
            try await fixture.makeDevice().waitForHeartbeats(4)
            try await fixture.sandbox.suspend()
            let status = try await fixture.daemon.waitForStatus("the hang is noticed") {
                $0.state != "connected"
            }
            #expect(status.accounts[0].transport == "none")
            fixture.sandbox.resume()
            try await replies.send(1)
            try await fixture.daemon.waitForBadge(2)
            try await fixture.daemon.waitUntilConnected(by: "stream")
            try await replies.expectInLogOnce()
        }
    }
}

@Suite struct `Crashes of the daemon` {
    @Test(arguments: ForcedTransport.allCases)
    func `No reply is lost, logged twice or announced twice if the daemon is killed`(
        _ transport: ForcedTransport
    ) async throws {
        var generator = Chaos.makeGenerator(transport)
        try await EndToEndFixture.with(transport.configure) { fixture in
            var replies = try await ConversationActions(of: 6, in: fixture)
            var damage = Damage(of: "daemon killed", transport, rounds: Chaos.rounds)
            for round in 0..<Chaos.rounds {
                let delay = Int64.random(in: 0...15, using: &generator)
                // Read the sequence number before the replies are sent, because the daemon may otherwise
                // already have received all of them.
                let sequence = try await fixture.daemon.fetchStatus().sequence + delay
                async let killed: Void = fixture.kill(atSequence: sequence)
                try await replies.send(20)
                try await killed
                // In the other rounds, the next kill occurs before the daemon has caught up.
                if round.isMultiple(of: 2) {
                    let written = replies.sent.count
                    try await damage.recovery {
                        try await fixture.daemon.start()
                        try await fixture.daemon.waitForBadge(written)
                    }
                } else {
                    try await fixture.daemon.start()
                }
            }
            try await fixture.daemon.waitForBadge(replies.sent.count)
            try await replies.announced()
            try await damage.appendRow(of: replies)
            try await replies.expectInLogOnce()
            // There is more than one attempt only if a kill occurred between `announcing` and `shown`.
            try await replies.expectShownOnce(attempts: 1...(Chaos.rounds + 1))
            try await replies.expectBadgeOfServer()
        }
    }
}

extension EndToEndFixture {
    /// Kills the daemon once the event log has reached `sequence`.
    fileprivate func kill(atSequence sequence: Int64) async throws {
        try await eventually("the event log contains enough entries") {
            guard let status = try? await daemon.fetchStatus() else { return true }
            return status.sequence >= sequence
        }
        try await daemon.killProcess()
    }
}
