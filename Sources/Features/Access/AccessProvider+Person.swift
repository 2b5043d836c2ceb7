import Accounts
package import CutieAPI
import Domain
import EventLog
import FeedPolicy
import OAuth
import RSD2
package import Reasons
@_spi(Access) import Store

// MARK: - Listing and revoking by the user

extension AccessProvider {
    package func listGrants() throws -> [AppGrant] { try grantRegister.fetchAll().map(makeAppGrant) }

    private func makeAppGrant(for grant: GrantRecord) -> AppGrant {
        let accounts = Set(grant.services.map(\.account))
        let account = accounts.count == 1 ? accounts.first.flatMap(self.accounts.name(of:)) : nil
        return AppGrant(
            id: String(grant.id), account: account, kind: .services, app: grant.app.identity,
            appName: grant.app.name, isVerified: grant.app.isVerified, protocols: grant.protocols,
            services: grant.services.map(\.name), state: grant.state, askedAt: grant.askedAt,
            decidedAt: grant.decidedAt, expiresAt: grant.expiresAt)
    }

    /// Revokes the grants and refusals of `app`. Returns the effects as messages for the user; `nil` if `app`
    /// has neither grants nor refusals. `isDryRun`: whether to return the effects without revoking anything.
    package func revokeGrants(of app: String, isDryRun: Bool) throws -> [Reason]? {
        let (held, refused) = (
            try grantRegister.fetchGrants(for: app), try grantRegister.fetchRefusals(for: app)
        )
        guard !held.isEmpty || !refused.isEmpty else { return nil }
        if !isDryRun {
            for grant in held { try revoke(grant.services, of: grant) }
            for grant in refused { try grantRegister.deleteRefusal(grant.id) }
        }
        return held.flatMap(makeRevocationMessages) + refused.map(Self.makeRevocationMessage(forRefusal:))
    }

    private static func makeRevocationMessage(forRefusal grant: GrantRecord) -> Reason {
        Reason(grant.decidedAt == nil ? .lossOfRequest : .lossOfDenial, ["app": grant.app.name])
    }

    private func makeRevocationMessages(forGrant grant: GrantRecord) -> [Reason] {
        grant.services.map { Reason(.lossOfAppTokens, ["app": grant.app.name, "service": $0.name]) }
    }
}

// MARK: - Services

extension AccessProvider {
    /// Returns the known services. `searchText`: words that the name or the host must contain. `account`:
    /// `nil`
    /// for all accounts. `link`: the link of the only service to return; `nil` for all services.
    package func findServices(
        onlyAuthorized: Bool, searchText: String?, account: String?, link: String? = nil
    ) throws -> [KnownService] {
        let units = try accounts.findAccounts(named: account)
        return try ingest.store.read { transaction in
            try transaction.services.fetchAll().compactMap { record in
                guard let unit = units.first(where: { $0.account.id == record.account }) else { return nil }
                return KnownService(record, account: unit.account.name)
            }
        }.filter {
            (!onlyAuthorized || $0.isAuthorized) && $0.matches(searchText) && (link == nil || $0.link == link)
        }
    }

    /// Finds services at `url`, or in the configured index, and stores them.
    ///
    /// - Returns: the services, and a message for each location without a usable service.
    /// - Throws: `invalidArgument`, `signInRequired`, `notConfigured`, `invalidResponse` if the host has no
    ///   usable service, or `offline` if the host does not respond.
    package func discoverServices(
        at url: String?, account: String?
    ) async throws -> (services: [KnownService], problems: [Reason]) {
        let chosen = try accounts.findAccounts(named: account)
        let people = accounts.serviceUsers.filter { person in
            chosen.contains { $0.account.id == person.account.id }
        }
        guard !people.isEmpty else {
            throw ServiceError.signInRequired(
                reason: Reason(.noAccountForServices))
        }
        guard let url else {
            guard directory.discovery != nil else {
                throw ServiceError.notConfigured(
                    reason: Reason(.noHostNamed))
            }
            let problems = try await directory.discoverServices(supporting: [], for: people)
            return (try findServices(onlyAuthorized: false, searchText: nil, account: account), problems)
        }
        let address: EndpointURL
        // Add the scheme, because a user may type only a host.
        do { address = try EndpointURL(url.contains("://") ? url : "https://" + url) } catch {
            throw ServiceError.invalidArgument(parameter: "url", reason: error.reason)
        }
        let peer = ServerRole.service.rawValue
        do {
            let findings = try await directory.discoverServices(at: address, for: people)
            guard !findings.links.isEmpty else {
                guard let failure = findings.failures.first else {
                    throw ServiceError.invalidResponse(
                        reason: Reason(.hostWithoutServices, ["host": address.host]), peer: peer)
                }
                throw failure
            }
            let found = try findServices(onlyAuthorized: false, searchText: nil, account: account)
            return (found.filter { findings.links.contains($0.link) }, findings.failures.map(\.reason))
        } catch let failure as DiscoveryFailure {
            if failure.isUnusable { throw ServiceError.invalidResponse(reason: failure.reason, peer: peer) }
            throw ServiceError.offline(reason: failure.reason, peer: peer)
        }
    }

    /// Removes a service by its name or link, unless `isDryRun` is true. Returns the effects as messages for
    /// the user.
    package func forgetService(named name: String, isDryRun: Bool, account: String?) throws -> [Reason] {
        let units = try accounts.findAccounts(named: account)
        let found = try ingest.store.read { try $0.services.fetchAll() }.filter { record in
            (record.link == name || record.name == name)
                && units.contains { $0.account.id == record.account }
        }
        guard !found.isEmpty else { throw ServiceError.notFound(what: "service", id: name) }
        guard Set(found.map(\.link)).count == 1 else {
            throw ServiceError.invalidArgument(
                parameter: "service",
                reason: Reason(.severalServices, ["names": found.map(\.link).joined(separator: ", ")]))
        }
        return try found.flatMap { try forgetService($0, isDryRun: isDryRun) }
    }

    private func forgetService(_ record: UserServiceRecord, isDryRun: Bool) throws -> [Reason] {
        let concerned = try grantRegister.fetchGrants().filter {
            $0.services.contains(where: record.represents)
        }
        let lost =
            (try record.isAuthorized && isOnlyServiceAtTokenEndpoint(record)
                ? [Reason(.lossOfToken, ["service": record.name])] : [])
            + concerned.map { Reason(.lossOfAppTokens, ["app": $0.app.name, "service": record.name]) }
        guard !isDryRun else { return lost }
        for grant in concerned { try revoke(grant.services.filter(record.represents), of: grant) }
        try revokeTokens(at: record)
        try ingest.log(.state) { try $0.services.remove(record.link, of: record.account) }
        return lost
    }

    /// Returns a message for each service token that a sign-out also revokes, for `--dry-run`.
    package func makeRevocationMessages(forSignOutOf account: AccountID) throws -> [Reason] {
        try ingest.store.read { try $0.services.fetchAll(of: account) }.filter(\.isAuthorized)
            .map { Reason(.lossOfTokens, ["service": $0.name]) }
    }
}

extension UserServiceRecord {
    fileprivate func represents(_ service: GrantRecord.Service) -> Bool {
        service.link == link && service.account == account
    }
}

extension KnownService {
    /// Creates a known service from a stored record; `nil` if this version cannot parse the stored
    /// document.
    fileprivate init?(_ record: UserServiceRecord, account: String) {
        guard let description = record.description else { return nil }
        let protocols = description.protocolNames.filter { !ServiceDescription.tokenProtocols.contains($0) }
        let unusable = description.refusals.values.sorted { $0.english < $1.english }
        self.init(
            account: account, name: record.name, link: record.link, host: description.host,
            homePage: description.homePageLink, protocols: protocols,
            apis: protocols.compactMap { name in
                description.apis[name].map { API(named: name, description: $0) }
            },
            unusable: unusable, isAuthorized: record.isAuthorized, fetchedAt: record.fetchedAt,
            usedAt: record.usedAt)
    }

    fileprivate func matches(_ searchText: String?) -> Bool {
        (searchText ?? "").lowercased().split(whereSeparator: \.isWhitespace).allSatisfy {
            name.lowercased().contains($0) || host.lowercased().contains($0)
        }
    }
}
