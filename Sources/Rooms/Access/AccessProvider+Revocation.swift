import Accounts
import Config
import CutieAPI
import Inbox
import Log
import Logging
import OAuth
import RSD2
@_spi(Access) import Store

/// Token revocation, at the person's request: RFC 7009. What is given back counts here no more at once; its service
/// hears of it as soon as it answers.
extension AccessProvider {
    /// A service that does not answer for so long is not told any more.
    private static let longest: Duration = .seconds(30 * 86_400)

    /// Takes services from a grant, with the tokens of its app at them.
    func revoke(_ services: [GrantRecord.Service], of grant: GrantRecord) throws {
        try book.revoke(grant.id) { services.contains($0) }
        for service in services {
            try revokeTokens(of: grant.app, at: service, goodFor: Set(grant.protocols))
        }
    }

    /// The app's tokens there that are good for `protocols`, unless its grants still allow each of these: one token
    /// has the scopes of all grants, and must not outlive the first of them that ends.
    func revokeTokens(
        of app: GrantRecord.App, at service: GrantRecord.Service, goodFor protocols: Set<String>
    ) throws {
        guard try !book.protocols(of: app, at: service).isSuperset(of: protocols) else { return }
        try revokeTokens(of: service.account) { token in
            guard let owner = AppTokenOwner(of: token) else { return false }
            return owner.client == app.clientID && owner.identity == app.identity
                && owner.service == service.link
        }
    }

    private func revokeTokens(of account: AccountID, where isOver: (TokenRecord) -> Bool) throws {
        try ingest.store.write { transaction in
            for token in try transaction.tokens.all(of: account) where isOver(token) {
                try transaction.tokens.setRevoking(token.id, at: surroundings.now())
            }
        }
        work.notify()
    }

    /// Gives back what apps have at a service, and the service's own token with it where no other service that is
    /// known uses it.
    func revokeTokens(at service: UserServiceRecord) throws {
        let isLast = try isLastAtItsEndpoint(service)
        try revokeTokens(of: service.account) { token in
            isLast && token.kind == .service && token.target == service.tokenTarget
                || AppTokenOwner(of: token)?.service == service.link
        }
    }

    /// Several services may have their tokens from one endpoint: there the desktop has one token for all of them.
    func isLastAtItsEndpoint(_ service: UserServiceRecord) throws -> Bool {
        try ingest.store.read { try $0.services.all(of: service.account) }
            .allSatisfy { $0.link == service.link || $0.tokenTarget != service.tokenTarget }
    }

    /// Ends what has run out, gives back what is over, until it is cancelled.
    package func run() async throws {
        try book.endRequests()
        var backoff = Backoff()
        var followed: Set<ObjectIdentifier> = []
        while true {
            let seen = work.count
            for session in accounts.units.compactMap({ $0.signIn?.session })
            where followed.insert(ObjectIdentifier(session)).inserted {
                work.follow(session.changes)
            }
            try endWhatRanOut()
            try giveBackOfWhoLeft()
            let left = try await sendRevocations()
            if left == 0 { backoff.reset() }
            let retry = left == 0 ? nil : backoff.next(random: surroundings.random(), floor: nil)
            let wait = [retry, try nextEnd()].compactMap(\.self).min()
            try await surroundings.wait(for: work, past: seen, atMost: wait)
        }
    }

    private func endWhatRanOut() throws {
        let now = surroundings.now()
        for grant in try book.all() where grant.state == .granted {
            guard let end = grant.expiresAt, end <= now else { continue }
            try book.expire(grant.id)
            for service in grant.services {
                try revokeTokens(of: grant.app, at: service, goodFor: Set(grant.protocols))
            }
        }
    }

    private func nextEnd() throws -> Duration? {
        try book.all().filter { $0.state == .granted }.compactMap(\.expiresAt).min().map {
            surroundings.wait(until: $0)
        }
    }

    /// Tokens that are of somebody who signed out, or of whom another one took the place.
    private func giveBackOfWhoLeft() throws {
        let tokens = try ingest.store.read { try $0.tokens.all() }
        // Rows of an earlier version: nobody finds them, and nothing else would give them back.
        for token in tokens where token.kind == .app && AppTokenOwner(of: token) == nil {
            try ingest.store.write { try $0.tokens.setRevoking(token.id, at: surroundings.now()) }
        }
        for token in tokens where token.kind == .service {
            // Of an account that is not configured now nobody knows; one that has ended may come back.
            guard let session = accounts[token.account]?.signIn?.session,
                session.claims?.subject != token.subject
            else { continue }
            try ingest.store.write { try $0.tokens.setRevoking(token.id, at: surroundings.now()) }
        }
    }

    /// Returns how many are left.
    private func sendRevocations() async throws -> Int {
        var left = 0
        for token in try ingest.store.read({ try $0.tokens.revoking() }) {
            guard try ingest.store.read({ try $0.tokens.revoking() }).contains(where: { $0.id == token.id })
            else { continue }
            if try await isOver(token) {
                try ingest.store.write { try $0.tokens.remove(token.id) }
            } else {
                left += 1
            }
        }
        return left
    }

    /// True where nothing is left to do.
    private func isOver(_ token: TokenRecord) async throws -> Bool {
        let age = surroundings.now() - (token.revokingSince ?? token.createdAt)
        guard age < Self.longest, let account = accounts[token.account]?.account,
            let target = try? EndpointURL(token.target)
        else { return age >= Self.longest }
        guard let text = try await tokens.open(token, of: account) else { return true }
        let server = ServiceServer(
            token: target, revocation: target.revocation, clientID: account.configuration.signIn.clientID)
        let kind: AuthorizationServer.TokenKind = token.kind == .refresh ? .refresh : .access
        guard let form = server.revoking(text, kind: kind) else { return true }
        let caller = FormCaller(transport: transport, surroundings: surroundings) {
            account.tls(for: $0.origin)
        }
        switch try await caller.send(form) {
        // A refusal will be the same another time: the token is not theirs, or they do not do that.
        case .body, .refused, .moved, .wordless: return true
        case .unanswered(let reason, _):
            logger.info("a service's token is given back later", metadata: ["reason": "\(reason)"])
            return false
        }
    }
}

extension EndpointURL {
    /// Beside a service's token endpoint.
    fileprivate var revocation: EndpointURL? {
        guard description.hasSuffix("/token") else { return nil }
        return try? EndpointURL(description.dropLast("token".count) + "revoke")
    }
}
