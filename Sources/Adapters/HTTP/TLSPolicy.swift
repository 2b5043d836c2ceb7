/// Whom connections believe. Connections made under one policy are never used for another.
public struct TLSPolicy: Hashable, Sendable {
    /// The oldest protocol version that is spoken.
    public var minimumVersion: TLSVersion
    /// A PEM file with CAs that are trusted on top of the system's.
    public var caFile: String?
    /// `sha256//<base64>` of public keys (SubjectPublicKeyInfo); where there are any, one certificate of
    /// the verified chain must have one of them.
    public var pins: Set<String>

    public init(minimumVersion: TLSVersion = .v1_3, caFile: String? = nil, pins: Set<String> = []) {
        self.minimumVersion = minimumVersion
        self.caFile = caFile
        self.pins = pins
    }
}

public enum TLSVersion: String, Hashable, Sendable {
    case v1_2 = "1.2"
    case v1_3 = "1.3"
}
