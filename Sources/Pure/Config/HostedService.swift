public import CutieAPI

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
