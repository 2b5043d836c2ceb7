public import CutieAPI

/// What the contract derives from a device id. Lower-case hexadecimal SHA-256 all.
public enum DeviceProof {
    /// What `X-Device-Secret` carries.
    public static func secret(of device: DeviceID) -> Token<Device> {
        Token(hash(device.rawValue + "cutie-device-salt-v1"))
    }

    /// What an activity ping carries in the place of the id.
    public static func hashedID(of device: DeviceID, bundleID: String) -> String {
        hash(device.rawValue + bundleID)
    }

    private static func hash(_ text: String) -> String {
        Hexadecimal.text(of: Digest.sha256(Array(text.utf8)))
    }
}
