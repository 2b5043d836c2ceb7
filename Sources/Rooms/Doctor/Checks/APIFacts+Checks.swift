import Config
import CutieAPI
import HTTP

extension APIFacts {
    /// Of all accounts; the clock is one for all.
    static func checks(_ apis: [APIFacts]) -> [Check] {
        let isOnly = apis.count == 1
        return apis.flatMap { api in
            [api.reach, api.security, api.pins, api.transports].compactMap(\.self).map { check in
                Check(
                    isOnly ? check.name : "\(check.name) (\(api.account))", check.verdict, check.finding,
                    advice: check.advice)
            }
        } + (apis.isEmpty ? [] : [clock(apis)])
    }

    private var reach: Check {
        let name = "api"
        switch outcome {
        case .noNetwork:
            return Check(
                name, .failure, "there is no network to reach \(address) by", advice: "connect to one")
        // Whoever fails there was reached.
        case .failed(let error) where error.isAboutTLS: return Check(name, .ok, "\(address) is there")
        case .failed(let error): return Check(name, .failure, sentence: error.sentence)
        case .answered(let status, _): return answer(name, status)
        }
    }

    private func answer(_ name: String, _ status: Int) -> Check {
        switch status {
        case 200..<300, 400, 401, 403: Check(name, .ok, "\(address) answers")
        case 404, 405, 410, 501:
            Check(
                name, .failure, "\(address) answers \(status): there is no Cuti-E API",
                advice: "correct api_url (cutied setup)")
        case 429:
            Check(name, .warning, "\(address) answers 429: too many calls", advice: "wait a while")
        case 500...:
            Check(
                name, .failure, "\(address) answers \(status): it is out of order",
                advice: "wait; the daemon tries again by itself")
        default:
            Check(name, .warning, "\(address) answers \(status), which is odd", advice: "check api_url")
        }
    }

    private var security: Check? {
        let name = "tls"
        guard address.scheme == .https else {
            return Check(name, .skipped, "plain http, which stays on this machine")
        }
        switch outcome {
        case .failed(let error) where error.isAboutTLS: return Check(name, .failure, sentence: error.sentence)
        case .failed, .noNetwork: return Check(name, .skipped, "the API was not reached")
        case .answered:
            let pinned = ownPins > 0 || hasBuiltInPins ? " and has a pinned key" : ""
            return Check(name, .ok, "the certificate of \(address.host) is valid\(pinned)")
        }
    }

    private var transports: Check? {
        let name = "transports"
        guard reach.verdict == .ok, case .answered = outcome else {
            return Check(name, .skipped, "the API was not asked")
        }
        let offers = [("stream", stream), ("long-poll", longPoll), ("poll", .offered)]
        let there = offers.filter { $0.1 == .offered }.map(\.0)
        if offers.contains(where: { $0.0 == transport.rawValue && $0.1 == .absent }) {
            return Check(
                name, .failure, "\(transport.rawValue) is configured, but the API does not offer it",
                advice: "set transport: auto")
        }
        return Check(name, .ok, "the API offers " + there.joined(separator: ", "))
    }

    private static func clock(_ apis: [APIFacts]) -> Check {
        let name = "clock"
        let differences = apis.compactMap { api in
            if case .answered(_, let seconds?) = api.outcome { seconds } else { nil }
        }
        // One server may be wrong; this computer is where it differs from all of them.
        guard let ahead = differences.min(by: { $0.magnitude < $1.magnitude }) else {
            return Check(name, .skipped, "no API told the time")
        }
        guard ahead.magnitude > Self.clockTolerance else {
            return Check(name, .ok, "within \(Self.clockTolerance) s of the API's")
        }
        return Check(
            name, .failure,
            "this computer is \(ahead.magnitude) s \(ahead > 0 ? "behind" : "ahead of") the API",
            advice: "set it right; type: timedatectl set-ntp true")
    }

    /// Seconds.
    private static let clockTolerance: UInt64 = 120
}

extension HTTPError {
    fileprivate var isAboutTLS: Bool {
        if case .tls = code { true } else { false }
    }
}
