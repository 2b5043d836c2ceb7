import ControlAPI
import ControlClient
import CutieAPI
import NotificationPolicy
import Platform
import Reasons

/// The status that the daemon reports, or the reason why no status was received.
enum DaemonFacts: Sendable {
    case answers(GetStatus.Reply)
    /// No process listens at `path`.
    case absent(path: String)
    /// A process listens, but did not return a status, for the given reason.
    case silent(path: String, reason: String)
    /// The session has no location for the socket.
    case noSocketPath(Paths.NoRuntimeDirectory)

    var status: GetStatus.Reply? {
        if case .answers(let status) = self { status } else { nil }
    }
}

extension DaemonFacts {
    init(asking environment: [String: String]) async {
        let path: String
        do { path = try Paths(environment: environment).controlSocketPath() } catch {
            self = .noSocketPath(error)
            return
        }
        do {
            let client = DaemonClient(path: path, timeout: .zero, connectTimeout: .seconds(2))
            self = .answers(try await client.call(GetStatus(), timeout: .seconds(4)).reply)
        } catch let gone as DaemonUnavailable {
            self.init(gone)
        } catch let socket as UnusableSocket {
            self = .silent(path: path, reason: socket.reason.english)
        } catch {
            self = .silent(path: path, reason: "its reply cannot be read")
        }
    }

    private init(_ cause: DaemonUnavailable) {
        switch cause.cause {
        case .notRunning: self = .absent(path: cause.path)
        case .tooSlow: self = .silent(path: cause.path, reason: "timed out")
        case .left, .disconnectedInCall:
            let reason = "the daemon closed the connection"
            self = .silent(path: cause.path, reason: reason)
        }
    }
}

extension DaemonFacts {
    func makeCheck(isAccountConfigured: Bool) -> Check {
        let name = "daemon"
        switch self {
        case .answers(let status) where status.version != Product.version:
            return Check(
                name, .warning,
                "version \(status.version) is running, but this program has version \(Product.version)",
                advice: "run: systemctl --user restart cutied")
        case .answers(let status): return Check(name, .ok, "running, version \(status.version)")
        case .absent(let path):
            let start = "run: systemctl --user start cutied"
            return Check(
                name, .failure, "not running: no process listens at \(path)",
                advice: isAccountConfigured ? start : "correct the config first, then \(start)")
        case .silent(let path, let reason):
            return Check(
                name, .failure, "does not respond at \(path) (\(reason))",
                advice: "run: systemctl --user restart cutied; for details: journalctl --user -u cutied")
        case .noSocketPath(let error): return Check(name, .failure, error.sentence, advice: error.advice)
        }
    }

    /// The check of unsent messages.
    var outbox: Check {
        let name = "outbox"
        guard let status else { return Check(name, .skipped, "unknown (the daemon did not answer)") }
        let waiting = status.outbox == 0 ? "empty" : "\(status.outbox) to send"
        guard status.outboxFailed > 0 else { return Check(name, .ok, waiting) }
        return Check(
            name, .warning, "\(status.outboxFailed) could not be sent",
            advice: "run: cutied ctl outbox; it shows the reasons and how to retry or cancel")
    }

    /// Returns the checks that verify that notifications are shown.
    func makeNotificationChecks(in session: SessionFacts) -> [Check] {
        let name = "notifications"
        guard let status else { return [Check(name, .skipped, "unknown (the daemon did not answer)")] }
        if let hold = status.currentHolds.first, let check = Self.makeHoldCheck(named: name, hold: hold) {
            return [check]
        }
        if !status.notifier.available, case .answers(let server) = session.server, server.isUsable {
            return [
                Check(
                    name, .failure, "the daemon finds no notification server, but this session has one",
                    advice: "the daemon uses another bus; run: systemctl --user import-environment "
                        + "DBUS_SESSION_BUS_ADDRESS && systemctl --user restart cutied")
            ]
        }
        // The check of the notification server reports a missing or unusable server.
        guard status.notifier.available else {
            return [Check(name, .skipped, "held until a notification server is available")]
        }
        return [Check(name, .ok, "on, shown by \(status.notifier.server ?? "the session")")]
    }
}

extension DaemonFacts {
    /// Returns the check for a hold that the user chose; `nil` if the notification server is missing, which
    /// another check reports.
    private static func makeHoldCheck(named name: String, hold: HoldView) -> Check? {
        let end =
            hold.until.map { " until " + LocalZone.current.clockText(for: Timestamp(milliseconds: $0)) } ?? ""
        return switch hold.reason {
        case .off: Check(name, .warning, "off", advice: "run: cutied ctl notifications on")
        case .paused: Check(name, .warning, "paused" + end, advice: "run: cutied ctl resume")
        case .quietHours:
            Check(
                name, .warning, "held during quiet hours" + end,
                advice:
                    "they are shown afterwards; to change the hours, set notifications: quiet_hours in the config"
            )
        case .privatePause:
            Check(name, .warning, "shown without text" + end, advice: "run: cutied ctl resume")
        case .presence:
            Check(name, .ok, "on, without text until you confirm your presence")
        case .noServer: nil
        }
    }

    /// Returns a check per account; empty if the daemon is not running.
    func makeAccountChecks(apis: [APIFacts]) -> [Check] {
        (status?.accounts ?? []).map { account in
            Self.makeAccountCheck(for: account, api: apis.first { $0.account == account.name })
        }
    }

    private static func makeAccountCheck(for account: AccountView, api: APIFacts?) -> Check {
        let name = "account \(account.name)"
        let reason = account.reason.map { ": " + $0 } ?? ""
        switch account.state {
        case .connected: return makeConnectedCheck(named: name, account: account, api: api)
        case .starting where account.reason != nil:
            return Check(
                name, .warning, "starting" + reason, advice: "unlock your desktop's keyring")
        case .starting, .connecting: return Check(name, .ok, account.state.rawValue)
        case .unregistered:
            return Check(
                name, .warning, "has no device token yet" + reason, advice: "see the check of its API")
        case .offline:
            return Check(
                name, .failure, "offline" + reason,
                advice: "the daemon retries automatically; to retry now, run: cutied ctl reconnect")
        case .stopped where account.kind != .device:
            return Check(
                name, .failure, "stopped: " + (account.reason ?? "the service does not accept this account"),
                advice: "run: cutied ctl signin --account \(account.name)")
        case .stopped:
            return Check(
                name, .failure, "stopped: " + (account.reason ?? "the service does not accept this device"),
                advice: "check the App ID (cutied setup), then run: cutied ctl reconnect")
        }
    }

    private static func makeConnectedCheck(named name: String, account: AccountView, api: APIFacts?) -> Check
    {
        let registration = account.registration.map { "; " + $0 } ?? ""
        let way = "connected by \(account.transport)" + registration
        if let unreadable = account.unreadable {
            return Check(
                name, .warning, "\(way); some values in the API's responses are not valid (\(unreadable))",
                advice:
                    "report them to the app's developers; for details, run: journalctl --user -u cutied -g unreadable"
            )
        }
        guard let reason = account.reason else { return Check(name, .ok, way) }
        // A slower transport is a problem only if the API offers a faster transport that fails.
        guard account.heldBack == true, api?.stream != .absent else {
            return Check(name, .ok, "\(way): \(reason)")
        }
        return Check(
            name, .warning, "\(way), because a proxy seems to buffer responses: \(reason)",
            advice: "turn off buffering of /v1/events/stream in the proxy (nginx: proxy_buffering off), "
                + "then run: cutied ctl reconnect")
    }
}
