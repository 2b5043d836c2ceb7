import Crypto
import CutieAPI
import Foundation
import GRDB

/// The validated parameters of an authorization request (RFC 6749, 4.1.1; RFC 7636).
struct AuthorizationRequest: Sendable {
    let client: TokenClient
    let redirect: String
    let scopes: Set<Scope>
    /// The PKCE challenge: the S256 hash of the code verifier.
    let challenge: String
    let nonce: String?
}

extension SandboxTransaction {
    /// Creates and returns a one-time authorization code, which expires after ten minutes.
    func issueAuthorizationCode(
        for request: AuthorizationRequest, by admin: Admin, authenticatedAt time: Timestamp
    ) throws
        -> String
    {
        try database.run(
            sql: "DELETE FROM authorizationCode WHERE expiresAt <= ?", arguments: [now.milliseconds])
        let code = RandomText.makeID(prefix: "cutie_ac_")
        try database.run(
            sql: """
                INSERT INTO authorizationCode (code, clientID, redirect, scopes, challenge, nonce, adminID,
                    authenticatedAt, expiresAt)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                code, request.client.id, request.redirect, request.scopes.scopeList, request.challenge,
                request.nonce, admin.id, time.milliseconds, now.advanced(bySeconds: 600).milliseconds,
            ])
        return code
    }

    /// Exchanges an authorization code for tokens. A second use of a code may come from an attacker, so the
    /// second use revokes the tokens from the first use.
    func redeemAuthorizationCode(
        by credentials: ClientCredentials, form: FormParameters, rules: TokenRules
    ) throws -> Result<IssuedTokens, Refusal> {
        let client = try credentials.authenticateClient(in: database)
        let code = try form.requireParameter("code")
        let row = try database.fetchRow(
            sql: "SELECT * FROM authorizationCode WHERE code = ? AND expiresAt > ?",
            arguments: [code, now.milliseconds])
        guard let row, row["clientID"] == client.id, let admin = try database.findAdmin(id: row["adminID"])
        else {
            throw Refusal.oauthError(
                "invalid_grant", "the code is unknown, expired or belongs to another client")
        }
        if let family = row["family"] as String? {
            try revokeFamily(family)
            return .failure(
                .oauthError(
                    "invalid_grant", "the code was already used; all tokens derived from it were revoked"))
        }
        guard try form.requireParameter("redirect_uri") == row["redirect"] else {
            throw Refusal.oauthError(
                "invalid_grant", "redirect_uri does not match the one that the code was sent to")
        }
        guard CodeChallenge.compute(from: try form.requireParameter("code_verifier")) == row["challenge"]
        else {
            throw Refusal.oauthError("invalid_grant", "code_verifier does not match code_challenge")
        }
        let signIn = TokenGrant(
            admin: admin, client: client.id, scopes: Set(scopeList: row["scopes"]) ?? [],
            authenticatedAt: Timestamp(milliseconds: row["authenticatedAt"]), nonce: row["nonce"])
        let (tokens, family) = try createTokenFamily(for: signIn, rules: rules)
        try database.run(
            sql: "UPDATE authorizationCode SET family = ? WHERE code = ?", arguments: [family, code])
        return .success(tokens)
    }
}

/// Proof Key for Code Exchange (PKCE, RFC 7636), which prevents another client from redeeming an
/// authorization code.
enum CodeChallenge {
    /// Returns the S256 challenge of a verifier; `nil` if the verifier is invalid.
    static func compute(from verifier: String) -> String? {
        guard isVerifier(verifier) else { return nil }
        return Data(SHA256.hash(data: Data(verifier.utf8))).base64URL
    }

    /// Returns whether the text has the length and the characters of an S256 challenge (32 bytes in
    /// base64url).
    static func isChallenge(_ text: String) -> Bool { text.utf8.count == 43 && isVerifier(text) }

    private static func isVerifier(_ text: String) -> Bool {
        (43...128).contains(text.utf8.count) && FormParameters.encodeValue(text) == text
    }
}
