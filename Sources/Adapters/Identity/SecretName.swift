public import CutieAPI

/// What a secret is found by. The origin is part of it, so that what one API has issued is never found for
/// another.
public struct SecretName: Hashable, Sendable {
    public var account: String
    /// Scheme, host and port of the API that issued it.
    public let origin: String
    public var type: SecretType
    /// Whose it is, for instance the device id.
    public var subject: String

    public init(account: String, address: APIAddress, type: SecretType, subject: String) {
        self.init(account: account, origin: address.origin, type: type, subject: subject)
    }

    init(account: String, origin: String, type: SecretType, subject: String) {
        self.account = account
        self.origin = origin
        self.type = type
        self.subject = subject
    }

    /// Bytes of a part. Accounts, hosts and ids are far shorter.
    static let partLimit = 512

    var parts: [String] { [account, origin, type.rawValue, subject] }
}

/// What a secret is for.
public struct SecretType: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// What `X-Device-Token` carries.
    public static let deviceToken = SecretType(rawValue: "device-token")
    /// What the attestation key is made from.
    public static let attestationKey = SecretType(rawValue: "attestation-key")
}
