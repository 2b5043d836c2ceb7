import CutieAPI
import FoundationEssentials

/// What a call says of who makes it. The tokens are looked at in the transaction that does the work.
struct Gate: Sendable {
    private let appIDs: [String]
    private let without: Set<SandboxFeature>
    let requiresAssertions: Bool

    init(_ options: SandboxOptions) {
        (appIDs, without) = (options.appIDs, options.without)
        requiresAssertions = options.requiresAssertions
    }

    func has(_ feature: SandboxFeature) -> Bool { !without.contains(feature) }

    func idempotencyKey(_ call: Call) -> String? {
        has(.idempotency) ? call.header(HeaderName.idempotencyKey) : nil
    }

    /// A device's headers. Throws 401 where the app id is none that is served here.
    func device(_ call: Call) throws(Refusal) -> DeviceCredential {
        let appID = try app(call)
        let key = call.apiKey
        guard let device = try deviceID(call, key: key) else {
            throw Refusal(.unauthorized, "X-Device-ID must be device_<UUID>")
        }
        return DeviceCredential(
            device: device, token: call.header(HeaderName.deviceToken), appID: appID, hasKey: key != nil,
            needsToken: has(.register))
    }

    /// As the link SDK calls: its device ids are bare UUIDs, the same without `device_`.
    func linkingDevice(_ call: Call) throws(Refusal) -> DeviceCredential {
        guard let id = call.header(HeaderName.deviceID), UUID(uuidString: id) != nil else {
            return try device(call)
        }
        return DeviceCredential(
            device: DeviceID.full(id), token: nil, appID: try app(call), hasKey: false, needsToken: true)
    }

    /// Before there were App IDs an API key stood for the app: for the first one here.
    func app(_ call: Call) throws(Refusal) -> String {
        if call.header(HeaderName.appID) == nil, call.apiKey != nil, let first = appIDs.first { return first }
        guard let id = call.header(HeaderName.appID), appIDs.contains(id) else {
            throw Refusal(.unauthorized, "missing or unknown X-App-ID")
        }
        return id
    }

    /// Of a call with nothing but an API key, the one device of that key.
    private func deviceID(_ call: Call, key: String?) throws(Refusal) -> DeviceID? {
        if let id = call.header(HeaderName.deviceID) { return Self.isDeviceID(id) ? DeviceID(id) : nil }
        return key.map { DeviceID.standIn(for: $0) }
    }

    /// An admin's access token.
    func admin(_ call: Call) throws(Refusal) -> String {
        try call.accessToken(realm: "Cuti-E")
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
