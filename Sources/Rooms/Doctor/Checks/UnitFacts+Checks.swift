extension UnitFacts {
    var checks: [Check] { [unstartable ?? unit, linger, hardening] }

    private var unit: Check {
        let name = "unit"
        switch (enabled, active) {
        case (.noProgram, _):
            return Check(name, .skipped, "there is no systemctl; start `cutied run` yourself")
        case (.nobody(let reason), _):
            return Check(
                name, .skipped, "no systemd --user answers (\(reason)); start `cutied run` yourself")
        case (_, .said("failed")):
            return Check(
                name, .failure, "cutied.service has failed",
                advice: "\(seeWhy); then type: systemctl --user restart cutied")
        case (.said("not-found"), _):
            return Check(
                name, .warning, "cutied.service is not installed",
                advice: "install the package, or type make install; without it start `cutied run` yourself")
        case (.said("enabled"), .said("active")):
            return Check(name, .ok, "cutied.service is enabled and active")
        case (.said("enabled"), .nobody(let reason)):
            return Check(name, .skipped, "cutied.service is enabled; no systemd --user answers (\(reason))")
        case (.said("enabled"), _):
            return Check(
                name, .warning, "cutied.service is enabled, but not active",
                advice: "type: systemctl --user start cutied")
        case (.said("masked"), _):
            return Check(
                name, .warning, "cutied.service is masked", advice: "type: systemctl --user unmask cutied")
        case (.said(let word), _):
            return Check(
                name, .warning, "cutied.service is not enabled (\(word)): it does not start at login",
                advice: "type: systemctl --user enable --now cutied")
        }
    }

    /// nil where its sandbox is not what keeps it from starting.
    private var unstartable: Check? {
        guard let sandboxFailure, [.said("failed"), .said("activating")].contains(active) else { return nil }
        return Check(
            "unit", .failure,
            "cutied.service does not start: its sandbox cannot be set up (\(sandboxFailure.words))",
            advice: isHardened == true ? undoing : seeWhy)
    }

    /// Without a display there is often no session either, and the user manager ends with the last one.
    private var linger: Check {
        let name = "linger"
        if case .noProgram = enabled { return Check(name, .skipped, "there is no systemd") }
        return switch (hasDisplay, lingers) {
        case (true, _): Check(name, .skipped, "not needed in a session with a display")
        case (false, true?): Check(name, .ok, "the daemon outlives your sessions")
        case (false, nil): Check(name, .skipped, "nobody tells whether it is on")
        case (false, false?):
            Check(
                name, .warning, "without a display and lingering the daemon ends with your last session",
                advice: "type: loginctl enable-linger")
        }
    }

    private var hardening: Check {
        let name = "hardening"
        let place = Self.place
        // The unit may be refused what a program in a terminal is allowed.
        let isRefused = sandboxFailure == .user || sandboxFailure == .capabilities
        return switch (isRefused ? false : namespacesWork, isHardened) {
        case (false?, true?):
            Check(
                name, .failure,
                "the stricter tier needs user namespaces, which do not work here\(failureWords)",
                advice: undoing)
        case (_, true?) where sandboxFailure != nil:
            Check(
                name, .failure, "the stricter tier cannot be set up here\(failureWords)",
                advice: "\(seeWhy): what it binds may be missing; to do without it, \(undoing)")
        case (_, true?): Check(name, .ok, "the stricter tier is in force")
        case (true?, false?):
            Check(
                name, .ok, "the usual tier is in force; user namespaces work, so the stricter one can be",
                advice: dropIn.map { file in
                    "type: mkdir -p \(place) && cp \(file) \(place) && systemctl --user daemon-reload "
                        + "&& systemctl --user restart cutied; what else the daemon has to see then, is told there"
                } ?? "put hardening.conf of its source in \(place); it tells how")
        case (false?, _): Check(name, .ok, "the usual tier; user namespaces do not work here")
        case (_, nil), (nil, _): Check(name, .skipped, "no unit of cutied is known here")
        }
    }

    private static let place = "~/.config/systemd/user/cutied.service.d"

    private var seeWhy: String { "see why: journalctl --user -u cutied" }

    private var failureWords: String { sandboxFailure.map { " (\($0.words))" } ?? "" }

    /// Back to the usual tier. What an administrator put there is not the person's to remove.
    private var undoing: String {
        let file = hardeningFile ?? "\(Self.place)/hardening.conf"
        return "type: \(file.hasPrefix("/etc/") ? "sudo " : "")rm \(file) && systemctl --user daemon-reload "
            + "&& systemctl --user restart cutied"
    }
}
