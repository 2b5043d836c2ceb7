import Accounts
import CutieAPI
import FoundationEssentials
import Identity
import Log
import OAuth
@_spi(Access) import Store

/// The tokens of services and of apps at them, sealed in the database: each opens only in its own row.
final class TokenTree {
    private let store: Store
    private let secrets: SecretStore
    private var keys: [AccountID: SealingKey] = [:]
    /// Moves when a service has to hear that a token is over.
    let changes = Signal()

    init(store: Store, secrets: SecretStore) { (self.store, self.secrets) = (store, secrets) }

    /// What a token is for.
    struct Place {
        let kind: TokenRecord.Kind
        /// The person, or the `AppTokenOwner`.
        let subject: String
        let target: EndpointURL
        /// The service's, for an app's.
        var parent: String?
    }

    struct Opened {
        let record: TokenRecord
        let token: Token<AccessToken>

        /// Whether it will hold for a moment yet.
        func isGood(at now: Timestamp) -> Bool {
            record.expiresAt.map { now + .seconds(30) < $0 } ?? true
        }
    }

    /// nil where there is none. One whose seal does not fit its row is as absent, and goes.
    func find(_ place: Place, of account: Account) async throws -> Opened? {
        let found = try store.read {
            try $0.tokens.find(
                place.kind, of: place.subject, at: place.target.description, account: account.id)
        }
        guard let found else { return nil }
        guard let secret = try await open(found, of: account) else { return nil }
        return Opened(record: found, token: Token(secret))
    }

    /// What renews a token; nil where nothing does.
    func refreshToken(of opened: Opened, _ account: Account) async throws -> Token<RefreshToken>? {
        let children = try store.read { try $0.tokens.children(of: opened.record.id) }
        guard let record = children.first(where: { $0.kind == .refresh }) else { return nil }
        return try await open(record, of: account).map(Token.init(_:))
    }

    /// Keeps what a service gave instead of `former`, and has the service take that one back.
    func keep(
        _ answer: TokenAnswer, as place: Place, of account: Account, scope: Scope, at now: Timestamp,
        replacing former: Opened?
    ) async throws -> Opened {
        guard let former else { return try await keep(answer, as: place, of: account, scope: scope, at: now) }
        let refresh = try await refreshToken(of: former, account)
        // Some services give the same token again: revoking it as the former one would end the new one.
        if former.token == answer.accessToken || refresh.map({ $0 == answer.refreshToken }) ?? false {
            return try await keep(answer, as: place, of: account, scope: scope, at: now, renewing: former)
        }
        let kept = try await keep(answer, as: place, of: account, scope: scope, at: now)
        // Only now: where no other one is given, the app still has what it had.
        try revoke(former, at: now)
        return kept
    }

    /// Keeps what a service gave, in the place of `former` where it renews that: what hangs on it stays. What it was
    /// renewed with is not revoked: services that know it as used would end the new one, too.
    func keep(
        _ answer: TokenAnswer, as place: Place, of account: Account, scope: Scope, at now: Timestamp,
        renewing former: Opened? = nil
    ) async throws -> Opened {
        let record = TokenRecord(
            id: former?.record.id ?? Self.newID(), account: account.id, subject: place.subject,
            target: place.target.description, kind: place.kind,
            expiresAt: answer.expiresIn.map { now + .seconds($0) }, scope: scope.description,
            parent: former?.record.parent ?? place.parent, createdAt: now)
        let token = try await seal(answer.accessToken.rawValue, as: record, of: account)
        let refresh = try await answer.refreshToken.asyncMap { refresh in
            let renewal = TokenRecord(
                id: Self.newID(), account: account.id, subject: place.subject,
                target: record.target, kind: .refresh, expiresAt: nil, scope: record.scope,
                parent: record.id, createdAt: now)
            return try await seal(refresh.rawValue, as: renewal, of: account)
        }
        try store.write { transaction in
            try transaction.tokens.save(token)
            guard let refresh else { return }
            for child in try transaction.tokens.children(of: token.id) where child.kind == .refresh {
                try transaction.tokens.remove(child.id)
            }
            try transaction.tokens.save(refresh)
        }
        return Opened(record: token, token: answer.accessToken)
    }

    /// It counts no more here, nor what hangs on it; its service is told.
    func revoke(_ opened: Opened, at now: Timestamp) throws {
        try store.write { try $0.tokens.setRevoking(opened.record.id, at: now) }
        changes.notify()
    }

    /// The service has said that it counts no more.
    func dropRefreshToken(of opened: Opened) throws {
        try store.write { transaction in
            for child in try transaction.tokens.children(of: opened.record.id) where child.kind == .refresh {
                try transaction.tokens.remove(child.id)
            }
        }
    }

    /// The token as text; nil where it does not open.
    func open(_ record: TokenRecord, of account: Account) async throws -> String? {
        guard let secret = try await key(of: account).open(record.sealed, in: record.context) else {
            try store.write { try $0.tokens.remove(record.id) }
            return nil
        }
        return String(decoding: secret.bytes, as: UTF8.self)
    }

    private func seal(
        _ text: String, as record: TokenRecord, of account: Account
    ) async throws -> TokenRecord {
        guard let sealed = try await key(of: account).seal(Secret(Array(text.utf8)), in: record.context)
        else { throw AccessFailure.notSealed }
        var record = record
        record.sealed = sealed
        return record
    }

    private func key(of account: Account) async throws -> SealingKey {
        if let known = keys[account.id] { return known }
        let name = SecretName(
            account: account.name, address: account.address, type: .sealingKey, subject: "services")
        let key = try await SealingKey(name, in: secrets)
        keys[account.id] = key
        return key
    }

    private static func newID() -> String { UUID().uuidString.lowercased() }
}

extension TokenRecord {
    /// All of the row but the token: moved or changed, it does not open.
    fileprivate var context: [UInt8] {
        let columns = [
            id, String(account.rawValue), subject, target, kind.rawValue,
            expiresAt.map { String($0.milliseconds) } ?? "", scope, parent ?? "",
            String(createdAt.milliseconds),
        ]
        // Each with its length: two rows whose columns run together differently are two.
        return columns.flatMap { Array("\($0.utf8.count):\($0)".utf8) }
    }
}

extension Optional {
    fileprivate func asyncMap<Value>(_ body: (Wrapped) async throws -> Value) async rethrows -> Value? {
        if let self { try await body(self) } else { nil }
    }
}
