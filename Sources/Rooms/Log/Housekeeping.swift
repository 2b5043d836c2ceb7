import Config
package import CutieAPI
package import Logging
import Platform
@_spi(Log) package import Store

/// Keeps the history within its bounds and its full-text index complete, in slices, so that nothing waits for it.
package final class Housekeeping {
    private static let day: Duration = .seconds(86_400)
    private static let interval: Duration = .seconds(6 * 3600)
    private let store: Store
    private let clocks: ServerClocks
    private let surroundings: Surroundings
    private let logger: Logger
    /// `history.days`.
    package var days = Configuration().history.days
    /// Whether an account is configured.
    package var isOpen: (AccountID) -> Bool = { _ in true }

    package init(store: Store, clocks: ServerClocks, surroundings: Surroundings, logger: Logger) {
        (self.store, self.clocks) = (store, clocks)
        (self.surroundings, self.logger) = (surroundings, logger)
    }

    /// What is older of an account is beyond the kept history: it is never announced. Nothing is, before its
    /// server has told what time it is.
    package func oldestNews(of account: AccountID) -> Timestamp {
        clocks.reference(of: account).map { $0 - Self.day * days } ?? .epoch
    }

    package func run() async throws {
        while true {
            let seen = clocks.heard.count
            try await indexHistory()
            try await prune()
            try await surroundings.wait(for: clocks.heard, past: seen, atMost: Self.interval)
        }
    }

    /// Indexes the messages of a database whose index is not complete, as after an upgrade.
    private func indexHistory() async throws {
        do {
            guard try store.isIndexing() else { return }
            logger.notice("indexing the stored messages for the search")
            while try store.indexHistory() > 0 { try await surroundings.sleep(.milliseconds(20)) }
            logger.notice("the stored messages are indexed")
        } catch let error as StoreError {
            logger.warning("older messages are not found yet", metadata: ["reason": "\(error)"])
        }
        store.settle()
        Memory.giveBack()
    }

    private func prune() async throws {
        guard clocks.span != nil else { return }
        do {
            while try pruneOneBite() { try await surroundings.sleep(.milliseconds(20)) }
        } catch let error as StoreError {
            logger.warning("old history stays for now", metadata: ["reason": "\(error)"])
        }
        // It has looked through all there is: with a long history the memory of that would be kept for hours.
        store.settle()
        Memory.giveBack()
    }

    /// False where nothing is left to do. Our clock alone is no reason to delete anything: it may be years ahead.
    func pruneOneBite() throws -> Bool {
        guard let span = clocks.span else { return false }
        let now = span.lowerBound
        let open = try store.read { try $0.accounts.all() }.map(\.id).filter(isOpen)
        let bounds = Dictionary(uniqueKeysWithValues: open.map { ($0, oldestNews(of: $0)) })
        let age = PruningAge(
            before: now - Self.day * days, accounts: bounds, eventsBefore: now - Self.day * 30,
            now: span.upperBound)
        return try store.prune(age) > 0
    }
}
