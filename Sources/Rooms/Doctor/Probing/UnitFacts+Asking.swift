import Glibc
import Platform

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
        let properties = Self.properties(await unit)
        self.init(
            enabled: Self.word(of: await enabled), active: Self.word(of: await active),
            hasDisplay: environment.hasDisplay, lingers: Self.lingers(await linger),
            namespacesWork: Self.success(await namespace), isHardened: Self.isHardened(properties),
            hardeningFile: Self.hardeningFile(properties), sandboxFailure: Self.sandboxFailure(properties),
            dropIn: Self.shippedDropIn())
    }

    /// In the place where this program was installed, whatever the prefix is.
    private static func shippedDropIn() -> String? {
        guard let program = OwnProgram.path else { return nil }
        let prefix = program.split(separator: "/").dropLast(2).map { "/" + $0 }.joined()
        let file = prefix + "/share/cutied/cutied.service.d/hardening.conf"
        return access(file, R_OK) == 0 ? file : nil
    }

    /// `is-enabled` and `is-active` answer a word, also with a code that is not 0.
    static func word(of run: ProgramRun) -> Word {
        switch run.ending {
        case .notStarted: return .noProgram
        case .killed: return .nobody("systemctl took too long")
        case .exited: break
        }
        let line = run.line
        if line.contains("No such file or directory"), line.contains("unit file state") {
            return .said("not-found")
        }
        return line.contains(" ") || line.isEmpty ? .nobody(line) : .said(line)
    }

    /// From `systemctl show`; empty where it does not tell.
    static func properties(_ run: ProgramRun) -> [String: String] {
        guard run.ending == .exited(code: 0) else { return [:] }
        var properties: [String: String] = [:]
        for line in run.output.split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { properties[String(parts[0])] = String(parts[1]) }
        }
        return properties
    }

    static func isHardened(_ properties: [String: String]) -> Bool? {
        properties["PrivateUsers"].map { $0 != "no" }
    }

    static func hardeningFile(_ properties: [String: String]) -> String? {
        properties["DropInPaths"]?.split(separator: " ").last { $0.hasSuffix("/hardening.conf") }
            .map(String.init)
    }

    /// Of the last start; systemd forgets it with the next.
    static func sandboxFailure(_ properties: [String: String]) -> SandboxFailure? {
        // CLD_EXITED: the number of a signal is no exit code.
        guard properties["ExecMainCode"] == "1" else { return nil }
        return properties["ExecMainStatus"].flatMap { Int32($0) }.flatMap(SandboxFailure.init)
    }

    static func answer(_ run: ProgramRun) -> Bool? {
        guard run.ending == .exited(code: 0) else { return nil }
        return switch run.line {
        case "yes": true
        case "no": false
        default: nil
        }
    }

    /// Of a user without a session loginctl only tells that it is neither logged in nor lingering.
    static func lingers(_ run: ProgramRun) -> Bool? {
        run.line.hasSuffix("is not logged in or lingering") ? false : answer(run)
    }

    private static func success(_ run: ProgramRun) -> Bool? {
        switch run.ending {
        case .exited(let code): code == 0
        case .killed, .notStarted: nil
        }
    }
}
