import CutieAPI
import EventLog
import FeedPolicy
import FoundationEssentials
import Logging
import OAuth
import Reasons
@_spi(Accounts) import Store

/// The pending token revocations after sign-outs (RFC 7009). Each revocation has an item in the outbox; the
/// token is in the secret store.
final class Revocations {
    private let session: SignInSession
    private let ingest: Ingest
    private let runtime: RuntimeEnvironment
    private let logger: Logger
    private let additions = ChangeSignal()
    private let work: UninterruptedWork
    /// The time after which a revocation is abandoned: some issuers do not allow a public client to revoke
    /// tokens, so retries would otherwise never end. No token is expected to be valid for longer.
    private static let maxRunTime: Duration = .seconds(30 * 86_400)

    init(of session: SignInSession, ingest: Ingest, work: UninterruptedWork) {
        (self.session, self.ingest, self.work) = (session, ingest, work)
        (runtime, logger) = (session.runtime, session.logger)
    }

    private var account: Account { session.account }

    /// Stores a token to revoke. Returns the ID of its outbox item.
    func add(_ token: String, kind: AuthorizationServer.TokenKind) async throws(APIFailure) -> String {
        let id = UUID().uuidString.lowercased()
        try await session.sessionSecrets.saveTokenToRevoke(token, forItem: id)
        let payload = OutboxPayload.revocation(kind.rawValue)
        do {
            let record = OutboxRecord(
                id: id, account: account.id, conversation: nil, kind: payload.kind,
                payload: String(decoding: try JSON.encode(payload), as: UTF8.self), idempotencyKey: id,
                createdAt: runtime.now())
            _ = try ingest.performChange(on: account.id) { try $0.transaction.outbox.append(record) }
        } catch {
            throw .retry(
                Reason(.signOutNotStored, reasons: ["message": Reason(describing: error)]), ambiguous: false)
        }
        additions.notify()
        return id
    }

    /// Returns whether the revocation is still pending after `limit`.
    func isStillPending(_ item: String, afterWaitingAtMost limit: Duration) async throws -> Bool {
        let isDone: Void? = try await runtime.withTimeout(limit) { [ingest] in
            while try ingest.store.read({ try $0.outbox.findItem(item) }) != nil {
                try await ingest.head.advances.wait(past: ingest.head.advances.count)
            }
        }
        return isDone == nil
    }

    /// Sends pending revocations, with backoff, until cancelled.
    func run() async throws {
        var backoff = Backoff()
        while true {
            let seen = additions.count
            let left = try await sendAll()
            if left == 0 { backoff.reset() }
            let wait = left == 0 ? nil : backoff.nextDelay(random: runtime.random(), minimumDelay: nil)
            try await runtime.wait(for: additions, past: seen, atMost: wait)
        }
    }

    /// Attempts to send all pending revocations. Returns the number of revocations that are still pending.
    private func sendAll() async throws -> Int {
        let items = try ingest.store.read { try $0.outbox.fetchItems(of: account.id) }
            .filter { $0.kind == OutboxPayload.revocationKind }
        var left = 0
        for item in items {
            do throws(APIFailure) {
                let isDone = try await work.runAPICall { [self] () throws(APIFailure) in
                    let isDone = try await send(item)
                    if isDone { try remove(item) }
                    return isDone
                }
                if !isDone { left += 1 }
            } catch {
                if case .cancelled = error { throw CancellationError() }
                left += 1
                logger.info("a revocation will be retried later", metadata: ["reason": "\(error.sentence)"])
            }
        }
        return left
    }

    private func remove(_ item: OutboxRecord) throws(APIFailure) {
        do { try ingest.log(.state) { _ = try $0.outbox.remove(item.id) } } catch {
            throw .retry(
                Reason(.outboxUnwritable, reasons: ["message": Reason(describing: error)]), ambiguous: false)
        }
    }

    /// Sends a revocation. Returns whether the revocation is complete or no longer needed.
    private func send(_ item: OutboxRecord) async throws(APIFailure) -> Bool {
        guard let token = try await session.sessionSecrets.readTokenToRevoke(forItem: item.id) else {
            return true
        }
        guard runtime.now() - item.createdAt < Self.maxRunTime else {
            try await session.sessionSecrets.deleteTokenToRevoke(forItem: item.id)
            return true
        }
        let payload = try? JSON.decode(OutboxPayload.self, from: item.payload.utf8)
        guard case .revocation(let kind) = payload else { return true }
        let server = try await session.issuer.fetchServer()
        guard
            let form = server.revocationRequest(token: token, kind: .init(rawValue: kind) ?? .refresh)
        else {
            // The issuer does not support revocation, so the token stays valid until it expires.
            try await session.sessionSecrets.deleteTokenToRevoke(forItem: item.id)
            return true
        }
        switch try await session.issuer.send(form) {
        case .body:
            try await session.sessionSecrets.deleteTokenToRevoke(forItem: item.id)
            return true
        case .refused(let refusal):
            logger.notice("the issuer refused a revocation", metadata: ["reason": "\(refusal.error)"])
            // The issuer cannot revoke this type of token, so the token stays valid until it expires.
            guard refusal.error.code.rawValue == "unsupported_token_type" else { return false }
            try await session.sessionSecrets.deleteTokenToRevoke(forItem: item.id)
            return true
        case .unanswered(let reason, _):
            logger.info("a revocation will be retried later", metadata: ["reason": "\(reason)"])
            return false
        }
    }
}
