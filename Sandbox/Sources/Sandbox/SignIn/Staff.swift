import CutieAPI
import GRDB

/// The owner of an access token: an admin who signed in, or a program with a client secret.
struct Staff: Sendable {
    let scopes: Set<Scope>
    let clientID: String?
    let admin: Admin?
    let expiresAt: Timestamp

    /// An owner without an access token, for queries that the sandbox itself makes. This owner has access
    /// to all data.
    static let unrestricted = Staff(
        scopes: .all, clientID: nil, admin: nil, expiresAt: Timestamp(milliseconds: .max))

    /// The owner's ID as the sender of messages and the assignee of conversations.
    var id: String { admin?.id ?? clientID ?? "admin_sandbox" }
    var name: String { admin?.name ?? "Support" }
}

extension Database {
    /// Returns the owner of an access token.
    ///
    /// - Throws: `Refusal` (401 if the token is unknown or has expired, 403 if the token lacks a scope in
    ///   `scopes`).
    @discardableResult
    func requireAdmin(ofAccessToken accessToken: String, scopes: Scope...) throws -> Staff {
        guard
            let staff = try findSignedInStaff(ofAccessToken: accessToken)
                ?? findDelegatingStaff(ofAccessToken: accessToken)
        else {
            var refusal = Refusal(.unauthorized, "invalid or expired access token")
            refusal.challenge = "Bearer error=\"invalid_token\""
            throw refusal
        }
        guard staff.scopes.isSuperset(of: scopes) else {
            throw Refusal.insufficientScope(missing: Set(scopes).subtracting(staff.scopes))
        }
        return staff
    }

    /// Returns the client that owns a service token, together with the user of the token's grant; `nil` if
    /// the token is unknown or has expired.
    private func findDelegatingStaff(ofAccessToken accessToken: String) throws -> Staff? {
        guard let (grant, expiry) = try findServiceGrant(ofAccessToken: accessToken),
            let admin = try Admin.fetchOne(
                self, sql: "SELECT * FROM admin WHERE subject = ?", arguments: [grant.subject])
        else { return nil }
        // A client's own token has no API scopes, because the client uses the token only to get tokens for
        // its apps.
        let scopes = grant.appID == nil ? [] : Set(grant.scopes.compactMap(Scope.init(rawValue:)))
        return Staff(scopes: scopes, clientID: grant.clientID, admin: admin, expiresAt: expiry)
    }

    /// Returns the user or the client that the access token was issued to; `nil` if the token is unknown
    /// or has expired.
    func findSignedInStaff(ofAccessToken accessToken: String) throws -> Staff? {
        let row = try fetchRow(
            sql: """
                SELECT adminToken.expiresAt, adminToken.scopes, adminToken.clientID, signIn.adminID
                FROM adminToken LEFT JOIN signIn ON signIn.id = adminToken.family
                WHERE token = ? AND kind = 'access'
                """,
            arguments: [accessToken])
        let expiry = row.map { Timestamp(milliseconds: $0["expiresAt"]) }
        guard let row, let expiry, expiry > .now else { return nil }
        let words: String? = row["scopes"]
        let own = words.flatMap { Set(scopeList: $0) } ?? .all
        let adminID: String? = row["adminID"]
        return Staff(
            scopes: own, clientID: row["clientID"], admin: try adminID.flatMap { try findAdmin(id: $0) },
            expiresAt: expiry)
    }
}
