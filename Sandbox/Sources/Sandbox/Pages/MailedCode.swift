import CutieAPI
import GRDB

enum MailPurpose: String, Sendable {
    case verifyEmail
    case setPassword

    /// The lifetime of a mailed code, in seconds.
    fileprivate var lifetime: Int {
        switch self {
        case .verifyEmail: 7 * 86_400
        case .setPassword: 3600
        }
    }
}

extension Database {
    /// Returns the account for which the code was created.
    ///
    /// - Throws: `Refusal` (422) if the code was used or has expired.
    func findOwner(ofMailedCode code: String, purpose: MailPurpose) throws -> Admin {
        let adminID = try String.fetchOne(
            self, sql: "SELECT adminID FROM mailedCode WHERE code = ? AND purpose = ? AND expiresAt > ?",
            arguments: [code, purpose.rawValue, Timestamp.now.milliseconds])
        guard let admin = try adminID.flatMap({ try findAdmin(id: $0) }) else {
            throw Refusal(.unprocessable, "This link was already used or has expired. Request a new one.")
        }
        return admin
    }
}

extension SandboxTransaction {
    func createMailedCode(for admin: Admin, purpose: MailPurpose) throws -> String {
        try database.run(sql: "DELETE FROM mailedCode WHERE expiresAt <= ?", arguments: [now.milliseconds])
        let code = RandomText.makeID(prefix: "mail_")
        try database.run(
            sql: "INSERT INTO mailedCode VALUES (?, ?, ?, ?)",
            arguments: [
                code, admin.id, purpose.rawValue, now.advanced(bySeconds: purpose.lifetime).milliseconds,
            ])
        return code
    }

    /// Deletes all codes of the account with the same purpose, and marks the account's e-mail
    /// address as verified.
    /// Returns the account.
    func consumeMailedCode(_ code: String, purpose: MailPurpose) throws -> Admin {
        let admin = try database.findOwner(ofMailedCode: code, purpose: purpose)
        try database.run(
            sql: "DELETE FROM mailedCode WHERE adminID = ? AND purpose = ?",
            arguments: [admin.id, purpose.rawValue])
        // A user who received the code owns the e-mail address.
        try database.run(sql: "UPDATE admin SET isEmailVerified = 1 WHERE id = ?", arguments: [admin.id])
        return admin
    }
}
