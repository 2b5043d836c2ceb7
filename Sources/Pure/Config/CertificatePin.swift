/// The SHA-256 of a certificate's SubjectPublicKeyInfo, written `sha256//<base64>` as curl does.
public struct CertificatePin: Hashable, Sendable, CustomStringConvertible {
    /// 44 characters that stand for 32 bytes.
    public let base64: String
    public var description: String { Self.prefix + base64 }

    private static let prefix = "sha256//"

    /// For pins that stand in the source.
    init(base64: String) { self.base64 = base64 }

    /// nil where it is not the base64 of 32 bytes behind the prefix.
    public init?(_ text: String) {
        guard text.hasPrefix(Self.prefix) else { return nil }
        let digest = text.dropFirst(Self.prefix.count)
        // 32 bytes are 43 characters and one "=": two bits of the last character are left over and 0.
        guard digest.utf8.count == 44, digest.hasSuffix("="), let last = digest.dropLast().last,
            digest.dropLast().utf8.allSatisfy(Self.isBase64), "AEIMQUYcgkosw048".contains(last)
        else { return nil }
        base64 = String(digest)
    }

    private static func isBase64(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
            true
        default: false
        }
    }
}
