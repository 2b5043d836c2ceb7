public import CutieAPI

extension AccountConfiguration {
    /// One of them must be in the verified chain: the person's own, else those of the hosted service at its
    /// hosts. Empty: none is asked for.
    public var pins: [CertificatePin] {
        if !tls.pins.isEmpty { return tls.pins }
        return hasBuiltInPins ? HostedService.pins : []
    }

    /// Only of these an end is known.
    public var hasBuiltInPins: Bool { tls.pins.isEmpty && HostedService.answers(at: apiURL) }

    /// What is wrong and what to do, from a year before the built-in pins end; nil before, and for others.
    public func pinWarning(at now: Timestamp) -> String? {
        guard hasBuiltInPins else { return nil }
        let day = HostedService.pinsEndDay
        switch HostedService.pinTerm(at: now) {
        case .far: return nil
        case .near: return "the certificate pins end on \(day); update cutied, later ones bring new pins"
        case .over: return "the certificate pins ended on \(day); update cutied, or set tls.pins"
        }
    }
}
