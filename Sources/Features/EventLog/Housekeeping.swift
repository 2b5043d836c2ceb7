import Config
package import CutieAPI
package import Logging
import Platform
@_spi(EventLog) import Store

/// Prunes the history and completes the full-text index, in slices, so that no other task has to wait.
package final class Housekeeping {
    private static let day: Duration = .seconds(86_400)
    private static let interval: Duration = .seconds(6 * 3600)
    private let log: LogWriter
    private let clocks: ServerClocks
    private let runtime: RuntimeEnvironment
    private let logger: Logger
    /// The setting `history.days`.
    package var historyDays = Configuration().history.days

    package init(log: LogWriter, clocks: ServerClocks, runtime: RuntimeEnvironment, logger: Logger) {
        (self.log, self.clocks) = (log, clocks)
        (self.runtime, self.logger) = (runtime, logger)
    }

    /// Returns the time before which an account's messages are too old to be announced. Until the server has
    /// sent its time, no message is considered too old.
    package func retentionStart(for account: AccountID) -> Timestamp {
        clocks.referenceTime(of: account).map { $0 - Self.day * historyDays } ?? .epoch
    }

    /// Runs until the task is cancelled. Prunes every 6 h, and when a server sends its time for the first
    /// time.
    package func run() async throws {
        while true {
            let seen = clocks.dateSignal.count
            try await completeTextIndex()
            try await prune()
            try await runtime.wait(for: clocks.dateSignal, past: seen, atMost: Self.interval)
        }
    }

    /// Completes the full-text index, which is incomplete after an upgrade.
    private func completeTextIndex() async throws {
        do {
            guard try log.store.fetchIndexedPercentage() != nil else { return }
            logger.notice("indexing the stored messages for the search")
            while try await log.store.indexHistorySlice() { try await runtime.sleep(for: .milliseconds(20)) }
            logger.notice("the stored messages are indexed")
        } catch let error as StoreError {
            logger.warning(
                "indexing older messages failed; search does not find them yet",
                metadata: ["reason": "\(error)"])
        }
        log.store.prepareForIdle()
        Memory.releaseMemory()
    }

    private func prune() async throws {
        guard clocks.span != nil else { return }
        do {
            while try await pruneBatch() { try await runtime.sleep(for: .milliseconds(20)) }
        } catch let error as StoreError {
            logger.warning("pruning the old history failed; retrying later", metadata: ["reason": "\(error)"])
        }
        // Pruning reads the entire history, so free the memory, which would otherwise stay allocated for
        // hours.
        log.store.prepareForIdle()
        Memory.releaseMemory()
    }

    /// Prunes one batch of expired messages and events. The local clock alone never causes a deletion,
    /// because it may be years ahead.
    ///
    /// - Returns: `false` if nothing is left to prune.
    func pruneBatch() async throws -> Bool {
        guard let span = clocks.span else { return false }
        let now = span.lowerBound
        let open = try log.store.read { try $0.accounts.fetchAll() }.map(\.id).filter(log.isOpen)
        let bounds = Dictionary(uniqueKeysWithValues: open.map { ($0, retentionStart(for: $0)) })
        let age = PruningLimits(
            before: now - Self.day * historyDays, accounts: bounds, eventsBefore: now - Self.day * 30,
            now: span.upperBound)
        return try await log.store.prune(olderThan: age) > 0
    }
}
