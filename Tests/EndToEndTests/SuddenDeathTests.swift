import Foundation
import TestSupport
import Testing

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
