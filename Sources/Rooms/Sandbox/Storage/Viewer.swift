import CutieAPI

/// Who asks, before anything is known of him.
enum Credential: Sendable {
    case device(DeviceCredential)
    case admin(accessToken: String)
}

/// Who asks, and what he may see.
enum Viewer: Sendable {
    case device(Caller)
    case admin

    /// Notes are between admins.
    var seesNotes: Bool {
        if case .admin = self { true } else { false }
    }

    /// Under which name his idempotency keys are kept.
    var owner: String {
        if case .device(let caller) = self { caller.device.rawValue } else { "admin" }
    }
}
