import Config
import CutieAPI
import HTTP

extension APIFacts {
    var security: Check? {
        let name = "tls"
        guard address.scheme == .https else {
            return Check(name, .skipped, "plain http; the connection stays on this computer")
        }
        switch outcome {
        case .failed(let error) where error.isAboutTLS: return Check(name, .failure, error.reason)
        case .failed, .noNetwork: return Check(name, .skipped, "unknown (the API was not reached)")
        case .answered:
            let pinned = ownPins > 0 || hasBuiltInPins ? " and has a pinned key" : ""
            return Check(name, .ok, "the certificate of \(address.host) is valid\(pinned)")
        }
    }

    /// The check of pinned keys; `nil` if no key is pinned.
    var pins: Check? {
        let name = "pins"
        if ownPins > 0 {
            let count = ownPins == 1 ? "1 configured pin" : "\(ownPins) configured pins"
            return Check(name, .ok, "\(count) in tls.pins; expiry unknown")
        }
        guard hasBuiltInPins else { return nil }
        let advice = "update cutied; newer versions contain new pins"
        let day = HostedService.pinExpiryDay
        switch HostedService.pinExpiryStatus(at: Timestamp(milliseconds: now)) {
        case .distant: return Check(name, .ok, "valid until \(day)")
        case .near: return Check(name, .warning, "expire on \(day)", advice: advice)
        case .passed: return Check(name, .failure, "expired on \(day)", advice: advice)
        }
    }
}

extension HTTPError {
    var isAboutTLS: Bool {
        if case .tls = code { true } else { false }
    }
}
