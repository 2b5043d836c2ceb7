import Accounts
import Config
import CutieAPI
import EventLog
import FeedPolicy
import Identity
import Logging
import OAuth
import RSD2
@_spi(Access) import Store

// MARK: - Token revocation (RFC 7009)
//
// The daemon stops using a revoked token immediately, and revokes the token at its service as soon as the
// service is reachable.

extension AccessProvider {
    /// The time after which an unsuccessful revocation is abandoned.
    private static let maxInterval: Duration = .seconds(30 * 86_400)

    /// Removes services from a grant, and revokes the app's tokens for these services.
    func revoke(_ services: [GrantRecord.Service], of grant: GrantRecord) throws {
        try grantRegister.revokeServices(ofGrant: grant.id) { services.contains($0) }
        for service in services {
            try revokeTokens(of: grant.app, at: service, unlessGrantsAllow: Set(grant.protocols))
        }
    }

    /// Revokes the app's tokens for the service unless the app's remaining grants allow all of `protocols`. A
    /// token has the scopes of all grants of the app, and its scopes cannot be reduced. So the token must be
    /// revoked when one of these grants ends.
    func revokeTokens(
        of app: GrantRecord.App, at service: GrantRecord.Service, unlessGrantsAllow protocols: Set<String>
    ) throws {
        guard try !grantRegister.grantedProtocols(of: app, at: service).isSuperset(of: protocols) else {
            return
        }
        try revokeTokens(of: service.account) { token in
            guard let owner = AppTokenOwner(of: token) else { return false }
            return owner.client == app.clientID && owner.identity == app.identity
                && owner.service == service.link && owner.person == service.person
        }
    }

    private func revokeTokens(of account: AccountID, where shouldRevoke: (TokenRecord) -> Bool) throws {
        try ingest.store.write { transaction in
            for token in try transaction.tokens.fetchActive(of: account) where shouldRevoke(token) {
                try transaction.tokens.markForRevocation(token.id, at: runtime.now())
            }
        }
        work.notify()
    }

    /// Revokes the apps' tokens for a service, and the daemon's token for the service unless another known
    /// service uses the same token.
    func revokeTokens(at service: UserServiceRecord) throws {
        let isLast = try isOnlyServiceAtTokenEndpoint(service)
        try revokeTokens(of: service.account) { token in
            isLast && token.kind == .service && token.target == service.tokenTarget
                || AppTokenOwner(of: token)?.service == service.link
        }
    }

    /// Returns whether no other service uses the token endpoint of `service`. Services with the same token
    /// endpoint share one token.
    func isOnlyServiceAtTokenEndpoint(_ service: UserServiceRecord) throws -> Bool {
        try ingest.store.read { try $0.services.fetchAll(of: service.account) }
            .allSatisfy { $0.link == service.link || $0.tokenTarget != service.tokenTarget }
    }

    /// Ends expired grants and revokes obsolete tokens, until cancelled.
    package func run() async throws {
        try grantRegister.expireOpenRequests()
        try await race({ try await self.runGrantExpiry() }, { try await self.runRevocations() })
    }

    /// Ends expired grants and the grants of signed-out users, and marks the tokens of these grants as
    /// revoked. Runs until cancelled. Sends no requests, because an unreachable service must not delay the
    /// end of another grant.
    private func runGrantExpiry() async throws {
        var followed: Set<ObjectIdentifier> = []
        while true {
            let seen = work.count
            for session in accounts.units.compactMap({ $0.signIn?.session })
            where followed.insert(ObjectIdentifier(session)).inserted {
                work.follow(session.changes)
            }
            try endExpiredGrants()
            try endGrantsOfSignedOutUsers()
            try revokeTokensOfSignedOutUsers()
            try await runtime.wait(for: work, past: seen, atMost: try timeUntilNextExpiry())
        }
    }

    private func runRevocations() async throws {
        var backoff = Backoff()
        while true {
            let seen = work.count
            let left = try await sendRevocations()
            if left == 0 { backoff.reset() }
            let retry = left == 0 ? nil : backoff.nextDelay(random: runtime.random(), minimumDelay: nil)
            try await runtime.wait(for: work, past: seen, atMost: retry)
        }
    }

    private func endExpiredGrants() throws {
        let now = runtime.now()
        for grant in try grantRegister.fetchGrants() {
            guard let end = grant.expiresAt, end <= now else { continue }
            try grantRegister.markGrantExpired(grant.id)
            for service in grant.services {
                try revokeTokens(of: grant.app, at: service, unlessGrantsAllow: Set(grant.protocols))
            }
        }
    }

    private func timeUntilNextExpiry() throws -> Duration? {
        try grantRegister.fetchGrants().compactMap(\.expiresAt).min().map {
            runtime.duration(until: $0)
        }
    }

    /// Returns whether the user has signed out, or another user has signed in.
    private func isNoLongerSignedIn(_ userID: String?, to account: AccountID) -> Bool {
        // Treat the user as signed in if the account is not configured. Also treat the user as signed in if
        // the issuer ended the session, because the same user may sign in again.
        guard let session = accounts[account]?.signIn?.session else { return false }
        return userID == nil || session.claims?.subject != userID
    }

    /// Ends the grants of users who have signed out, because the grants do not apply to the next user.
    private func endGrantsOfSignedOutUsers() throws {
        for grant in try grantRegister.fetchGrants() {
            let expiredServices = grant.services.filter { isNoLongerSignedIn($0.person, to: $0.account) }
            if !expiredServices.isEmpty { try revoke(expiredServices, of: grant) }
        }
    }

    private func revokeTokensOfSignedOutUsers() throws {
        let tokens = try ingest.store.read { try $0.tokens.fetchActive() }
        // Revoke app tokens that a previous version stored without an owner: no app can use these tokens, and
        // the end of a grant would not revoke them.
        for token in tokens where token.kind == .app && AppTokenOwner(of: token) == nil {
            try revokeTokens(of: token.account) { $0.id == token.id }
        }
        for token in tokens
        where token.kind == .service && isNoLongerSignedIn(token.subject, to: token.account) {
            try revokeTokens(of: token.account) { $0.id == token.id }
        }
    }

    /// Sends pending revocations. Returns the number of revocations that are still pending.
    private func sendRevocations() async throws -> Int {
        var left = 0
        var away: Set<RevocationTarget> = []
        for token in try ingest.store.read({ try $0.tokens.fetchTokensToRevoke() }) {
            guard
                try ingest.store.read({ try $0.tokens.fetchTokensToRevoke() }).contains(where: {
                    $0.id == token.id
                })
            else { continue }
            let endpoint = RevocationTarget(account: token.account, target: token.target)
            // After a failure, skip the other tokens of the same endpoint until the next round.
            if !away.contains(endpoint), try await sendRevocation(of: token) {
                try ingest.store.write { try $0.tokens.remove(token.id) }
            } else {
                left += 1
                away.insert(endpoint)
            }
        }
        return left
    }

    private struct RevocationTarget: Hashable {
        let account: AccountID
        let target: String
    }

    /// Sends the revocation. Returns `false` if the caller must retry the revocation.
    private func sendRevocation(of token: TokenRecord) async throws -> Bool {
        let age = runtime.now() - (token.markedForRevocationAt ?? token.createdAt)
        guard age < Self.maxInterval, let account = accounts[token.account]?.account,
            let target = try? EndpointURL(token.target)
        else { return age >= Self.maxInterval }
        let text: String?
        do { text = try await tokens.decryptOrDelete(token, of: account) } catch let failure as SecretFailure
            where failure.code != .cancelled
        {
            logger.info("a token will be revoked later", metadata: ["reason": "\(failure)"])
            return false
        }
        guard let text else { return true }
        let server = ServiceAuthorizationServer(
            token: target, revocation: target.revocation, clientID: account.configuration.signIn.clientID)
        let kind: AuthorizationServer.TokenKind = token.kind == .refresh ? .refresh : .access
        guard let form = server.revocationRequest(token: text, kind: kind) else { return true }
        let caller = FormClient(to: .service, httpClient: httpClient, runtime: runtime) {
            account.tlsPolicy(forServiceAt: $0.origin)
        }
        switch try await caller.send(form) {
        // Retry only a temporary refusal. After a permanent refusal, nothing remains to be revoked: the
        // service did not issue the token, or does not support revocation.
        case .refused(let refusal) where refusal.isTemporary:
            logger.info("a service token will be revoked later", metadata: ["reason": "\(refusal.error)"])
            return false
        case .body, .refused, .moved, .withoutErrorCode: return true
        case .unanswered(let reason, _):
            logger.info("a service token will be revoked later", metadata: ["reason": "\(reason)"])
            return false
        }
    }
}

extension EndpointURL {
    /// The conventional revocation endpoint: the token endpoint with `/revoke` in place of `/token`; `nil` if
    /// the token endpoint does not end in `/token`.
    fileprivate var revocation: EndpointURL? {
        guard description.hasSuffix("/token") else { return nil }
        return try? EndpointURL(description.dropLast("token".count) + "revoke")
    }
}
