package import Access
package import Accounts
import CutieAPI
package import EventLog
package import Reasons
import Store

/// Lists and revokes the user's decisions about apps that show the replies of their developers.
package struct HostAppGrants {
    private let added: AddedAccounts
    private let handOver: HandOver
    private let refusals: HostAppRefusals
    private let ingest: Ingest
    private let runtime: RuntimeEnvironment

    package init(
        added: AddedAccounts, handOver: HandOver, ingest: Ingest, runtime: RuntimeEnvironment
    ) {
        (self.added, self.handOver) = (added, handOver)
        (self.ingest, self.runtime) = (ingest, runtime)
        refusals = HostAppRefusals(ingest: ingest, runtime: runtime)
    }

    private var retainedHistories: RetainedHistories { RetainedHistories(ingest: ingest) }

    package func listGrants() throws -> [AppGrant] {
        let granted = try added.fetchOwners().map { account, owner in
            AppGrant(
                id: "feedback:" + account, account: account, kind: .feedback, app: owner.app,
                appName: owner.name, isVerified: owner.isVerified, state: .granted,
                askedAt: owner.allowedAt, decidedAt: owner.allowedAt)
        }
        let refused = try refusals.fetchRecentRefusals().map { app, refusal in
            AppGrant(
                id: "refused:" + app, kind: .feedback, app: app, appName: refusal.name,
                isVerified: refusal.isVerified, state: .refused, askedAt: refusal.at, decidedAt: refusal.at)
        }
        let revoked = try retainedHistories.fetchAll().map { history in
            AppGrant(
                id: "remains:\(history.accountID)", account: history.account, kind: .feedback,
                app: history.owner.app, appName: history.owner.name,
                isVerified: history.owner.isVerified, state: .revoked, askedAt: history.owner.allowedAt,
                decidedAt: history.endedAt)
        }
        return granted + refused + revoked
    }

    /// Revokes the permissions or the refusal of `appOrAccount`; if `appOrAccount` is the name of an account,
    /// revokes the permission for that account.
    ///
    /// - Parameter isDryRun: whether to return the effects without revoking anything.
    /// - Returns: the effects as messages for the user; `nil` if nothing is stored about the app.
    package func revokePermissions(of appOrAccount: String, isDryRun: Bool, deletesHistory: Bool) throws
        -> [Reason]?
    {
        let held = try revokeActiveGrants(
            of: appOrAccount, isDryRun: isDryRun, deletesHistory: deletesHistory)
        let left = try deletesHistory ? deleteRetainedHistories(of: appOrAccount, isDryRun: isDryRun) : []
        return held == nil && left.isEmpty ? nil : (held ?? []) + left
    }

    /// Returns whether the history of the app's account is still stored after the permission was revoked.
    package func hasRetainedHistory(of appOrAccount: String) throws -> Bool {
        try !findRetainedHistories(of: appOrAccount).isEmpty
    }

    private func findRetainedHistories(of appOrAccount: String) throws -> [RetainedHistories.RetainedHistory]
    {
        try retainedHistories.fetchAll().filter { $0.account == appOrAccount || $0.owner.app == appOrAccount }
    }

    private func deleteRetainedHistories(of appOrAccount: String, isDryRun: Bool) throws -> [Reason] {
        try findRetainedHistories(of: appOrAccount).map { history in
            let loss = try makeHistoryLossMessage(
                for: AccountID(rawValue: history.accountID), account: history.account)
            if !isDryRun { try self.retainedHistories.remove(history) }
            return loss
        }
    }

    private func revokeActiveGrants(of appOrAccount: String, isDryRun: Bool, deletesHistory: Bool) throws
        -> [Reason]?
    {
        let held = try added.fetchOwners().filter { $0.key == appOrAccount || $0.value.app == appOrAccount }
            .sorted { $0.key < $1.key }
        if !held.isEmpty {
            return try held.flatMap { account, owner in
                let lost = try makeRevocationMessages(
                    for: account, owner: owner, deletesHistory: deletesHistory)
                if !isDryRun { try endAccess(to: account, owner: owner, deletesHistory: deletesHistory) }
                return lost
            }
        }
        guard let refusal = try refusals.fetchRecentRefusals()[appOrAccount] else { return nil }
        if !isDryRun { try refusals.removeRefusal(of: appOrAccount) }
        return [Reason(.lossOfDenial, ["app": refusal.name])]
    }

    private func makeRevocationMessages(for account: String, owner: HostAppOwner, deletesHistory: Bool) throws
        -> [Reason]
    {
        let losses = [Reason(.lossOfReplies, ["app": owner.name, "account": account])]
        guard deletesHistory, let id = try findAccountID(named: account) else { return losses }
        return losses + [try makeHistoryLossMessage(for: id, account: account)]
    }

    private func makeHistoryLossMessage(for id: AccountID, account: String) throws -> Reason {
        let count = try ingest.store.read { try $0.conversations.count(of: id) }
        guard count != 1 else { return Reason(.lossOfShortHistory, ["account": account]) }
        return Reason(.lossOfHistory, ["account": account, "count": String(count)])
    }

    private func endAccess(to account: String, owner: HostAppOwner, deletesHistory: Bool) throws {
        let id = try findAccountID(named: account)
        try handOver.removeAccount(named: account)
        try ingest.log(AccessLogEntry(.accessRevoked, of: owner.app, name: owner.name))
        guard let id else { return }
        guard !deletesHistory else { return try ingest.deleteHistoryAndOutbox(of: id) }
        try retainedHistories.add(
            .init(owner: owner, account: account, accountID: id.rawValue, endedAt: runtime.now()))
    }

    /// Returns the account ID. Also compares App ID and address, because another app may have had an account
    /// with this name.
    private func findAccountID(named name: String) throws -> AccountID? {
        guard let app = try added.fetchAll().first(where: { $0.name == name }) else { return nil }
        return try ingest.store.read { try $0.accounts.fetchAll() }
            .first { $0.name == name && $0.appID == app.appID && $0.apiURL == app.apiURL }?.id
    }
}
