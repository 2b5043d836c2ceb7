public import CutieAPI

/// The SHA-256 of a certificate's SubjectPublicKeyInfo, in curl's format `sha256//<base64>`.
public struct CertificatePin: Hashable, Sendable, CustomStringConvertible {
    /// The hash of the public key in base64: 44 characters, which encode 32 bytes.
    public let base64: String
    public var description: String { Self.prefix + base64 }

    private static let prefix = "sha256//"

    /// Creates a built-in pin; `base64` is not validated.
    init(base64: String) { self.base64 = base64 }

    /// Parses `sha256//` and the base64 of 32 bytes; `nil` for any other string.
    public init?(_ text: String) {
        guard text.hasPrefix(Self.prefix) else { return nil }
        let digest = text.dropFirst(Self.prefix.count)
        // The base64 of 32 bytes has 43 characters and one `=`. The last character encodes only four bits, so
        // its other two bits must be 0.
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

/// The hosts of the hosted service, and the pins of their certificate chains.
public enum HostedService {
    private static let domains = ["api.cuti-e.com", "invotekas.workers.dev"]

    /// Returns whether the host of `address` is a domain or subdomain of the hosted service.
    public static func contains(_ address: APIAddress) -> Bool {
        domains.contains { address.host == $0 || address.host.hasSuffix("." + $0) }
    }

    /// The public keys of the root certificates GTS R1 to R4 and of the intermediate certificate WE1.
    public static let pins = [
        CertificatePin(base64: "hxqRlPTu1bMS/0DITB1SSu0vd4u/8l8TjPgfaAp63Gc="),
        CertificatePin(base64: "Vfd95BwDeSQo+NUYxVEEIlvkOlWY2SalKK1lPhzOx78="),
        CertificatePin(base64: "QXnt2YHvdHR3tJYmQIr0Paosp6t/nggsEGD4QJZ3Q0g="),
        CertificatePin(base64: "mEflZT5enoR1FuXLgYYGqnVEoZvmf9c2bVBpiOjYQ0c="),
        CertificatePin(base64: "kIdp6NNEd8wsugYyyIYFsi1ylMCED3hZbSR8ZFsa/A4="),
    ]

    /// The day on which the first of the pinned certificates expires.
    public static let pinExpiryDay = "2036-06-22"
    private static let pinExpiryTime: Int64 = 2_097_705_600_000
    private static let year: Int64 = 365 * 86_400_000

    /// The remaining validity of the built-in pins.
    public enum PinExpiry: Hashable, Sendable {
        /// The pins are valid for more than a year.
        case distant
        case near, passed
    }

    public static func pinExpiryStatus(at now: Timestamp) -> PinExpiry {
        switch now.milliseconds {
        case ..<(pinExpiryTime - year): .distant
        case ..<pinExpiryTime: .near
        default: .passed
        }
    }
}
