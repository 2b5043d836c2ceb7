import CutieAPI
import GRDB

/// A device that has shown its token.
struct Caller: Sendable {
    let device: DeviceID
    let group: GroupID
}

/// What a device says of itself in headers; the app id is right already.
struct DeviceCredential: Sendable {
    let device: DeviceID
    let token: String?
    /// False where the server gives none.
    let needsToken: Bool
}

extension Database {
    /// Throws 401 where the token is missing, revoked or another device's.
    func caller(_ credential: DeviceCredential) throws -> Caller {
        let row = try row(
            sql: "SELECT groupID, token FROM device WHERE id = ?",
            arguments: [credential.device.rawValue])
        let token: String? = row?["token"]
        guard let row, !credential.needsToken || (token != nil && token == credential.token) else {
            throw Refusal(.unauthorized, "invalid or revoked device token")
        }
        return Caller(device: credential.device, group: GroupID(row["groupID"]))
    }

    func viewer(_ credential: Credential) throws -> Viewer {
        switch credential {
        case .device(let device): return .device(try caller(device))
        case .admin(let token):
            try requireAdmin(token)
            return .admin
        }
    }

    /// Throws 401 where the access token is unknown or has expired.
    func requireAdmin(_ accessToken: String) throws {
        let expiry = try number(
            sql: "SELECT expiresAt FROM adminToken WHERE token = ? AND kind = 'access'",
            arguments: [accessToken])
        guard let expiry, expiry > Timestamp.now.milliseconds else {
            throw Refusal(.unauthorized, "invalid or expired access token")
        }
    }
}
