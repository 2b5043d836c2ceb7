/// Says that this device is in use. Only with the person's consent, at most once per start.
public struct ActivityPing: RequestBody {
    /// 64 hexadecimal characters: SHA-256 of the device id and the bundle id.
    public var hashedDeviceID: String
    public var consent: Bool
    /// Already cut to what the device context allows.
    public var device: DeviceFacts

    public init(hashedDeviceID: String, consent: Bool = true, device: DeviceFacts = DeviceFacts()) {
        self.hashedDeviceID = hashedDeviceID
        self.consent = consent
        self.device = device
    }

    enum CodingKeys: String, CodingKey {
        case consent
        case hashedDeviceID = "hashed_device_id"
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        hashedDeviceID = try container.decode(String.self, forKey: .hashedDeviceID)
        consent = container.lenient(.consent) ?? false
        device = try DeviceFacts(from: decoder)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(hashedDeviceID, forKey: .hashedDeviceID)
        try container.encode(consent, forKey: .consent)
        try device.encode(to: encoder)
    }
}
