import Foundation
import TestSupport
import Testing

/// The number of faults that tests inject. A normal test run injects a few faults; `make chaos` sets the
/// number in `CUTIED_CHAOS`.
enum Chaos {
    private static let environment = ProcessInfo.processInfo.environment
    private static let chosen = environment["CUTIED_CHAOS"].flatMap { Int($0) }

    /// Whether the tests were started by `make chaos`.
    static let isLong = chosen != nil
    /// The number of rounds of the most frequent fault.
    static let rounds = chosen ?? 5
    /// The number of rounds of faults that take longer to recover from; at least 2.
    static let rareRounds = chosen.map { max(3, $0 / 10) } ?? 2
    /// The number of rounds in which a server is killed. The number is small because the daemon's backoff
    /// grows with each round.
    static let serverRounds = min(4, rareRounds)
    /// The number of restarts of each component of the session.
    static let sessionRounds = min(20, chosen ?? 2)
    /// The transports under test: all transports in `make chaos`, otherwise only the stream.
    static let ways: [ForcedTransport] = isLong ? ForcedTransport.allCases : [.stream]

    static let seed = environment["CUTIED_CHAOS_SEED"].flatMap { UInt64($0) } ?? .random(in: 1...999_999)

    /// Returns the random number generator of a test. With the same seed, the faults are injected at the same
    /// moments.
    static func makeGenerator(_ transport: ForcedTransport) -> SeededGenerator {
        SeededGenerator(seed &+ UInt64(transport.rawValue.utf8.count))
    }
}

/// A row in the table of `make chaos`: the effects of a fault on one transport.
struct Damage {
    let fault: String
    let transport: ForcedTransport
    let rounds: Int
    /// The maximum number of notifications per reply; greater than 1 if a new notification server shows the
    /// previous notifications again.
    var shows = 1
    private var slowest = Duration.zero

    init(of fault: String, _ transport: ForcedTransport, rounds: Int) {
        (self.fault, self.transport, self.rounds) = (fault, transport, rounds)
    }

    /// Runs `body` and records its duration as a recovery time. The table contains the slowest recovery.
    mutating func recovery(_ body: () async throws -> Void) async throws {
        let start = ContinuousClock.now
        try await body()
        slowest = max(slowest, ContinuousClock.now - start)
    }

    func expectRecovery(within limit: Duration, _ place: SourceLocation = #_sourceLocation) {
        #expect(slowest <= limit, sourceLocation: place)
    }

    /// Appends the row to the file in `CUTIED_CHAOS_TABLE`. The tests check the results separately.
    func appendRow(of replies: ConversationActions) async throws {
        guard let file = ProcessInfo.processInfo.environment["CUTIED_CHAOS_TABLE"] else { return }
        let count = try await replies.count(shows: shows)
        let seconds = Double(slowest.components.seconds) + Double(slowest.components.attoseconds) * 1e-18
        let row = [
            fault, transport.rawValue, String(rounds), String(replies.sent.count), String(count.lost),
            String(count.duplicated), String(count.excused), String(format: "%.1f s", seconds),
        ]
        let line = Data((row.joined(separator: "\t") + "\n").utf8)
        // Tests append to the file concurrently. `O_APPEND` prevents a single write from being interleaved
        // with another.
        let handle = FileHandle(fileDescriptor: open(file, O_WRONLY | O_APPEND | O_CREAT, 0o644))
        try handle.write(contentsOf: line)
        try handle.close()
    }
}

extension ConversationActions {
    /// Counts the lost, duplicated and excused replies. A lost reply is missing from the event log or was
    /// never shown. An excused reply was shown again for a valid reason: the daemon was killed between
    /// `announcing` and `shown`, or the notification server was replaced.
    fileprivate func count(shows: Int) async throws -> (lost: Int, duplicated: Int, excused: Int) {
        let logged = Dictionary(grouping: try await fixture.daemon.fetchLoggedMessages(), by: \.self)
        var count = (lost: 0, duplicated: 0, excused: 0)
        for message in sent {
            let stages = try await fixture.daemon.fetchLedger(of: message.id).stages
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
