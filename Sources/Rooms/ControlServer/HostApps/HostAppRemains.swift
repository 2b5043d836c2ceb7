import Accounts
import CutieAPI
import Log
import Store

/// The history of accounts whose app has lost its permission. It is stored until the user deletes it.
struct HostAppRemains {
    private static let setting = Setting<[String: Remains]>("host-app-remains")

    struct Remains: Codable {
        let owner: HostAppOwner
        let account: String
        /// The id of the account. Its name may be used by another app again.
        let accountID: Int64
        let endedAt: Timestamp

        fileprivate var id: AccountID { AccountID(rawValue: accountID) }
    }

    let ingest: Ingest

    /// Returns the stored histories, without those of apps that were allowed again.
    func all() throws -> [Remains] {
        try (ingest.store.read { try $0.settings.value(of: Self.setting) } ?? [:]).values
            .filter { !ingest.isOpen($0.id) }
            .sorted { $0.endedAt > $1.endedAt }
    }

    func add(_ remains: Remains) throws { try change { $0[String(remains.accountID)] = remains } }

    func forget(_ remains: Remains) throws {
        try ingest.forgetHistory(of: remains.id)
        try change { $0[String(remains.accountID)] = nil }
    }

    private func change(_ body: (inout [String: Remains]) -> Void) throws {
        try ingest.store.write { transaction in
            var remains = try transaction.settings.value(of: Self.setting) ?? [:]
            body(&remains)
            try transaction.settings.set(Self.setting, to: remains)
        }
    }
}
