package import Accounts
import CutieAPI
package import Domain
package import EventLog
package import HTTP
package import Identity
package import Logging
package import Notifications
import OAuth
import RSD2
import Store

/// Issues tokens for services of the user's institution to apps that the user has allowed.
package final class AccessProvider {
    /// The lifetime of a grant: the value of `access.remember` in the configuration.
    package var grantLifetime: Duration = .seconds(30 * 86_400)
    package let directory: ServiceDirectory
    let accounts: AccountRegistry
    let grantRegister: GrantRegister
    let tokens: TokenTree
    let authorization: ServiceAuthorizer
    let ingest: Ingest
    let httpClient: HTTPClient
    let runtime: RuntimeEnvironment
    let logger: Logger
    private let questions: Questions
    /// Notified when tokens must be revoked or grants have changed.
    let work = ChangeSignal()
    /// The time limit for the user's decision.
    private static let timeout: Duration = .seconds(120)
    private static let unverifiedGrantDuration: Duration = .seconds(3600)

    package init(
        ingest: Ingest, accounts: AccountRegistry, questions: Questions, secrets: SecretStore,
        httpClient: HTTPClient, runtime: RuntimeEnvironment, logger: Logger
    ) {
        (self.ingest, self.accounts, self.questions) = (ingest, accounts, questions)
        (self.httpClient, self.runtime, self.logger) = (httpClient, runtime, logger)
        directory = ServiceDirectory(
            accounts: accounts, store: ingest.store, httpClient: httpClient, runtime: runtime,
            logger: logger)
        grantRegister = GrantRegister(ingest: ingest, runtime: runtime)
        tokens = TokenTree(store: ingest.store, secrets: secrets)
        authorization = ServiceAuthorizer(
            tokens: tokens, secrets: secrets, httpClient: httpClient, runtime: runtime)
        work.follow(accounts.changes)
        work.follow(tokens.changes)
    }
}

extension AccessProvider {
    /// Returns tokens for an app, immediately if a grant exists, otherwise after the user has answered. The
    /// list is empty if no service matches, the user refused, or the signed assertion of the request is
    /// invalid.
    package func issueTokens(for request: ServiceAccessRequest) async throws -> [IssuedToken] {
        do throws(RequestAssertion.Problem) { try request.verifyAssertion(now: runtime.now()) } catch {
            logger.notice(
                "an app's request was not answered",
                metadata: ["app": "\(request.app.identity)", "reason": "\(error)"])
            return []
        }
        if request.isPersistent,
            let grant = try grantRegister.findValidGrant(for: request.app, protocols: request.protocols)
        {
            let answers = try await authorizeServices(ofExistingGrant: grant, for: request)
            // Do not ask the user about an existing grant again, even if a service does not respond now.
            if !answers.authorized.isEmpty || answers.isRetryable { return answers.authorized }
        }
        guard try !grantRegister.wasSimilarRequestRefused(from: request.app, for: request.protocols) else {
            return []
        }
        return try await askUserAndIssueTokens(for: request, isPersistent: request.isPersistent)
    }

    /// Revokes an app's access to services, and the tokens for these services. Returns `false` if the app had
    /// no valid grant for any of these services.
    ///
    /// - Parameters:
    /// - clientID: the client ID of the app.
    ///   - link: the service; `nil` for all services.
    package func revokeTokens(of app: AppIdentity, clientID: String, at link: String?) throws -> Bool {
        guard app.isPersistent else { return false }
        var isRevoked = false
        for grant in try grantRegister.fetchValidGrants(for: app.description, clientID: clientID) {
            let gone = grant.services.filter { link == nil || $0.link == link }
            guard !gone.isEmpty else { continue }
            try revoke(gone, of: grant)
            isRevoked = true
        }
        return isRevoked
    }
}

// MARK: - The user's decision

extension AccessProvider {
    private func askUserAndIssueTokens(for request: ServiceAccessRequest, isPersistent: Bool) async throws
        -> [IssuedToken]
    {
        try await directory.discoverServices(supporting: request.protocols, for: accounts.serviceUsers)
        let found = try directory.findServices(supporting: request.protocols)
        // If no service matches, ask the user only if no account is signed in: the question then offers to
        // sign in.
        guard !found.isEmpty || accounts.serviceUsers.isEmpty else { return [] }
        let id = try grantRegister.addRequest(from: request.app, for: request.protocols)
        do {
            switch try await questions.waitForDecision(
                on: .services(makeServicesRequest(for: request, services: found)), within: Self.timeout)
            {
            case .allowed(let chosen) where !chosen.isEmpty:
                let entries = try chosen.compactMap(directory.findEntry(for:))
                return try await grantServices(entries, for: request, grantID: id, isPersistent: isPersistent)
            // If no service was offered, `allowed` means only that the user agreed to sign in. Close the
            // request without recording a refusal by the user.
            case .allowed: try grantRegister.recordRefusal(ofRequest: id, as: .bySystem)
            case .refused: try grantRegister.recordRefusal(ofRequest: id, as: .byUser)
            case nil: try grantRegister.recordRefusal(ofRequest: id, as: .byTimeout)
            }
            return []
        } catch {
            if try grantRegister.isRequestUndecided(id) {
                try grantRegister.recordRefusal(ofRequest: id, as: .bySystem)
            }
            throw error
        }
    }

    private func makeServicesRequest(
        for request: ServiceAccessRequest, services: [ServiceDirectory.Entry]
    ) -> ServicesRequest {
        ServicesRequest(
            app: request.app.identity, name: request.app.name, program: request.program,
            isVerified: request.app.isVerified, protocols: request.protocols,
            services: services.map(OfferedService.init(_:)), isSingle: request.isSingle,
            obstacle: services.isEmpty ? .nobodySignedIn : nil)
    }

    private func grantServices(
        _ entries: [ServiceDirectory.Entry], for request: ServiceAccessRequest, grantID: Int64,
        isPersistent: Bool
    ) async throws -> [IssuedToken] {
        // An app that cannot be recognized later must ask each time, and its tokens expire soon.
        let life = isPersistent ? grantLifetime : min(grantLifetime, Self.unverifiedGrantDuration)
        // Store the grant before the first token request, so that the user is not asked again after a crash.
        try grantRegister.recordGrant(
            ofRequest: grantID, services: entries.map(GrantRecord.Service.init(_:)), lifetime: life)
        let end = runtime.now() + life
        let answers = try await authorizeServices(entries, for: request, grantID: grantID, latestExpiry: end)
        try grantRegister.revokeServices(ofGrant: grantID) { service in
            answers.refused.contains { $0.isSameService(as: service) }
        }
        work.notify()
        return answers.authorized
    }
}

// MARK: - Tokens for granted services

extension AccessProvider {
    /// The results of the token requests for a grant.
    private struct AuthorizationResult {
        var authorized: [IssuedToken] = []
        /// The services that permanently refused to issue a token.
        var refused: [GrantRecord.Service] = []
        /// Whether a token request failed temporarily.
        var isRetryable = false
    }

    /// Returns the tokens for an existing grant, without asking the user.
    private func authorizeServices(ofExistingGrant grant: GrantRecord, for request: ServiceAccessRequest)
        async throws
        -> AuthorizationResult
    {
        var entries: [ServiceDirectory.Entry] = []
        for service in grant.services {
            // Skip the service if another user is signed in now, because the grant does not apply to that
            // user.
            guard let entry = try directory.findEntry(forLink: service.link, account: service.account),
                service.isSameService(as: GrantRecord.Service(entry))
            else { continue }
            let fresh = try await directory.refreshIfStale(entry)
            if fresh.description.supports(request.protocols) { entries.append(fresh) }
        }
        if request.isSingle { entries = Array(entries.prefix(1)) }
        return try await authorizeServices(
            entries, for: request, grantID: grant.id, latestExpiry: grant.expiresAt)
    }

    /// Requests a token from each service. `grantID`: the ID of the grant. `end`: the latest expiry to report
    /// for a token.
    private func authorizeServices(
        _ entries: [ServiceDirectory.Entry], for request: ServiceAccessRequest, grantID: Int64,
        latestExpiry end: Timestamp?
    ) async throws -> AuthorizationResult {
        var answers = AuthorizationResult()
        for entry in entries {
            let failure: any Error
            do {
                guard let token = try await issueToken(at: entry, for: request, grantID: grantID) else {
                    continue
                }
                try directory.recordUse(of: entry)
                answers.authorized.append(
                    IssuedToken(
                        for: entry, protocols: request.protocols, token: token, until: end, now: runtime.now()
                    ))
                continue
            } catch let problem as AccessFailure {
                failure = problem
                if problem.isRefusal {
                    answers.refused.append(GrantRecord.Service(entry))
                } else {
                    answers.isRetryable = true
                }
            } catch let problem as SecretFailure where problem.code != .cancelled {
                (failure, answers.isRetryable) = (problem, true)
            }
            logger.notice(
                "a service issued no token for an app",
                metadata: [
                    "service": "\(entry.description.host)", "app": "\(request.app.identity)",
                    "reason": "\(failure)",
                ])
        }
        return answers
    }

    /// Returns the app's token for a service; `nil` if the grant was revoked or restricted during the token
    /// request.
    private func issueToken(
        at entry: ServiceDirectory.Entry, for request: ServiceAccessRequest, grantID: Int64
    ) async throws -> TokenTree.DecryptedToken? {
        let app = ServiceAuthorizer.App(
            id: request.app.id, clientID: request.app.clientID, identity: request.app.identity)
        let service = GrantRecord.Service(entry)
        let allowed = try grantRegister.grantedProtocols(of: request.app, at: service).union(
            request.protocols)
        let token = try await authorization.fetchToken(
            for: app, at: entry, protocols: request.protocols, isRenewal: request.isRenewal)
        guard try grantRegister.isAllowed(service, byGrant: grantID),
            try grantRegister.grantedProtocols(of: request.app, at: service).isSuperset(of: allowed)
        else {
            // Revoke the token, because its scope may include protocols that were revoked during the request.
            try revokeTokens(of: request.app, at: service, unlessGrantsAllow: allowed)
            return nil
        }
        return token
    }
}

extension ServiceDirectory {
    fileprivate func findEntry(for choice: OfferedService) throws -> Entry? {
        try findServices(supporting: []).first {
            $0.link == choice.link && $0.person.account.name == choice.account
        }
    }
}

extension OfferedService {
    fileprivate init(_ entry: ServiceDirectory.Entry) {
        self.init(
            name: entry.name, link: entry.link, host: entry.description.host,
            account: entry.person.account.name, used: entry.wasUsed)
    }
}

extension GrantRecord.Service {
    fileprivate init(_ entry: ServiceDirectory.Entry) {
        self.init(
            account: entry.record.account, link: entry.link, name: entry.name, person: entry.person.subject)
    }
}
