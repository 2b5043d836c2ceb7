import Accounts
import CutieAPI
import EventLog
import Store

/// The history of accounts whose apps lost their permission, stored until the user deletes it.
struct HostAppLeftovers {
    private static let setting = StoredSetting<[String: Leftover]>("host-app-remains")

    struct Leftover: Codable {
        let owner: HostAppOwner
        let account: String
        /// The account ID, which identifies the account even if another app reuses its name.
        let accountID: Int64
        let endedAt: Timestamp

        fileprivate var id: AccountID { AccountID(rawValue: accountID) }
    }

    let ingest: Ingest

    /// Returns the stored histories, except those of apps that were allowed again.
    func fetchAll() throws -> [Leftover] {
        try (ingest.store.read { try $0.settings.fetchValue(of: Self.setting) } ?? [:]).values
            .filter { !ingest.isOpen($0.id) }
            .sorted { $0.endedAt > $1.endedAt }
    }

    func add(_ leftover: Leftover) throws {
        try updateLeftovers { $0[String(leftover.accountID)] = leftover }
    }

    func forget(_ leftover: Leftover) throws {
        try ingest.deleteHistory(of: leftover.id)
        try updateLeftovers { $0[String(leftover.accountID)] = nil }
    }

    private func updateLeftovers(_ body: (inout [String: Leftover]) -> Void) throws {
        try ingest.store.write { transaction in
            var leftover = try transaction.settings.fetchValue(of: Self.setting) ?? [:]
            body(&leftover)
            try transaction.settings.set(Self.setting, to: leftover)
        }
    }
}
