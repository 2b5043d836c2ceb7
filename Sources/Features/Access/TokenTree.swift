import Accounts
import CutieAPI
import EventLog
import FoundationEssentials
import Identity
import OAuth
@_spi(Access) import Store

/// The tokens for services, and the dependent tokens of apps. All tokens are stored encrypted in the
/// database; each token can be decrypted only in the row for which it was encrypted.
final class TokenTree {
    private let store: MessageStore
    private let secrets: SecretStore
    private var keys: [AccountID: SealingKey] = [:]
    /// Notified when a token must be revoked at its service.
    let changes = ChangeSignal()

    init(store: MessageStore, secrets: SecretStore) { (self.store, self.secrets) = (store, secrets) }

    /// The properties that identify a token.
    struct TokenKey {
        let kind: TokenRecord.Kind
        /// The user's subject, or the `AppTokenOwner`.
        let subject: String
        let target: EndpointURL
        /// The ID of the service's token, if this is the token of an app; otherwise `nil`.
        var parent: String?
    }

    struct DecryptedToken {
        let record: TokenRecord
        let token: Token<AccessToken>

        /// Returns whether the token stays valid for at least 30 seconds.
        func isValid(at now: Timestamp) -> Bool {
            record.expiresAt.map { now + .seconds(30) < $0 } ?? true
        }
    }

    /// Returns the token; `nil` if there is none. If the token cannot be decrypted, deletes it and returns
    /// `nil`.
    func findOrDiscardToken(for key: TokenKey, of account: Account) async throws -> DecryptedToken? {
        let found = try store.read {
            try $0.tokens.find(
                key.kind, ofSubject: key.subject, issuedBy: key.target.description, account: account.id)
        }
        guard let found else { return nil }
        guard let secret = try await decryptOrDelete(found, of: account) else { return nil }
        return DecryptedToken(record: found, token: Token(secret))
    }

    /// Returns the refresh token; `nil` if there is none.
    func decryptRefreshToken(of accessToken: DecryptedToken, account: Account) async throws -> Token<
        RefreshToken
    >? {
        let children = try store.read { try $0.tokens.fetchChildren(of: accessToken.record.id) }
        guard let record = children.first(where: { $0.kind == .refresh }) else { return nil }
        return try await decryptOrDelete(record, of: account).map(Token.init(_:))
    }

    /// Stores a new token in place of `former`. Revokes `former` at the service, unless the response contains
    /// the access token or the refresh token of `former`.
    func save(
        _ response: TokenResponse, as key: TokenKey, of account: Account, scope: Scope, at now: Timestamp,
        replacing former: DecryptedToken?
    ) async throws -> DecryptedToken {
        guard let former else { return try await save(response, as: key, of: account, scope: scope, at: now) }
        let refresh = try await decryptRefreshToken(of: former, account: account)
        // If the service issued the same token again, do not revoke the token, because it is still in use.
        if former.token == response.accessToken || refresh.map({ $0 == response.refreshToken }) ?? false {
            return try await save(response, as: key, of: account, scope: scope, at: now, renewing: former)
        }
        let kept = try await save(response, as: key, of: account, scope: scope, at: now)
        // Revoke the previous token last: if the new token cannot be stored, the app still has the previous
        // token.
        try revoke(former, at: now)
        return kept
    }

    /// Stores a new token. A token that renews `former` replaces `former` in its row, so that the dependent
    /// tokens stay valid. The used refresh token is not revoked, because a service could then also revoke the
    /// new token.
    func save(
        _ response: TokenResponse, as key: TokenKey, of account: Account, scope: Scope, at now: Timestamp,
        renewing former: DecryptedToken? = nil
    ) async throws -> DecryptedToken {
        let record = TokenRecord(
            id: former?.record.id ?? Self.makeID(), account: account.id, subject: key.subject,
            target: key.target.description, kind: key.kind,
            expiresAt: response.expiresIn.map { now + .seconds($0) }, scope: scope.description,
            parent: former?.record.parent ?? key.parent, createdAt: now)
        let token = try await addingEncryptedToken(response.accessToken.rawValue, to: record, of: account)
        let refresh = try await response.refreshToken.asyncMap { refresh in
            let renewal = TokenRecord(
                id: Self.makeID(), account: account.id, subject: key.subject,
                target: record.target, kind: .refresh, expiresAt: nil, scope: record.scope,
                parent: record.id, createdAt: now)
            return try await addingEncryptedToken(refresh.rawValue, to: renewal, of: account)
        }
        try store.write { transaction in
            try transaction.tokens.save(token)
            guard let refresh else { return }
            for child in try transaction.tokens.fetchChildren(of: token.id) where child.kind == .refresh {
                try transaction.tokens.remove(child.id)
            }
            try transaction.tokens.save(refresh)
        }
        return DecryptedToken(record: token, token: response.accessToken)
    }

    /// Marks the token and its dependent tokens as revoked. The service is notified later.
    func revoke(_ token: DecryptedToken, at now: Timestamp) throws {
        try store.write { try $0.tokens.markForRevocation(token.record.id, at: now) }
        changes.notify()
    }

    /// Deletes the refresh token after the service reported it as invalid.
    func deleteRefreshToken(of accessToken: DecryptedToken) throws {
        try store.write { transaction in
            for child in try transaction.tokens.fetchChildren(of: accessToken.record.id)
            where child.kind == .refresh {
                try transaction.tokens.remove(child.id)
            }
        }
    }

    /// Returns the decrypted token. If it cannot be decrypted, deletes the row and returns `nil`.
    func decryptOrDelete(_ record: TokenRecord, of account: Account) async throws -> String? {
        guard
            let secret = try await findOrCreateSealingKey(of: account).decrypt(
                record.encryptedToken, authenticating: record.context)
        else {
            try store.write { try $0.tokens.remove(record.id) }
            return nil
        }
        return String(decoding: secret.bytes, as: UTF8.self)
    }

    private func addingEncryptedToken(
        _ plaintext: String, to record: TokenRecord, of account: Account
    ) async throws -> TokenRecord {
        guard
            let encryptedToken = try await findOrCreateSealingKey(of: account).encrypt(
                Secret(Array(plaintext.utf8)), authenticating: record.context)
        else { throw AccessFailure.notSealed }
        var record = record
        record.encryptedToken = encryptedToken
        return record
    }

    private func findOrCreateSealingKey(of account: Account) async throws -> SealingKey {
        if let known = keys[account.id] { return known }
        let name = SecretName(
            account: account.name, address: account.address, type: .sealingKey, subject: "services")
        let key = try await SealingKey(loadingOrCreating: name, in: secrets)
        keys[account.id] = key
        return key
    }

    private static func makeID() -> String { UUID().uuidString.lowercased() }
}

extension TokenRecord {
    /// The additional authenticated data of the encryption: all columns except the token. If the row is moved
    /// or changed, the token cannot be decrypted.
    fileprivate var context: [UInt8] {
        let columns = [
            id, String(account.rawValue), subject, target, kind.rawValue,
            expiresAt.map { String($0.milliseconds) } ?? "", scope, parent ?? "",
            String(createdAt.milliseconds),
        ]
        // Write the length before each column, so that the encoding is unambiguous.
        return columns.flatMap { Array("\($0.utf8.count):\($0)".utf8) }
    }
}

extension Optional {
    fileprivate func asyncMap<Value>(_ body: (Wrapped) async throws -> Value) async rethrows -> Value? {
        if let self { try await body(self) } else { nil }
    }
}
