import ControlAPI

extension DaemonFacts {
    func check(isConfigured: Bool) -> Check {
        let name = "daemon"
        switch self {
        case .answers(let status) where status.version != Product.version:
            return Check(
                name, .warning, "version \(status.version) runs, this program is \(Product.version)",
                advice: "type: systemctl --user restart cutied")
        case .answers(let status): return Check(name, .ok, "runs, version \(status.version)")
        case .absent(let path):
            let start = "type: systemctl --user start cutied"
            return Check(
                name, .failure, "does not run: nobody listens at \(path)",
                advice: isConfigured ? start : "mend the config first, then \(start)")
        case .silent(let path, let reason):
            return Check(
                name, .failure, "does not answer at \(path) (\(reason))",
                advice: "type: systemctl --user restart cutied; journalctl --user -u cutied tells more")
        case .homeless(let sentence): return Check(name, .failure, sentence: sentence)
        }
    }

    /// Whether what the person sends goes.
    var outbox: Check {
        let name = "outbox"
        guard let status else { return Check(name, .skipped, "the daemon does not tell") }
        let waiting = status.outbox == 0 ? "nothing waits to be sent" : "\(status.outbox) to send"
        guard status.outboxFailed > 0 else { return Check(name, .ok, waiting) }
        return Check(
            name, .warning, "\(status.outboxFailed) could not be sent",
            advice: "type: cutied ctl outbox; it tells why, and how to try again or drop them")
    }

    /// Whether pop-ups come where the person looks.
    func popups(in session: SessionFacts) -> [Check] {
        let name = "pop-ups"
        guard let status else { return [Check(name, .skipped, "the daemon does not tell")] }
        if !status.notifications {
            return [Check(name, .warning, "are off", advice: "type: cutied ctl notifications on")]
        }
        if status.paused { return [Check(name, .warning, "are paused", advice: "type: cutied ctl resume")] }
        if !status.notifier.available, case .answers = session.server {
            return [
                Check(
                    name, .failure, "the daemon finds no notification server, though this session has one",
                    advice: "it lives on another bus; type: systemctl --user import-environment "
                        + "DBUS_SESSION_BUS_ADDRESS && systemctl --user restart cutied")
            ]
        }
        // What is missing is a check of its own.
        guard status.notifier.available else {
            return [Check(name, .skipped, "are held until a notification server is there")]
        }
        return [Check(name, .ok, "on, shown by \(status.notifier.server ?? "the session")")]
    }
}
