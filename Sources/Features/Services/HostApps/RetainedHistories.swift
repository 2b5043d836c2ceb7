import Accounts
import CutieAPI
import EventLog
import Store

/// The history of accounts whose apps lost their permission, stored until the user deletes it.
struct RetainedHistories {
    private static let setting = StoredSetting<[String: RetainedHistory]>("host-app-remains")

    struct RetainedHistory: Codable {
        let owner: HostAppOwner
        let account: String
        /// The account ID, which identifies the account even if another app reuses its name.
        let accountID: Int64
        let endedAt: Timestamp

        fileprivate var id: AccountID { AccountID(rawValue: accountID) }
    }

    let ingest: Ingest

    /// Returns the stored histories, except those of apps that were allowed again.
    func fetchAll() throws -> [RetainedHistory] {
        try (ingest.store.read { try $0.settings.fetchValue(of: Self.setting) } ?? [:]).values
            .filter { !ingest.isOpen($0.id) }
            .sorted { $0.endedAt > $1.endedAt }
    }

    func add(_ history: RetainedHistory) throws {
        try updateRetainedHistories { $0[String(history.accountID)] = history }
    }

    func remove(_ history: RetainedHistory) throws {
        try ingest.deleteHistoryAndOutbox(of: history.id)
        try updateRetainedHistories { $0[String(history.accountID)] = nil }
    }

    private func updateRetainedHistories(_ body: (inout [String: RetainedHistory]) -> Void) throws {
        try ingest.store.write { transaction in
            var history = try transaction.settings.fetchValue(of: Self.setting) ?? [:]
            body(&history)
            try transaction.settings.setValue(of: Self.setting, to: history)
        }
    }
}
