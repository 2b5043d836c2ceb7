import ControlAPI

extension DaemonFacts {
    /// How each account stands; nothing where the daemon does not run.
    func accounts(at apis: [APIFacts]) -> [Check] {
        (status?.accounts ?? []).map { account in
            Self.check(account, at: apis.first { $0.account == account.name })
        }
    }

    private static func check(_ account: AccountView, at api: APIFacts?) -> Check {
        let name = "account \(account.name)"
        let reason = account.reason.map { ": " + $0 } ?? ""
        switch account.state {
        case .connected: return connected(name, account, api)
        case .starting where account.reason != nil:
            return Check(
                name, .warning, "starting" + reason, advice: "answer the prompt of your desktop's keyring")
        case .starting, .connecting: return Check(name, .ok, account.state.rawValue)
        case .unregistered:
            return Check(
                name, .warning, "has no device token yet" + reason, advice: "see what is wrong with its API")
        case .offline:
            return Check(
                name, .failure, "offline" + reason,
                advice: "it tries again by itself; at once: cutied ctl reconnect")
        case .stopped:
            return Check(
                name, .failure, "stopped: " + (account.reason ?? "the API refuses this device"),
                advice: "check its App ID (cutied setup), then type: cutied ctl reconnect")
        }
    }

    private static func connected(_ name: String, _ account: AccountView, _ api: APIFacts?) -> Check {
        let registration = account.registration.map { "; " + $0 } ?? ""
        let way = "connected by \(account.transport)" + registration
        guard let reason = account.reason else { return Check(name, .ok, way) }
        // A lesser transport is all there is, unless the API has a better one that does not get through.
        guard account.heldBack == true, api?.stream != .absent else {
            return Check(name, .ok, "\(way): \(reason)")
        }
        return Check(
            name, .warning, "\(way), as a proxy seems to buffer: \(reason)",
            advice: "have the proxy pass /v1/events/stream on unbuffered (nginx: proxy_buffering off), "
                + "then type: cutied ctl reconnect")
    }
}
