import Config
import CutieAPI

extension APIFacts {
    /// nil where no key is pinned.
    var pins: Check? {
        let name = "pins"
        if ownPins > 0 {
            let count = ownPins == 1 ? "one of your own" : "\(ownPins) of your own"
            return Check(name, .ok, "\(count), in tls.pins; when they end is not known here")
        }
        guard hasBuiltInPins else { return nil }
        let advice = "update cutied; later ones bring new pins"
        let day = HostedService.pinsEndDay
        switch HostedService.pinTerm(at: Timestamp(milliseconds: now)) {
        case .far: return Check(name, .ok, "hold until \(day)")
        case .near: return Check(name, .warning, "end on \(day)", advice: advice)
        case .over: return Check(name, .failure, "ended on \(day)", advice: advice)
        }
    }
}
