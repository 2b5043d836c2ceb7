import CutieAPI

extension APIFacts {
    /// nil where the host is none of the hosted service.
    var pins: Check? {
        let name = "pins"
        guard Self.isHosted(address.host) else { return nil }
        let advice = "update cutied; later ones bring new pins"
        switch now {
        case ..<(Self.pinsEnd - Self.year): return Check(name, .ok, "hold until \(Self.pinsEndDay)")
        case ..<Self.pinsEnd:
            return Check(name, .warning, "end on \(Self.pinsEndDay)", advice: advice)
        default: return Check(name, .failure, "ended on \(Self.pinsEndDay)", advice: advice)
        }
    }

    private static func isHosted(_ host: String) -> Bool {
        ["api.cuti-e.com", "invotekas.workers.dev"].contains { host == $0 || host.hasSuffix("." + $0) }
    }

    /// Unix milliseconds of 2036-06-22.
    private static let pinsEnd: Int64 = 2_097_705_600_000
    private static let pinsEndDay = "2036-06-22"
    private static let year: Int64 = 365 * 86_400_000
}
