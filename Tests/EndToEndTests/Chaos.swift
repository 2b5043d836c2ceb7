import Foundation
import TestSupport
import Testing

/// How often faults strike: a few times in every run of the tests, `CUTIED_CHAOS` times in `make chaos`.
enum Chaos {
    private static let environment = ProcessInfo.processInfo.environment
    private static let chosen = environment["CUTIED_CHAOS"].flatMap { Int($0) }

    /// `make chaos`, not a run of all tests.
    static let isLong = chosen != nil
    /// Of the fault that strikes most often.
    static let rounds = chosen ?? 5
    /// Of those that take longer to get over: never none.
    static let rareRounds = chosen.map { max(3, $0 / 10) } ?? 2
    /// Of a server that dies: each time the daemon waits longer before it tries again.
    static let serverRounds = min(4, rareRounds)
    /// Of each part of a session that is restarted.
    static let sessionRounds = min(20, chosen ?? 2)
    /// Each transport where there is time.
    static let ways: [Way] = isLong ? Way.allCases : [.stream]

    static let seed = environment["CUTIED_CHAOS_SEED"].flatMap { UInt64($0) } ?? .random(in: 1...999_999)

    /// The moments of one test: the same with the same seed.
    static func dice(_ way: Way) -> Seeded { Seeded(seed &+ UInt64(way.rawValue.utf8.count)) }
}

/// One row of the table of `make chaos`: what one fault cost on one transport.
struct Damage {
    let fault: String
    let way: Way
    let rounds: Int
    /// So often a reply may be on the screen: another notification server is shown what was there.
    var shows = 1
    private var slowest = Duration.zero

    init(of fault: String, _ way: Way, rounds: Int) {
        (self.fault, self.way, self.rounds) = (fault, way, rounds)
    }

    /// How long it takes until all that was written is here; the slowest of all times counts.
    mutating func recovery(_ body: () async throws -> Void) async throws {
        let start = ContinuousClock.now
        try await body()
        slowest = max(slowest, ContinuousClock.now - start)
    }

    func expectRecovery(within limit: Duration, _ place: SourceLocation = #_sourceLocation) {
        #expect(slowest <= limit, sourceLocation: place)
    }

    /// Counts, and adds the row to the file that `CUTIED_CHAOS_TABLE` names. The test still judges.
    func tell(of replies: Correspondence) async throws {
        guard let file = ProcessInfo.processInfo.environment["CUTIED_CHAOS_TABLE"] else { return }
        let count = try await replies.count(shows: shows)
        let seconds = Double(slowest.components.seconds) + Double(slowest.components.attoseconds) * 1e-18
        let row = [
            fault, way.rawValue, String(rounds), String(replies.sent.count), String(count.lost),
            String(count.duplicated), String(count.excused), String(format: "%.1f s", seconds),
        ]
        let line = Data((row.joined(separator: "\t") + "\n").utf8)
        // Tests write at the same time: one write at the end of the file is whole.
        let handle = FileHandle(fileDescriptor: open(file, O_WRONLY | O_APPEND | O_CREAT, 0o644))
        try handle.write(contentsOf: line)
        try handle.close()
    }
}

extension Correspondence {
    /// What is missing in the log or was never shown, what is there twice, and what was announced again
    /// as it should: the daemon was killed between `announcing` and `shown`, or the screen is another one.
    fileprivate func count(shows: Int) async throws -> (lost: Int, duplicated: Int, excused: Int) {
        let logged = Dictionary(grouping: try await home.daemon.loggedMessages(), by: \.self)
        var count = (lost: 0, duplicated: 0, excused: 0)
        for message in sent {
            let stages = try await home.daemon.ledger(of: message.id).stages
            let times = logged[message.id]?.count ?? 0
            let shown = stages.count { $0 == "shown" }
            if times == 0 || shown == 0 { count.lost += 1 }
            if times > 1 || shown > shows { count.duplicated += 1 }
            let again = stages.count { $0 == "announcing" } > 1
            if again, (1...shows).contains(shown) { count.excused += 1 }
        }
        return count
    }
}
