import AccessAPI
public import FoundationEssentials

/// The offer of a link to another device. Its JSON is that of the API.
public struct LinkTokenResponse: Codable, Hashable, Sendable {
    /// The token with which the other device confirms the link.
    public let linkToken: String
    /// Unix milliseconds.
    public let expiresAt: Int64
    /// Seconds.
    public let expiresIn: Int
    /// Whether the conversations are shared with another device already.
    public let hasExistingGroup: Bool

    /// The time of `expiresAt`.
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

/// The result of confirming a link. Its JSON is that of the API.
public struct LinkConfirmResponse: Codable, Hashable, Sendable {
    /// Always true: a link that cannot be confirmed is an error.
    public let success: Bool
    /// The id of the shared inbox; empty if the API does not report it.
    public let groupId: String
    /// A sentence about the result.
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

/// The progress of a link that this app offered. Its JSON is that of the API.
public struct LinkStatusResponse: Codable, Hashable, Sendable {
    /// The progress.
    public let status: LinkTokenStatus
    /// The token.
    public let linkToken: String?
    /// The id of the shared inbox.
    public let groupId: String?
    /// The name of the device that confirmed the link.
    public let targetDeviceName: String?
    /// Unix milliseconds.
    public let confirmedAt: Int64?
    /// Unix milliseconds.
    public let expiresAt: Int64?

    init(_ reply: LinkStatus.Reply, token: String) {
        // The API has three states. Any other one cannot lead to a link that this version understands.
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

/// A device that shares the conversations of the app. Its JSON is that of the API.
public struct LinkedDevice: Codable, Hashable, Sendable, Identifiable {
    /// The id of the device at the API.
    public let deviceId: String
    /// The name of the device; empty if it has none.
    public let deviceName: String
    /// Unix milliseconds; 0 if it is not known.
    public let joinedAt: Int64
    /// Whether the device created the shared inbox.
    public let isPrimary: Bool
    /// Whether it is this device.
    public let isCurrent: Bool

    /// Equal to `deviceId`.
    public var id: String { deviceId }
    /// The time of `joinedAt`.
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

/// The devices that share the conversations of the app. Its JSON is that of the API.
public struct LinkedDevicesResponse: Codable, Hashable, Sendable {
    /// Whether the conversations are shared.
    public let linked: Bool
    /// The id of the shared inbox.
    public let groupId: String?
    /// All devices, including this one; empty if the conversations are not shared.
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
