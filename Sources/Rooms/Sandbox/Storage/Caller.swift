import CutieAPI
import GRDB

/// A device that has shown its token.
struct Caller: Sendable {
    let device: DeviceID
    let group: GroupID
    let appID: String
}

/// What a device says of itself in headers; the app id is right already.
struct DeviceCredential: Sendable {
    let device: DeviceID
    let token: String?
    let appID: String
    /// It says who it is by `X-API-Key`, as devices did before they registered.
    let hasKey: Bool
    /// False where the server gives none.
    let needsToken: Bool

    /// Whether it is taken at its word where it never registered.
    var isKeyed: Bool { hasKey && token == nil }

    /// Whether it is known from its first call on.
    var isNewcomer: Bool { isKeyed || !needsToken }

    fileprivate func fits(_ known: String?) -> Bool {
        guard needsToken else { return true }
        return isKeyed ? known == nil : known != nil && known == token
    }
}

extension Database {
    /// Throws 401 where the token is missing, revoked or another device's, or the device another app's.
    func caller(_ credential: DeviceCredential) throws -> Caller {
        let row = try row(
            sql: "SELECT groupID, token, appID FROM device WHERE id = ?",
            arguments: [credential.device.rawValue])
        let token: String? = row?["token"]
        guard let row, credential.fits(token) else {
            throw Refusal(.unauthorized, "invalid or revoked device token")
        }
        guard row["appID"] == credential.appID else { throw Refusal.anotherApp }
        return Caller(
            device: credential.device, group: GroupID(row["groupID"]), appID: credential.appID)
    }

    /// Throws what `caller` and `requireAdmin` do; `scope` is what an admin needs for this.
    func viewer(_ credential: Credential, _ scope: Scope) throws -> Viewer {
        switch credential {
        case .device(let device): return .device(try caller(device))
        case .admin(let token):
            return .admin(try requireAdmin(token, scope))
        }
    }
}

extension Refusal {
    static let anotherApp = Refusal(.unauthorized, "X-App-ID is another than the device's")
}

/// Who asks, before anything is known of him.
enum Credential: Sendable {
    case device(DeviceCredential)
    case admin(accessToken: String)
}

/// Who asks, and what he may see.
enum Viewer: Sendable {
    case device(Caller)
    case admin(Staff)

    /// The sandbox itself, which sees everything.
    static let desk = Viewer.admin(.desk)

    /// Notes are between admins.
    var seesNotes: Bool {
        if case .admin = self { true } else { false }
    }

    /// Under which name his idempotency keys are kept.
    var owner: String {
        switch self {
        case .device(let caller): caller.device.rawValue
        case .admin(let staff): staff.id
        }
    }
}
