import CutieAPI
import GRDB

/// A device whose credentials were checked against the database.
struct AuthenticatedDevice: Sendable {
    let device: DeviceID
    let group: GroupID
    let appID: String
}

/// The unverified credentials in the headers of a device's request. Only the App ID has been checked.
struct DeviceCredential: Sendable {
    let device: DeviceID
    let token: String?
    let appID: String
    /// Whether the request contains an `X-API-Key`, which legacy devices send instead of a device token.
    let hasAPIKey: Bool
    /// Whether the device must send a device token; `false` if the server does not issue device tokens.
    let needsToken: Bool

    /// Whether the device never registered, and therefore authenticates with an API key only.
    var usesOnlyAPIKey: Bool { hasAPIKey && token == nil }

    /// Whether an unknown device is added at its first request instead of by a registration.
    var isAddedAutomatically: Bool { usesOnlyAPIKey || !needsToken }

    fileprivate func matches(storedToken known: String?) -> Bool {
        guard needsToken else { return true }
        return usesOnlyAPIKey ? known == nil : known != nil && known == token
    }
}

extension Database {
    /// Authenticates a device.
    ///
    /// - Throws: `Refusal` (401) if the token is missing, revoked or wrong, or if the device belongs to
    ///   another app.
    func authenticateDevice(with credential: DeviceCredential) throws -> AuthenticatedDevice {
        let row = try fetchRow(
            sql: "SELECT groupID, token, appID FROM device WHERE id = ?",
            arguments: [credential.device.rawValue])
        let token: String? = row?["token"]
        guard let row, credential.matches(storedToken: token) else {
            throw Refusal(.unauthorized, "invalid or revoked device token")
        }
        guard row["appID"] == credential.appID else { throw Refusal.anotherApp }
        return AuthenticatedDevice(
            device: credential.device, group: GroupID(row["groupID"]), appID: credential.appID)
    }

    /// Authenticates a device or an admin.
    ///
    /// - Parameter scope: the scope that the token of an admin must have.
    /// - Throws: `Refusal`, for the same reasons as `authenticateDevice` and `requireAdmin`.
    func authenticateViewer(with credential: Credential, requiring scope: Scope) throws -> Viewer {
        switch credential {
        case .device(let device): return .device(try authenticateDevice(with: device))
        case .admin(let token):
            return .admin(try requireAdmin(ofAccessToken: token, scopes: scope))
        }
    }
}

extension Refusal {
    static let anotherApp = Refusal(.unauthorized, "X-App-ID does not match the device")
}

/// The unverified credentials of a device or an admin.
enum Credential: Sendable {
    case device(DeviceCredential)
    case admin(accessToken: String)
}

/// An authenticated device or admin.
enum Viewer: Sendable {
    case device(AuthenticatedDevice)
    case admin(Staff)

    /// A viewer without credentials, for queries that the sandbox itself makes. This viewer has access to
    /// all data.
    static let unrestricted = Viewer.admin(.unrestricted)

    var seesNotes: Bool {
        if case .admin = self { true } else { false }
    }

    /// The namespace of the viewer's idempotency keys, so that different viewers can use the same key.
    var idempotencyScope: String {
        switch self {
        case .device(let caller): caller.device.rawValue
        case .admin(let staff): staff.id
        }
    }
}
