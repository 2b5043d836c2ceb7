public import CutieAPI

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

/// What is known of the service that Cuti-E runs itself: its hosts, and the keys their certificates lead to.
public enum HostedService {
    private static let domains = ["api.cuti-e.com", "invotekas.workers.dev"]

    /// Whether the address is one of its domains or below one.
    public static func answers(at address: APIAddress) -> Bool {
        domains.contains { address.host == $0 || address.host.hasSuffix("." + $0) }
    }

    /// The GTS roots R1 to R4 and the intermediate WE1.
    public static let pins = [
        CertificatePin(base64: "hxqRlPTu1bMS/0DITB1SSu0vd4u/8l8TjPgfaAp63Gc="),
        CertificatePin(base64: "Vfd95BwDeSQo+NUYxVEEIlvkOlWY2SalKK1lPhzOx78="),
        CertificatePin(base64: "QXnt2YHvdHR3tJYmQIr0Paosp6t/nggsEGD4QJZ3Q0g="),
        CertificatePin(base64: "mEflZT5enoR1FuXLgYYGqnVEoZvmf9c2bVBpiOjYQ0c="),
        CertificatePin(base64: "kIdp6NNEd8wsugYyyIYFsi1ylMCED3hZbSR8ZFsa/A4="),
    ]

    /// The day on which the first of these certificates ends.
    public static let pinsEndDay = "2036-06-22"
    private static let pinsEnd: Int64 = 2_097_705_600_000
    private static let year: Int64 = 365 * 86_400_000

    /// How the time stands to the end of the pins.
    public enum PinTerm: Hashable, Sendable {
        /// More than a year away.
        case far
        case near, over
    }

    public static func pinTerm(at now: Timestamp) -> PinTerm {
        switch now.milliseconds {
        case ..<(pinsEnd - year): .far
        case ..<pinsEnd: .near
        default: .over
        }
    }
}
