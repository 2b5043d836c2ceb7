import Access
import ControlAPI
import VarlinkSocket

/// The handlers for the permissions of apps and for services.
struct GrantsMethods: ControlMethods {
    let hostApps: HostAppGrants
    let access: AccessProvider

    var implementation: Implementation {
        Implementation().on(listServices).on(discoverServices).on(forgetService).on(listGrants).on(
            revokeGrant)
    }

    func listServices(_ call: ListServices) throws -> ListServices.Reply {
        ListServices.Reply(
            services: try access.services(
                isMine: call.mine == true, words: call.words, account: call.account))
    }

    func discoverServices(_ call: DiscoverServices) async throws -> DiscoverServices.Reply {
        let (services, problems) = try await access.discover(call.url, account: call.account)
        return DiscoverServices.Reply(services: services, problems: problems.isEmpty ? nil : problems)
    }

    func forgetService(_ call: ForgetService) throws -> ForgetService.Reply {
        ForgetService.Reply(
            lost: try access.forget(call.service, isDryRun: call.dryRun == true, account: call.account))
    }

    func listGrants(_: ListGrants) throws -> ListGrants.Reply {
        ListGrants.Reply(grants: try (hostApps.list() + access.list()).sorted { $0.askedAt > $1.askedAt })
    }

    /// An app may have permissions of both kinds.
    func revokeGrant(_ call: RevokeGrant) throws -> RevokeGrant.Reply {
        let isDryRun = call.dryRun == true
        let feedback = try hostApps.revoke(call.app, isDryRun: isDryRun, forgetting: call.forget == true)
        let services = try access.revokeGrant(call.app, isDryRun: isDryRun)
        guard feedback != nil || services != nil else {
            guard try hostApps.hasLeftovers(of: call.app) else { throw NotFound(what: "app", id: call.app) }
            throw InvalidArgument(
                parameter: "app", reason: "only its history is left; use forget to delete it")
        }
        return RevokeGrant.Reply(lost: (feedback ?? []) + (services ?? []))
    }
}
