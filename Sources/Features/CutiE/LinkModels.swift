import AccessAPI
public import FoundationEssentials

/// The offer to link another device. Uses the JSON format of the API.
public struct LinkTokenResponse: Codable, Hashable, Sendable {
    /// The token that the user enters on the other device to confirm the link.
    public let linkToken: String
    /// The expiry time in Unix milliseconds.
    public let expiresAt: Int64
    /// The remaining lifetime in seconds when the offer was made; 0 if it is unknown.
    public let expiresIn: Int
    /// Whether the conversations are already shared with another device.
    public let hasExistingGroup: Bool

    /// The expiry time as a date.
    public var expirationDate: Date { Date(milliseconds: expiresAt) }

    init(_ reply: InitiateLink.Reply) {
        let now = Int64(Date().timeIntervalSince1970 * 1000)
        (linkToken, hasExistingGroup) = (reply.linkToken, reply.hasExistingGroup)
        let seconds = reply.expiresIn ?? reply.expiresAt.map { Int(max(0, $0 - now) / 1000) }
        expiresIn = seconds ?? 0
        expiresAt = reply.expiresAt ?? now + Int64(expiresIn) * 1000
    }

    private enum CodingKeys: String, CodingKey {
        case linkToken = "link_token"
        case expiresAt = "expires_at"
        case expiresIn = "expires_in"
        case hasExistingGroup = "has_existing_group"
    }
}

/// The result of confirming a link. Uses the JSON format of the API.
public struct LinkConfirmResponse: Codable, Hashable, Sendable {
    /// Always `true`: confirming throws an error if the link cannot be confirmed.
    public let success: Bool
    /// The ID of the shared inbox; empty if the API does not report it.
    public let groupId: String
    /// An English message about the result.
    public let message: String

    init(_ reply: ConfirmLink.Reply) {
        (success, groupId, message) = (true, reply.groupId ?? "", "The devices are linked.")
    }

    private enum CodingKeys: String, CodingKey {
        case success, message
        case groupId = "group_id"
    }
}

/// The progress of a link.
public enum LinkTokenStatus: String, Codable, Sendable {
    /// The other device has not confirmed the link yet.
    case pending
    /// The devices share the conversations.
    case confirmed
    /// The token can no longer be used.
    case expired
}

/// The progress of a link that this app offered. Uses the JSON format of the API.
public struct LinkStatusResponse: Codable, Hashable, Sendable {
    /// The progress: pending, confirmed or expired.
    public let status: LinkTokenStatus
    /// The token of the link; `nil` if the API does not report it.
    public let linkToken: String?
    /// The ID of the shared inbox; `nil` before the confirmation.
    public let groupId: String?
    /// The name of the device that confirmed the link; `nil` before the confirmation.
    public let targetDeviceName: String?
    /// The time of the confirmation in Unix milliseconds; `nil` before the confirmation.
    public let confirmedAt: Int64?
    /// The expiry time in Unix milliseconds; `nil` if the API does not report it.
    public let expiresAt: Int64?

    init(_ reply: LinkStatus.Reply, token: String) {
        // The API has three states. Treat an unknown state as expired, because this version cannot complete a
        // link in an unknown state.
        status = LinkTokenStatus(rawValue: reply.status) ?? .expired
        (linkToken, groupId, targetDeviceName) = (token, reply.groupId, reply.targetDeviceName)
        (confirmedAt, expiresAt) = (reply.confirmedAt, reply.expiresAt)
    }

    private enum CodingKeys: String, CodingKey {
        case status
        case linkToken = "link_token"
        case groupId = "group_id"
        case targetDeviceName = "target_device_name"
        case confirmedAt = "confirmed_at"
        case expiresAt = "expires_at"
    }
}

/// A device that shares the conversations of the app. Uses the JSON format of the API.
public struct LinkedDevice: Codable, Hashable, Sendable, Identifiable {
    /// The ID of the device at the API.
    public let deviceId: String
    /// The name of the device; empty if the device has no name.
    public let deviceName: String
    /// The time in Unix milliseconds when the device joined; 0 if it is unknown.
    public let joinedAt: Int64
    /// Whether the device created the shared inbox.
    public let isPrimary: Bool
    /// Whether the entry describes this device.
    public let isCurrent: Bool

    /// The value of `deviceId`.
    public var id: String { deviceId }
    /// The time when the device joined, as a date.
    public var joinedDate: Date { Date(milliseconds: joinedAt) }

    init(_ device: AppLinkedDevice) {
        (deviceId, deviceName, joinedAt) = (device.deviceId, device.deviceName ?? "", device.joinedAt ?? 0)
        (isPrimary, isCurrent) = (device.isPrimary, device.isCurrent)
    }

    private enum CodingKeys: String, CodingKey {
        case deviceId = "device_id"
        case deviceName = "device_name"
        case joinedAt = "joined_at"
        case isPrimary = "is_primary"
        case isCurrent = "is_current"
    }
}

/// The devices that share the conversations of the app. Uses the JSON format of the API.
public struct LinkedDevicesResponse: Codable, Hashable, Sendable {
    /// Whether the conversations are shared.
    public let linked: Bool
    /// The ID of the shared inbox; `nil` if the conversations are not shared.
    public let groupId: String?
    /// All devices, including this device; empty if the conversations are not shared.
    public let devices: [LinkedDevice]

    init(_ reply: LinkedDevices.Reply) {
        (linked, groupId) = (reply.linked, reply.groupId)
        devices = reply.devices.map(LinkedDevice.init(_:))
    }

    private enum CodingKeys: String, CodingKey {
        case linked, devices
        case groupId = "group_id"
    }
}
