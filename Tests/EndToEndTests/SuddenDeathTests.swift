import Foundation
import TestSupport
import Testing

@Suite struct `A server that dies or falls silent` {
    @Test(arguments: Way.allCases)
    func `A sandbox killed in the middle of replies costs none`(_ way: Way) async throws {
        try await Household.with(way.furnish) { home in
            var replies = try await Correspondence(of: 6, in: home)
            for _ in 0..<3 {
                try await replies.send(12)
                try await home.sandbox.die()
                try await home.daemon.status("offline") { $0.state != "connected" }
                try await home.sandbox.start()
            }
            try await replies.send(4)
            try await home.daemon.badge(40)
            try await home.daemon.connected(by: way.rawValue)
            try await replies.announced()
            try await replies.expectInLogOnce()
            try await replies.expectShownOnce()
            try await replies.expectBadgeOfServer()
        }
    }

    @Test func `A stream that falls silent is noticed, and given up for a new one`() async throws {
        try await Household.with({ $0.heartbeat = 0.2 }) { home in
            var replies = try await Correspondence(of: 1, in: home)
            try await replies.send(1)
            try await home.daemon.badge(1)
            try await home.device().heartbeats(4)
            home.sandbox.hang()
            let status = try await home.daemon.status("noticed") { $0.state != "connected" }
            #expect(status.accounts[0].transport == "none")
            home.sandbox.resume()
            try await replies.send(1)
            try await home.daemon.badge(2)
            try await home.daemon.connected(by: "stream")
            try await replies.expectInLogOnce()
        }
    }
}

@Suite struct `A daemon that is killed again and again` {
    private static let kills = 5

    @Test(arguments: Way.allCases)
    func `Nothing is lost, nothing is logged or announced twice`(_ way: Way) async throws {
        try await Household.with(way.furnish) { home in
            var replies = try await Correspondence(of: 6, in: home)
            for _ in 0..<Self.kills {
                async let killed: Void = home.killAtARandomMoment()
                try await replies.send(20)
                try await killed
                try await home.daemon.start()
            }
            try await home.daemon.badge(Self.kills * 20)
            try await replies.announced()
            try await replies.expectInLogOnce()
            // A kill between `announcing` and `shown` costs a second attempt, and nothing else does.
            try await replies.expectShownOnce(attempts: 1...(Self.kills + 1))
            try await replies.expectBadgeOfServer()
        }
    }
}

extension Household {
    /// After some of the replies to come are in the log: the moment moves with every run.
    fileprivate func killAtARandomMoment() async throws {
        let head = try await daemon.status().sequence + Int64.random(in: 0...15)
        try await eventually("a moment to kill") {
            guard let status = try? await daemon.status() else { return true }
            return status.sequence >= head
        }
        try await daemon.die()
    }
}
