import CutieAPI
import Logging
import Store

/// Keeps the history within its bounds, a bite at a time, so that nobody waits for it.
final class Housekeeping {
    private static let day: Duration = .seconds(86_400)
    private static let interval: Duration = .seconds(6 * 3600)
    private let store: Store
    private let surroundings: Surroundings
    private let logger: Logger
    /// `history.days`.
    var days: Int

    init(store: Store, days: Int, surroundings: Surroundings, logger: Logger) {
        (self.store, self.days, self.surroundings, self.logger) = (store, days, surroundings, logger)
    }

    /// What is older is beyond the kept history: it is never announced.
    var oldestNews: Timestamp { before(days: days) }

    func run() async throws {
        while true {
            try await prune()
            try await surroundings.sleep(Self.interval)
        }
    }

    private func prune() async throws {
        do {
            while try store.prune(before: oldestNews, eventsBefore: before(days: 30)) > 0 {
                try await surroundings.sleep(.milliseconds(20))
            }
        } catch let error as StoreError {
            logger.warning("old history stays for now", metadata: ["reason": "\(error)"])
        }
    }

    private func before(days: Int) -> Timestamp {
        surroundings.now() - Self.day * days
    }
}
