import CutieAPI
import Identity
import OAuth
import Reasons
import Store

/// Stores the tokens of one account in the secret store, keyed by the issuer and the user.
struct SessionSecrets {
    private let account: Account
    private let issuer: APIAddress
    private let secrets: SecretStore

    init(of account: Account, issuer: APIAddress, secrets: SecretStore) {
        (self.account, self.issuer, self.secrets) = (account, issuer, secrets)
    }

    func readTokens(of subject: String) async throws(APIFailure) -> SessionTokens? {
        try await mappingErrors { () throws(SecretFailure) in
            let refresh = try await secrets.findSecret(
                named: secretName(for: .refreshToken, subject: subject))?.token(
                    ofType: Token<RefreshToken>.self)
            let access = try await secrets.findSecret(named: secretName(for: .accessToken, subject: subject))
                .flatMap { try? JSON.decode(StoredAccessToken.self, from: $0.bytes) }
            if let access { return SessionTokens(access, refresh: refresh) }
            guard let refresh else { return nil }
            // If only the refresh token is stored, use the refresh token to obtain a new access token.
            return SessionTokens(lost: refresh)
        }
    }

    /// Stores the refresh token, or deletes the previous refresh token if there is no new one; then stores
    /// the access token. After a crash between the writes, the daemon refreshes the old access token with the
    /// new refresh token.
    func save(_ tokens: SessionTokens, of subject: String) async throws(APIFailure) {
        let access = Secret((try? JSON.encode(StoredAccessToken(tokens))) ?? [])
        try await mappingErrors { () throws(SecretFailure) in
            if let refresh = tokens.refresh {
                try await secrets.store(Secret(refresh), as: secretName(for: .refreshToken, subject: subject))
            } else {
                try await secrets.deleteSecret(named: secretName(for: .refreshToken, subject: subject))
            }
            try await secrets.store(access, as: secretName(for: .accessToken, subject: subject))
        }
    }

    func deleteTokens(of subject: String) async throws(APIFailure) {
        try await mappingErrors { () throws(SecretFailure) in
            try await secrets.deleteSecret(named: secretName(for: .refreshToken, subject: subject))
            try await secrets.deleteSecret(named: secretName(for: .accessToken, subject: subject))
        }
    }

    /// Returns the token that an outbox item revokes; `nil` if it was deleted.
    func readTokenToRevoke(forItem item: String) async throws(APIFailure) -> String? {
        try await mappingErrors { () throws(SecretFailure) in
            try await secrets.findSecret(named: secretName(for: .revoking, subject: item)).map {
                String(decoding: $0.bytes, as: UTF8.self)
            }
        }
    }

    func saveTokenToRevoke(_ token: String, forItem item: String) async throws(APIFailure) {
        try await mappingErrors { () throws(SecretFailure) in
            try await secrets.store(Secret(Array(token.utf8)), as: secretName(for: .revoking, subject: item))
        }
    }

    func deleteTokenToRevoke(forItem item: String) async throws(APIFailure) {
        try await mappingErrors { () throws(SecretFailure) in
            try await secrets.deleteSecret(named: secretName(for: .revoking, subject: item))
        }
    }

    func readPendingAuthorization() async throws(APIFailure) -> PendingAuthorization? {
        try await mappingErrors { () throws(SecretFailure) in
            try await secrets.findSecret(named: secretName(for: .signingIn, subject: account.name))
                .flatMap { try? JSON.decode(PendingAuthorization.self, from: $0.bytes) }
        }
    }

    /// Stores a pending authorization; `nil` deletes it.
    func savePendingAuthorization(_ authorization: PendingAuthorization?) async throws(APIFailure) {
        let bytes = authorization.flatMap { try? JSON.encode($0) }
        try await mappingErrors { () throws(SecretFailure) in
            let name = secretName(for: .signingIn, subject: account.name)
            if let bytes {
                try await secrets.store(Secret(bytes), as: name)
            } else {
                try await secrets.deleteSecret(named: name)
            }
        }
    }

    private func secretName(for type: SecretType, subject: String) -> SecretName {
        SecretName(account: account.name, address: issuer, type: type, subject: subject)
    }

    private func mappingErrors<Value>(
        _ body: () async throws(SecretFailure) -> Value
    ) async throws(APIFailure) -> Value {
        do { return try await body() } catch {
            throw error.code == .cancelled ? .cancelled : .retry(error.reason, ambiguous: false)
        }
    }
}

extension SessionTokens {
    /// Creates tokens from a refresh token if the access token was lost. An expired placeholder replaces the
    /// access token, so that a new token is requested before the first use.
    fileprivate init(lost refresh: Token<RefreshToken>) {
        // With a reception time in 1970, the access token is due for a refresh immediately.
        self.init(
            StoredAccessToken(
                token: "lost", life: TokenLifetime(receivedAt: .epoch, expiresIn: 1), scope: []),
            refresh: refresh)
    }
}

extension StoredAccessToken {
    fileprivate init(token: Token<AccessToken>, life: TokenLifetime, scope: [String]) {
        (self.token, self.life, self.scope) = (token, life, scope)
    }
}
