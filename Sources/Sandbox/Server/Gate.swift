import CutieAPI
import FoundationEssentials

/// What a call says of who makes it. The tokens are looked at in the transaction that does the work.
struct Gate: Sendable {
    let appID: String
    let without: Set<SandboxFeature>

    func has(_ feature: SandboxFeature) -> Bool { !without.contains(feature) }

    func idempotencyKey(_ call: Call) -> String? {
        has(.idempotency) ? call.header(HeaderName.idempotencyKey) : nil
    }

    /// A device's headers. Throws 401 where the app id is not the one that is served here.
    func device(_ call: Call) throws(Refusal) -> DeviceCredential {
        try checkApp(call)
        guard let id = call.header(HeaderName.deviceID), Self.isDeviceID(id) else {
            throw Refusal(.unauthorized, "X-Device-ID must be device_<UUID>")
        }
        return DeviceCredential(
            device: DeviceID(id), token: call.header(HeaderName.deviceToken), needsToken: has(.register))
    }

    func checkApp(_ call: Call) throws(Refusal) {
        guard call.header(HeaderName.appID) == appID else {
            throw Refusal(.unauthorized, "missing or unknown X-App-ID")
        }
    }

    /// An admin's access token.
    func admin(_ call: Call) throws(Refusal) -> String {
        guard let line = call.header(HeaderName.authorization) else {
            throw Refusal(.unauthorized, "missing access token")
        }
        let words = line.split(separator: " ")
        guard words.count == 2, words[0].lowercased() == "bearer" else {
            throw Refusal(.unauthorized, "Authorization must be Bearer and an access token")
        }
        return String(words[1])
    }

    /// The same path answers admins and devices.
    func anyone(_ call: Call) throws(Refusal) -> Credential {
        call.header(HeaderName.authorization) == nil
            ? .device(try device(call)) : .admin(accessToken: try admin(call))
    }

    private static func isDeviceID(_ text: String) -> Bool {
        text.hasPrefix("device_") && UUID(uuidString: String(text.dropFirst("device_".count))) != nil
    }
}
