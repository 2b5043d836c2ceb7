import Glibc
import Platform

/// The state of the daemon's systemd unit, and whether the stricter sandbox of its drop-in works on this
/// computer.
struct UnitFacts: Sendable {
    /// The output of a systemd program.
    enum ProgramOutput: Hashable, Sendable {
        case printed(String)
        /// The program is not installed.
        case noProgram
        /// The program could not reach the user manager. The value is the program's error message.
        case noManager(String)
    }

    /// The exit codes with which systemd reports that it could not set up the unit's sandbox.
    enum SandboxFailure: Int32, Sendable {
        case user = 217
        case capabilities = 218
        case namespace = 226

        /// The code as systemd displays it.
        var text: String {
            switch self {
            case .user: "217/USER"
            case .capabilities: "218/CAPABILITIES"
            case .namespace: "226/NAMESPACE"
            }
        }
    }

    /// The output of `is-enabled`, such as `enabled`, `disabled` or `not-found`.
    var enabled: ProgramOutput
    /// The output of `is-active`, such as `active`, `inactive` or `failed`.
    var active: ProgramOutput
    /// Whether there is a display. A graphical session starts the user manager, so lingering is not needed.
    var hasDisplay: Bool
    /// Whether lingering is on, which runs the user manager without a session; `nil` if unknown.
    var lingers: Bool?
    /// Whether the user can create user namespaces; `nil` if that could not be tested.
    var namespacesWork: Bool?
    /// Whether the stricter sandbox is active; `nil` if unknown.
    var isHardened: Bool?
    /// The active drop-in of the stricter sandbox; `nil` if there is no drop-in with that name.
    var hardeningFile: String?
    /// The sandbox failure of the daemon's last start; `nil` if there was none.
    var sandboxFailure: SandboxFailure?
    /// The drop-in that was installed with this program; `nil` if it is missing.
    var dropIn: String?
}

extension UnitFacts {
    init(asking environment: [String: String]) async {
        async let enabled = ProgramRun(
            "systemctl", "--user", "is-enabled", "cutied.service", environment: environment)
        async let active = ProgramRun(
            "systemctl", "--user", "is-active", "cutied.service", environment: environment)
        async let unit = ProgramRun(
            "systemctl", "--user", "show",
            "--property=PrivateUsers,DropInPaths,ExecMainCode,ExecMainStatus", "cutied.service",
            environment: environment)
        async let linger = ProgramRun(
            "loginctl", "show-user", "--property=Linger", "--value", String(getuid()),
            environment: environment)
        async let namespace = ProgramRun(
            "unshare", "--user", "--map-root-user", "true", environment: environment)
        let properties = Self.parseProperties(from: await unit)
        self.init(
            enabled: Self.parseOutput(from: await enabled), active: Self.parseOutput(from: await active),
            hasDisplay: environment.hasDisplay, lingers: Self.parseLingering(from: await linger),
            namespacesWork: Self.parseSuccess(from: await namespace),
            isHardened: Self.isHardened(accordingTo: properties),
            hardeningFile: Self.findHardeningFile(in: properties),
            sandboxFailure: Self.findSandboxFailure(in: properties),
            dropIn: Self.findShippedDropIn())
    }

    /// Returns the drop-in under the prefix at which this program is installed; `nil` if it is missing.
    private static func findShippedDropIn() -> String? {
        guard let prefix = Installation.current?.prefix else { return nil }
        let file = prefix + "/share/cutied/cutied.service.d/hardening.conf"
        return access(file, R_OK) == 0 ? file : nil
    }

    /// Parses the output of `is-enabled` or `is-active`. A valid output is a single word, regardless of
    /// the exit code; any other output is an error message.
    static func parseOutput(from programRun: ProgramRun) -> ProgramOutput {
        switch programRun.ending {
        case .notStarted: return .noProgram
        case .killed: return .noManager("systemctl timed out")
        case .exited: break
        }
        let line = programRun.line
        if line.contains("No such file or directory"), line.contains("unit file state") {
            return .printed("not-found")
        }
        return line.contains(" ") || line.isEmpty ? .noManager(line) : .printed(line)
    }

    /// Parses the output of `systemctl show`; empty if the command failed.
    static func parseProperties(from programRun: ProgramRun) -> [String: String] {
        guard programRun.ending == .exited(code: 0) else { return [:] }
        var properties: [String: String] = [:]
        for line in programRun.output.split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { properties[String(parts[0])] = String(parts[1]) }
        }
        return properties
    }

    static func isHardened(accordingTo properties: [String: String]) -> Bool? {
        properties["PrivateUsers"].map { $0 != "no" }
    }

    static func findHardeningFile(in properties: [String: String]) -> String? {
        properties["DropInPaths"]?.split(separator: " ").last { $0.hasSuffix("/hardening.conf") }
            .map(String.init)
    }

    /// Returns the sandbox failure of the last start; `nil` if there was none. systemd resets the code at the
    /// next start.
    static func findSandboxFailure(in properties: [String: String]) -> SandboxFailure? {
        // Ignore the status unless the code is 1 (CLD_EXITED), because the status is otherwise a signal
        // number.
        guard properties["ExecMainCode"] == "1" else { return nil }
        return properties["ExecMainStatus"].flatMap { Int32($0) }.flatMap(SandboxFailure.init)
    }

    static func parseYesOrNo(from programRun: ProgramRun) -> Bool? {
        guard programRun.ending == .exited(code: 0) else { return nil }
        return switch programRun.line {
        case "yes": true
        case "no": false
        default: nil
        }
    }

    /// Parses the output of `show-user`; `nil` for any unexpected output. For a user without a session,
    /// loginctl reports only that the user is neither logged in nor lingering.
    static func parseLingering(from programRun: ProgramRun) -> Bool? {
        programRun.line.hasSuffix("is not logged in or lingering") ? false : parseYesOrNo(from: programRun)
    }

    private static func parseSuccess(from programRun: ProgramRun) -> Bool? {
        switch programRun.ending {
        case .exited(let code): code == 0
        case .killed, .notStarted: nil
        }
    }
}

extension UnitFacts {
    var checks: [Check] { [unstartable ?? unit, linger, hardening] }

    private var unit: Check {
        let name = "unit"
        switch (enabled, active) {
        case (.noProgram, _):
            return Check(name, .skipped, "systemctl is not installed; start `cutied run` yourself")
        case (.noManager(let reason), _):
            return Check(
                name, .skipped, "systemd --user does not respond (\(reason)); start `cutied run` yourself")
        case (_, .printed("failed")):
            return Check(
                name, .failure, "cutied.service has failed",
                advice: "\(logAdvice); then run: systemctl --user restart cutied")
        case (.printed("not-found"), _):
            return Check(
                name, .warning, "cutied.service is not installed",
                advice:
                    "install the package, or run make install; without the unit, start `cutied run` yourself")
        case (.printed("enabled"), .printed("active")):
            return Check(name, .ok, "cutied.service is enabled and active")
        case (.printed("enabled"), .noManager(let reason)):
            return Check(
                name, .skipped, "cutied.service is enabled; systemd --user does not respond (\(reason))")
        case (.printed("enabled"), _):
            return Check(
                name, .warning, "cutied.service is enabled, but not active",
                advice: "run: systemctl --user start cutied")
        case (.printed("masked"), _):
            return Check(
                name, .warning, "cutied.service is masked", advice: "run: systemctl --user unmask cutied")
        case (.printed(let word), _):
            return Check(
                name, .warning, "cutied.service is not enabled (\(word)): it does not start at login",
                advice: "run: systemctl --user enable --now cutied")
        }
    }

    /// The failed check if the sandbox prevents the daemon from starting; otherwise `nil`.
    private var unstartable: Check? {
        guard let sandboxFailure, [.printed("failed"), .printed("activating")].contains(active) else {
            return nil
        }
        return Check(
            "unit", .failure,
            "cutied.service does not start: its sandbox cannot be set up (\(sandboxFailure.text))",
            advice: isHardened == true ? revertAdvice : logAdvice)
    }

    /// The check of lingering. Without a display, the user may have no permanent session; without lingering,
    /// the user manager and the daemon end with the last session.
    private var linger: Check {
        let name = "linger"
        if case .noProgram = enabled { return Check(name, .skipped, "systemd is not available") }
        return switch (hasDisplay, lingers) {
        case (true, _): Check(name, .skipped, "not needed in a session with a display")
        case (false, true?): Check(name, .ok, "on: the daemon keeps running after you log out")
        case (false, nil): Check(name, .skipped, "unknown (loginctl did not answer)")
        case (false, false?):
            Check(
                name, .warning, "off: without a display, the daemon ends with your last session",
                advice: "run: loginctl enable-linger")
        }
    }

    private var hardening: Check {
        let name = "hardening"
        let place = Self.place
        // Prefer the failure of the unit to the result of the test in this process, because the unit may lack
        // a permission that a program in a terminal has.
        let isRefused = sandboxFailure == .user || sandboxFailure == .capabilities
        return switch (isRefused ? false : namespacesWork, isHardened) {
        case (false?, true?):
            Check(
                name, .failure,
                "the strict sandbox needs user namespaces, which do not work here\(failureText)",
                advice: revertAdvice)
        case (_, true?) where sandboxFailure != nil:
            Check(
                name, .failure, "the strict sandbox cannot be set up here\(failureText)",
                advice: "\(logAdvice); a path that it binds may be missing. To turn it off, \(revertAdvice)")
        case (_, true?): Check(name, .ok, "strict")
        case (true?, false?):
            Check(
                name, .ok, "default; the strict sandbox is available, because user namespaces work",
                advice: dropIn.map { file in
                    "run: mkdir -p \(place) && cp \(file) \(place) && systemctl --user daemon-reload "
                        + "&& systemctl --user restart cutied; the file explains which other paths the daemon may need"
                } ?? "copy hardening.conf from the source code to \(place); the file explains how")
        case (false?, _): Check(name, .ok, "default; user namespaces do not work here")
        case (_, nil), (nil, _): Check(name, .skipped, "cutied.service is not loaded")
        }
    }

    private static let place = "~/.config/systemd/user/cutied.service.d"

    private var logAdvice: String { "for the cause, run: journalctl --user -u cutied" }

    private var failureText: String { sandboxFailure.map { " (\($0.text))" } ?? "" }

    /// The command that restores the default sandbox. Only root can remove a drop-in in `/etc`.
    private var revertAdvice: String {
        let file = hardeningFile ?? "\(Self.place)/hardening.conf"
        return "run: \(file.hasPrefix("/etc/") ? "sudo " : "")rm \(file) && systemctl --user daemon-reload "
            + "&& systemctl --user restart cutied"
    }
}
