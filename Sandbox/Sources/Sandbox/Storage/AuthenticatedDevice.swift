import CutieAPI
import GRDB

/// A device whose credentials were checked against the database.
struct AuthenticatedDevice: Sendable {
    let device: DeviceID
    let group: GroupID
    let appID: String
}

/// The credentials of a device from the headers of a request. The App ID is already checked.
struct DeviceCredential: Sendable {
    let device: DeviceID
    let token: String?
    let appID: String
    /// Whether the device sent an `X-API-Key`, as devices did before registration existed.
    let hasKey: Bool
    /// `false` if the server does not issue device tokens.
    let needsToken: Bool

    /// Whether an API key is enough, because the device never registered.
    var isKeyed: Bool { hasKey && token == nil }

    /// Whether the device is added with its first request.
    var isNewcomer: Bool { isKeyed || !needsToken }

    fileprivate func matches(_ known: String?) -> Bool {
        guard needsToken else { return true }
        return isKeyed ? known == nil : known != nil && known == token
    }
}

extension Database {
    /// Authenticates a device.
    ///
    /// - Throws: `Refusal` (401) if the token is missing, revoked or wrong, or if the device belongs to
    ///   another app.
    func caller(_ credential: DeviceCredential) throws -> AuthenticatedDevice {
        let row = try row(
            sql: "SELECT groupID, token, appID FROM device WHERE id = ?",
            arguments: [credential.device.rawValue])
        let token: String? = row?["token"]
        guard let row, credential.matches(token) else {
            throw Refusal(.unauthorized, "invalid or revoked device token")
        }
        guard row["appID"] == credential.appID else { throw Refusal.anotherApp }
        return AuthenticatedDevice(
            device: credential.device, group: GroupID(row["groupID"]), appID: credential.appID)
    }

    /// Authenticates a device or an admin.
    ///
    /// - Parameter scope: the scope that an admin needs.
    /// - Throws: `Refusal`, as `caller` and `requireAdmin` do.
    func viewer(_ credential: Credential, _ scope: Scope) throws -> Viewer {
        switch credential {
        case .device(let device): return .device(try caller(device))
        case .admin(let token):
            return .admin(try requireAdmin(token, scope))
        }
    }
}

extension Refusal {
    static let anotherApp = Refusal(.unauthorized, "X-App-ID does not match the device")
}

/// The credentials of a device or an admin, not yet checked.
enum Credential: Sendable {
    case device(DeviceCredential)
    case admin(accessToken: String)
}

/// An authenticated device or admin.
enum Viewer: Sendable {
    case device(AuthenticatedDevice)
    case admin(Staff)

    /// The viewer for requests of the sandbox itself, which may see all data.
    static let desk = Viewer.admin(.desk)

    /// Only admins see notes.
    var seesNotes: Bool {
        if case .admin = self { true } else { false }
    }

    /// The owner of idempotency keys.
    var owner: String {
        switch self {
        case .device(let caller): caller.device.rawValue
        case .admin(let staff): staff.id
        }
    }
}
