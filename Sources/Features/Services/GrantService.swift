package import Access
import Domain
package import Reasons
import Store

/// The permissions of apps: to show the replies of their developers, and to use services.
package struct GrantService {
    private let hostApps: HostAppGrants
    private let access: AccessProvider

    package init(hostApps: HostAppGrants, access: AccessProvider) {
        (self.hostApps, self.access) = (hostApps, access)
    }

    /// Returns the permissions, newest request first.
    package func listGrants() throws -> [AppGrant] {
        try (hostApps.listGrants() + access.listGrants()).sorted { $0.askedAt > $1.askedAt }
    }

    /// Revokes the permissions of an app, which may have permissions of both kinds. Returns the effects as
    /// messages for the user.
    ///
    /// - Parameters:
    ///   - isDryRun: whether to return the effects without revoking anything.
    ///   - deletesHistory: whether to also delete the history of the app's account.
    package func revokePermissions(of app: String, isDryRun: Bool, deletesHistory: Bool) throws -> [Reason] {
        let feedback = try hostApps.revokePermissions(
            of: app, isDryRun: isDryRun, deletesHistory: deletesHistory)
        let services = try access.revokeGrants(of: app, isDryRun: isDryRun)
        guard feedback == nil, services == nil else { return (feedback ?? []) + (services ?? []) }
        guard try hostApps.hasRetainedHistory(of: app) else {
            throw ServiceError.notFound(what: "app", id: app)
        }
        throw ServiceError.invalidArgument(
            parameter: "app", reason: Reason(.onlyHistoryLeft))
    }
}
