import CutieAPI
import FoundationEssentials

/// A parser for the credentials of a request. The tokens are checked later, in the transaction of the
/// request.
struct RequestParser: Sendable {
    private let appIDs: [String]
    private let disabledFeatures: Set<SandboxFeature>
    let requiresAssertions: Bool

    init(_ options: SandboxOptions) {
        (appIDs, disabledFeatures) = (options.appIDs, options.disabledFeatures)
        requiresAssertions = options.requiresAssertions
    }

    func isEnabled(_ feature: SandboxFeature) -> Bool { !disabledFeatures.contains(feature) }

    func parseIdempotencyKey(of call: SandboxCall) -> String? {
        isEnabled(.idempotency) ? call.header(HeaderName.idempotencyKey) : nil
    }

    /// Returns the credentials of a device.
    ///
    /// - Throws: `Refusal` (401) if the App ID is unknown or the device ID is invalid.
    func parseDevice(of call: SandboxCall) throws(Refusal) -> DeviceCredential {
        let appID = try parseAppID(of: call)
        let key = call.apiKey
        guard let device = try parseDeviceID(of: call, apiKey: key) else {
            throw Refusal(.unauthorized, "X-Device-ID must be device_<UUID>")
        }
        return DeviceCredential(
            device: device, token: call.header(HeaderName.deviceToken), appID: appID, hasAPIKey: key != nil,
            needsToken: isEnabled(.register))
    }

    /// Returns the credentials of a device that uses the link SDK, which sends device IDs without the prefix
    /// `device_`.
    func parseLinkingDevice(of call: SandboxCall) throws(Refusal) -> DeviceCredential {
        guard let id = call.header(HeaderName.deviceID), UUID(uuidString: id) != nil else {
            return try parseDevice(of: call)
        }
        return DeviceCredential(
            device: DeviceID.addingPrefix(to: id), token: nil, appID: try parseAppID(of: call),
            hasAPIKey: false,
            needsToken: true)
    }

    /// Returns the credentials of a device that redeems a feedback token. A Feedback App without an account
    /// sends no App ID.
    func parseFeedbackAppDevice(of call: SandboxCall) throws(Refusal) -> DeviceCredential {
        guard call.header(HeaderName.appID) == nil, call.apiKey == nil,
            let id = call.header(HeaderName.deviceID), Self.isValidDeviceID(id)
        else { return try parseDevice(of: call) }
        return DeviceCredential(
            device: DeviceID(id), token: call.header(HeaderName.deviceToken), appID: "", hasAPIKey: false,
            needsToken: true)
    }

    /// Returns the App ID. A request with an API key but no App ID belongs to the first app, because legacy
    /// accounts have no App ID.
    func parseAppID(of call: SandboxCall) throws(Refusal) -> String {
        if call.header(HeaderName.appID) == nil, call.apiKey != nil, let first = appIDs.first { return first }
        guard let id = call.header(HeaderName.appID), appIDs.contains(id) else {
            throw Refusal(.unauthorized, "missing or unknown X-App-ID")
        }
        return id
    }

    /// Returns the device ID of the request. If the request contains only an API key, derives the ID from
    /// that key.
    private func parseDeviceID(of call: SandboxCall, apiKey: String?) throws(Refusal) -> DeviceID? {
        if let id = call.header(HeaderName.deviceID) { return Self.isValidDeviceID(id) ? DeviceID(id) : nil }
        return apiKey.map { DeviceID.derivedID(fromAPIKey: $0) }
    }

    /// Returns the access token in the `Authorization` header. Does not check whether the token is valid.
    func parseAccessToken(of call: SandboxCall) throws(Refusal) -> String {
        try call.parseAccessToken(realm: "Cuti-E")
    }

    /// Returns the credentials of a device or an admin, for routes that both can use.
    func parseCredential(of call: SandboxCall) throws(Refusal) -> Credential {
        call.header(HeaderName.authorization) == nil
            ? .device(try parseDevice(of: call)) : .admin(accessToken: try parseAccessToken(of: call))
    }

    private static func isValidDeviceID(_ text: String) -> Bool {
        text.hasPrefix("device_") && UUID(uuidString: String(text.dropFirst("device_".count))) != nil
    }
}
