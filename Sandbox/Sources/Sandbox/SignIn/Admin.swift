import CutieAPI
import GRDB

/// A support account.
struct Admin: Sendable, FetchableRecord {
    /// The ID of the admin in conversations and messages.
    let id: String
    /// The ID of the admin in ID tokens (the `sub` claim).
    let subject: String
    let name: String
    let email: String
    let isEmailVerified: Bool

    init(row: Row) {
        id = row["id"]
        subject = row["subject"]
        name = row["name"]
        email = row["email"]
        isEmailVerified = row["isEmailVerified"]
    }
}

/// The data of a new account.
struct NewAdmin: Sendable {
    let name: String
    let email: EmailAddress
    let password: PasswordHash
    var isEmailVerified = false
}

extension Database {
    func findAdmin(id: String) throws -> Admin? {
        try Admin.fetchOne(self, sql: "SELECT * FROM admin WHERE id = ?", arguments: [id])
    }

    func findAdmin(email: EmailAddress) throws -> Admin? {
        try Admin.fetchOne(self, sql: "SELECT * FROM admin WHERE email = ?", arguments: [email.key])
    }

    func findPasswordHash(of admin: Admin) throws -> PasswordHash? {
        let text = try String.fetchOne(
            self, sql: "SELECT password FROM admin WHERE id = ?", arguments: [admin.id])
        return text.flatMap(PasswordHash.init(text:))
    }
}

extension SandboxTransaction {
    /// Stores a new account.
    ///
    /// - Throws: `Refusal` (409) if another account already has this e-mail address.
    func addAdmin(_ newAdmin: NewAdmin) throws -> Admin {
        guard try database.findAdmin(email: newAdmin.email) == nil else {
            throw Refusal(.conflict, "an account with this e-mail address already exists")
        }
        let id = RandomText.makeID(prefix: "admin_")
        try database.run(
            sql: """
                INSERT INTO admin (id, subject, name, email, isEmailVerified, password, createdAt)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                id, RandomText.makeID(prefix: "person_"), newAdmin.name, newAdmin.email.key,
                newAdmin.isEmailVerified,
                newAdmin.password.text,
                now.milliseconds,
            ])
        guard let admin = try database.findAdmin(id: id) else {
            throw Refusal(.internalError, "the account was not stored")
        }
        return admin
    }

    /// Stores a new password. Revokes all sessions and tokens of the account, in case an attacker knew the
    /// old password.
    func setPassword(_ password: PasswordHash, of adminID: String) throws {
        try database.run(
            sql: "UPDATE admin SET password = ? WHERE id = ?", arguments: [password.text, adminID])
        try database.run(sql: "DELETE FROM browserSession WHERE adminID = ?", arguments: [adminID])
        let families = try String.fetchAll(
            database, sql: "SELECT id FROM signIn WHERE adminID = ?", arguments: [adminID])
        for family in families { try revokeFamily(family) }
        if let person = try database.findAdmin(id: adminID) { try revokeServiceGrants(of: person.subject) }
    }
}
