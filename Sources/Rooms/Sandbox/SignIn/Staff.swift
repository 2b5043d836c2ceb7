import CutieAPI
import GRDB

/// Who calls with an access token: a person who signed in, or a program with a secret of its own.
struct Staff: Sendable {
    let scopes: Set<Scope>
    let clientID: String?
    let person: Admin?
    let expiresAt: Timestamp

    /// The sandbox itself, which sees everything.
    static let desk = Staff(
        scopes: .all, clientID: nil, person: nil, expiresAt: Timestamp(milliseconds: .max))

    /// As messages name their sender, and conversations whom they are assigned to.
    var id: String { person?.id ?? clientID ?? "admin_sandbox" }
    var name: String { person?.name ?? "Support" }
}

extension Database {
    /// Whose access token it is. Throws 401 where it is unknown or has expired, 403 where it lacks one of `scopes`.
    @discardableResult
    func requireAdmin(_ accessToken: String, _ scopes: Scope...) throws -> Staff {
        guard let staff = try signedIn(accessToken) ?? delegate(accessToken) else {
            var refusal = Refusal(.unauthorized, "invalid or expired access token")
            refusal.challenge = "Bearer error=\"invalid_token\""
            throw refusal
        }
        guard staff.scopes.isSuperset(of: scopes) else {
            throw Refusal.lacking(Set(scopes).subtracting(staff.scopes))
        }
        return staff
    }

    /// An app, in the name of a person; nil where the token is unknown or has expired.
    private func delegate(_ accessToken: String) throws -> Staff? {
        guard let (grant, expiry) = try serviceGrant(accessToken),
            let person = try Admin.fetchOne(
                self, sql: "SELECT * FROM admin WHERE subject = ?", arguments: [grant.subject])
        else { return nil }
        // With a client's own token apps get theirs, and nothing else.
        let scopes = grant.appID == nil ? [] : Set(grant.scopes.compactMap(Scope.init(rawValue:)))
        return Staff(scopes: scopes, clientID: grant.clientID, person: person, expiresAt: expiry)
    }

    /// Who signed in, or which program; nil where the token is unknown or has expired.
    func signedIn(_ accessToken: String) throws -> Staff? {
        let row = try row(
            sql: """
                SELECT adminToken.expiresAt, adminToken.scopes, adminToken.clientID, signIn.adminID
                FROM adminToken LEFT JOIN signIn ON signIn.id = adminToken.family
                WHERE token = ? AND kind = 'access'
                """,
            arguments: [accessToken])
        let expiry = row.map { Timestamp(milliseconds: $0["expiresAt"]) }
        guard let row, let expiry, expiry > .now else { return nil }
        let words: String? = row["scopes"]
        let own = words.flatMap { Set(words: $0) } ?? .all
        let adminID: String? = row["adminID"]
        return Staff(
            scopes: own, clientID: row["clientID"], person: try adminID.flatMap { try admin(id: $0) },
            expiresAt: expiry)
    }
}
