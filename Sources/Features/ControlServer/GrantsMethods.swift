import Access
import ControlAPI
import CutieAPI
import Reasons
import Services
import Store
import VarlinkSocket

/// The handlers for the permissions of apps and for services.
struct GrantsMethods: ControlMethods {
    /// The maximum size of the strings in the details of a service, in bytes. A reply has at most 4 MiB, and
    /// may contain the same service for two accounts.
    private static let detailsLimit = 512 << 10

    let grants: GrantService
    let access: AccessProvider

    var implementation: Implementation {
        Implementation().on(listServices).on(discoverServices).on(forgetService).on(listGrants).on(
            revokeGrant)
    }

    func listServices(_ call: ListServices) throws -> ListServices.Reply {
        ListServices.Reply(
            services: try access.findServices(
                onlyAuthorized: call.mine == true, searchText: call.words, account: call.account,
                link: call.link
            ).map { service in
                var view = ServiceView(service)
                if call.link != nil { view.apis = service.protocolDetails(byteLimit: Self.detailsLimit) }
                return view
            })
    }

    func discoverServices(_ call: DiscoverServices) async throws -> DiscoverServices.Reply {
        let (services, problems) = try await access.discoverServices(at: call.url, account: call.account)
        return DiscoverServices.Reply(
            services: services.map(ServiceView.init(_:)),
            problems: problems.isEmpty ? nil : problems.map(\.english),
            problemReasons: problems.isEmpty ? nil : problems.map(ReasonView.init(_:)))
    }

    func forgetService(_ call: ForgetService) throws -> ForgetService.Reply {
        ForgetService.Reply(
            try access.forgetService(
                named: call.service, isDryRun: call.dryRun == true, account: call.account))
    }

    func listGrants(_: ListGrants) throws -> ListGrants.Reply {
        ListGrants.Reply(grants: try grants.listGrants().map(GrantView.init(_:)))
    }

    func revokeGrant(_ call: RevokeGrant) throws -> RevokeGrant.Reply {
        RevokeGrant.Reply(
            try grants.revokePermissions(
                of: call.app, isDryRun: call.dryRun == true, deletesHistory: call.forget == true))
    }
}

/// The reply of `RevokeGrant`, and also the reply of `ForgetService`.
extension RevokeGrant.Reply {
    fileprivate init(_ losses: [Reason]) {
        self.init(lost: losses.map(\.english), lostReasons: losses.map(ReasonView.init(_:)))
    }
}

extension ServiceView {
    fileprivate init(_ service: KnownService) {
        self.init(
            account: service.account, name: service.name, link: service.link, host: service.host,
            homePage: service.homePage, protocols: service.protocols,
            unusable: service.unusable.isEmpty ? nil : service.unusable.map(\.english),
            authorized: service.isAuthorized,
            fetchedAt: service.fetchedAt.milliseconds, usedAt: service.usedAt?.milliseconds,
            unusableReasons: service.unusable.isEmpty ? nil : service.unusable.map(ReasonView.init(_:)))
    }
}

extension KnownService {
    /// Returns the details of the first protocols, as many as fit in `limit` bytes.
    fileprivate func protocolDetails(byteLimit limit: Int) -> [ServiceProtocol] {
        var size = 0
        let all = apis.map(ServiceProtocol.init(_:))
        return Array(
            all.prefix {
                size += $0.size
                return size <= limit
            })
    }
}

extension ServiceProtocol {
    fileprivate init(_ api: KnownService.API) {
        self.init(
            name: api.name, link: api.link, versions: api.versions, transports: api.transports,
            preferred: api.isPreferred, docs: api.docs, description: api.serviceDescription, notes: api.notes)
    }

    /// The total size of the strings, in bytes.
    fileprivate var size: Int {
        ([name, link, docs ?? "", description ?? "", notes ?? ""] + versions + transports)
            .reduce(0) { $0 + $1.utf8.count }
    }
}

extension GrantView {
    fileprivate init(_ grant: AppGrant) {
        self.init(
            grantId: grant.id, account: grant.account, kind: grant.kind == .feedback ? .feedback : .services,
            app: grant.app, appName: grant.appName, verified: grant.isVerified, protocols: grant.protocols,
            services: grant.services, state: State(grant.state), askedAt: grant.askedAt.milliseconds,
            decidedAt: grant.decidedAt?.milliseconds, expiresAt: grant.expiresAt?.milliseconds)
    }
}

extension GrantView.State {
    fileprivate init(_ state: GrantRecord.State) {
        self =
            switch state {
            case .asked: .asked
            case .granted: .granted
            case .refused: .refused
            case .expired: .expired
            case .revoked: .revoked
            }
    }
}
